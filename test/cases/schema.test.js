import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { parseToml } from '../../dist/suite/cases/cases.js';
import { executors, keysOf } from '../../dist/suite/cases/executors.js';
import { k6Keys, k6Options } from '../../dist/suite/cases/k6-options.js';
import { reservedNames } from '../../dist/suite/cases/parameters.js';
import { profileKeys } from '../../dist/suite/cases/profile.js';
import { recordMetrics } from '../../dist/suite/cases/record-metrics.js';
import { addresses } from '../../dist/suite/cases/requests.js';
import { rootCauses } from '../../dist/suite/check/schema/root-causes.js';
import { readSchema, schemaErrors } from '../../dist/suite/check/schema/validate.js';
import { root } from '../support/cli.js';

const [spec, bench] = /** @type {const} */ (['spec', 'bench']).map(readSchema);

/**
 * Every table of keys in a schema, with where it is; conditions aside, which say what goes with what.
 * @param {any} schema
 * @param {string} path
 * @returns {[string, Record<string, any>][]}
 */
const tablesOf = (schema, path) =>
  schema === null || typeof schema !== 'object' || /\/(then|if)$/.test(path)
    ? []
    : [
        ...(schema.properties && !Array.isArray(schema)
          ? [/** @type {[string, Record<string, any>]} */ ([path, schema.properties])]
          : []),
        ...Object.entries(schema).flatMap(([key, value]) => tablesOf(value, `${path}/${key}`)),
      ];

/** The whole schema, with the conditions that only editors need. */
const inEditor = new Ajv({ strict: false }).compile(spec);

/** @param {object} scenario */
const documentOf = (scenario) => ({ title: 'x', environments: { a: { url: 'http://x' } }, scenarios: { s: scenario } });

describe('the schemas', () => {
  for (const name of ['record', 'comparison', 'trial', 'case']) {
    it(`${name}.schema.json is a schema of draft 7`, () => {
      const ajv = new Ajv({ strict: false });
      const schema = JSON.parse(readFileSync(join(root, 'reports', 'schema', `${name}.schema.json`), 'utf8'));
      assert.equal(schema.$schema, 'http://json-schema.org/draft-07/schema#');
      assert.ok(ajv.validateSchema(schema), ajv.errorsText(ajv.errors));
    });
  }
  for (const [name, schema] of Object.entries({ spec, bench })) {
    it(`${name}.schema.json is a schema of draft 7`, () => {
      const ajv = new Ajv({ strict: false });
      assert.equal(schema.$schema, 'http://json-schema.org/draft-07/schema#');
      assert.ok(ajv.validateSchema(schema), ajv.errorsText(ajv.errors));
    });
    it(`${name}.schema.json describes every key`, () => {
      const tables = tablesOf(schema, '');
      assert.ok(tables.length > 3);
      for (const [path, properties] of tables) {
        for (const [key, value] of Object.entries(properties)) {
          assert.ok(value.description?.length > 4, `${path}/${key} has no description`);
        }
      }
    });
    it(`${name}.schema.json puts nothing beside a $ref, where draft 7 ignores it`, () => {
      const walk = (/** @type {any} */ value) => {
        if (value === null || typeof value !== 'object') return;
        if ('$ref' in value) assert.deepEqual(Object.keys(value), ['$ref']);
        Object.values(value).forEach(walk);
      };
      walk(schema);
    });
    it(`${name}.schema.json refuses unknown keys in every table`, () => {
      const walk = (/** @type {any} */ value, /** @type {string} */ path) => {
        if (value === null || typeof value !== 'object' || /\/(then|if)$/.test(path)) return;
        if (value.properties && !Array.isArray(value) && !path.endsWith('/properties')) {
          assert.equal(value.additionalProperties, false, path);
        }
        for (const [key, item] of Object.entries(value)) walk(item, `${path}/${key}`);
      };
      walk(schema, '');
    });
  }
});

describe('what the schemas and the code both know', () => {
  const { definitions } = spec;
  it('executors', () =>
    assert.deepEqual([...definitions.scenario.properties.executor.enum].sort(), Object.keys(executors).sort()));
  it("k6's keys", () => {
    for (const key of k6Keys) assert.ok(key in definitions.scenario.properties, key);
  });
  it('what a profile may change', () => {
    assert.deepEqual(Object.keys(definitions.profileScenario.properties).sort(), [...profileKeys].sort());
  });
  it('methods', () =>
    assert.deepEqual(
      definitions.request.oneOf.flatMap((/** @type {any} */ one) => one.required),
      addresses,
    ));
  it('metrics of a record', () => assert.deepEqual(definitions.metric.enum, recordMetrics));
  it('names that parameters cannot have', () => assert.deepEqual(definitions.parameterName.not.enum, reservedNames));
  it('how to compare', () => {
    for (const name of ['tolerance', 'metric', 'partMetric', 'text', 'duration', 'prometheus', 'address', 'secret']) {
      assert.deepEqual(bench.definitions[name], definitions[name], name);
    }
    // a spec has metrics of its own besides those of every record
    const ofSpec = JSON.stringify(definitions.compare).replaceAll('/metricOrQuery', '/metricOrPart');
    assert.deepEqual(bench.definitions.compare, JSON.parse(ofSpec));
  });

  const values = {
    vus: 1,
    iterations: 1,
    duration: '1s',
    maxDuration: '1s',
    stages: [{ duration: '1s', target: 1 }],
    startVUs: 1,
    rate: 1,
    timeUnit: '1s',
    preAllocatedVUs: 1,
    maxVUs: 1,
    startRate: 1,
    gracefulStop: '1s',
    gracefulRampDown: '1s',
  };
  for (const executor of Object.keys(executors)) {
    const needed = Object.fromEntries(
      executors[executor].required.map((key) => [key, values[/** @type {keyof typeof values} */ (key)]]),
    );
    const judge = (/** @type {object} */ scenario) => [
      inEditor(documentOf({ ...scenario, requests: [{ get: '/' }] })),
      k6Options(scenario, [], () => {}) !== null,
    ];
    it(`which keys go with ${executor}`, () => {
      assert.deepEqual(judge({ executor, ...needed }), [true, true]);
      for (const [key, value] of Object.entries(values)) {
        const taken = keysOf(executor).includes(key);
        assert.deepEqual(judge({ executor, ...needed, [key]: value }), [taken, taken], key);
      }
    });
    it(`what ${executor} needs`, () => {
      for (const key of executors[executor].required) {
        const { [key]: _, ...others } = needed;
        assert.deepEqual(judge({ executor, ...others }), [false, false], key);
      }
    });
  }
});

it('an editor knows that a request has one method, and a scenario requests or a script', () => {
  const judge = (/** @type {object} */ rest) => inEditor(documentOf({ executor: 'shared-iterations', ...rest }));
  assert.equal(judge({ requests: [{ get: '/' }] }), true);
  assert.equal(judge({ requests: [{ get: '/', post: '/' }] }), false);
  assert.equal(judge({ requests: [{}] }), false);
  assert.equal(judge({}), false);
  assert.equal(judge({ script: 'x.js' }), true);
  assert.equal(judge({ script: 'x.js', requests: [{ get: '/' }] }), false);
  assert.equal(inEditor(documentOf({ status: 'todo', reason: 'x' })), true);
});

describe('an editor knows', () => {
  const scenario = { executor: 'shared-iterations', requests: [{ get: '/' }] };
  const judge = (/** @type {object} */ rest) => inEditor({ ...documentOf(scenario), ...rest });
  it('that an environment has a URL or extends another, and its services commands', () => {
    const place = (/** @type {object} */ environment) =>
      judge({ environments: { a: { url: 'http://x' }, b: environment } });
    assert.deepEqual([{}, { url: 'http://x' }, { extends: 'a' }].map(place), [false, true, true]);
    assert.deepEqual(
      [{ url: 'http://x' }, { extends: 'a' }].map((base) => place({ ...base, services: [{ name: 's' }] })),
      [false, true],
    );
  });
  it('what a chart needs', () => {
    const chart = (/** @type {object} */ keys) => judge({ charts: [{ scenarios: ['s'], ...keys }] });
    assert.deepEqual(
      [{ y: 'a' }, { type: 'bar', y: 'a' }, { x: 'a', y: 'b' }, { type: 'time', y: 'a' }, { type: 'histogram' }].map(
        chart,
      ),
      [false, false, true, true, true],
    );
  });
  it('what a table needs', () => {
    const table = (/** @type {object} */ keys) =>
      judge({ tables: [{ title: 't', by: 'case', scenario: 's', cells: [{ metric: 'm' }], ...keys }] });
    assert.deepEqual(
      [
        {},
        { scenarios: ['s'] },
        { scenario: undefined },
        { cells: [{}] },
        { cells: [{ metric: 'm', metrics: ['m'] }] },
      ].map(table),
      [true, false, false, false, false],
    );
  });
  it('how one proves to Prometheus who one is', () => {
    const proof = (/** @type {object} */ prometheus) => judge({ environments: { a: { url: 'http://x', prometheus } } });
    const [basic, bearer] = [{ username: 'u', password: '${env.P}' }, { bearer_token: '${env.T}' }];
    assert.deepEqual(
      [basic, bearer, { ...basic, ...bearer }, { username: 'u' }, { ...basic, password: 'p' }].map(proof),
      [true, true, false, false, false],
    );
  });
});

describe('a spec', () => {
  const document = parseToml(
    readFileSync(new URL('../fixtures/every-key/specs/shop/spec.toml', import.meta.url), 'utf8'),
  );
  it('that uses every key is valid', () => assert.deepEqual(schemaErrors('spec', document), []));
  it('of the tests does use every key', () => {
    /** @type {Set<string>} */
    const used = new Set();
    const walk = (/** @type {any} */ value) => {
      if (value === null || typeof value !== 'object') return;
      for (const [key, item] of Object.entries(value)) {
        used.add(key);
        walk(item);
      }
    };
    walk(document);
    const known = tablesOf(spec, '').flatMap(([, properties]) => Object.keys(properties));
    assert.deepEqual(
      known.filter((key) => !used.has(key)),
      [],
    );
  });
  it('may have a placeholder where a number is expected, and nothing else that is no number', () => {
    const judge = (/** @type {unknown} */ rate) =>
      schemaErrors(
        'spec',
        documentOf({
          executor: 'constant-arrival-rate',
          rate,
          duration: '${t}s',
          preAllocatedVUs: '${n}',
          requests: [{ get: '/' }],
        }),
      ).length === 0;
    assert.deepEqual(['${rate}', 5, '5', 'x${rate}', 1.5, 0].map(judge), [true, true, false, false, false, false]);
  });
});

it('of errors that follow from one another, one is reported', () => {
  /** @type {[object, string[]][]} */
  const table = [
    [{ executor: 'shared-iterations', requests: [{ get: '/', body: { jsn: 1 } }] }, ['additionalProperties']],
    [{ executor: 'shared-iterations', requests: [{ get: '/', body: { text: 'a', json: 1 } }] }, ['oneOf']],
    [{ executor: 'shared-iterations', requests: [{ get: '/', post: '/' }] }, []],
    [{ executor: 'constant-vus', rate: 5, requests: [{ get: '/' }] }, []],
    [{ executor: 'shared-iterations', requests: [{ get: '/' }], sweep: { port: [1] } }, ['not']],
    [{ executor: 'shared-iterations', requests: [{ get: '/' }], sweep: { a: { from: 1 } } }, ['required']],
    [{ executor: 'shared-iterations', requests: [{ get: '/' }], sweep: { a: { from: 1, to: 2 } } }, ['oneOf']],
  ];
  for (const [scenario, keywords] of table) {
    const document = documentOf(scenario);
    assert.deepEqual(
      rootCauses(schemaErrors('spec', document), document).map(({ error }) => error.keyword),
      keywords,
      JSON.stringify(scenario),
    );
  }
});
