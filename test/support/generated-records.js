import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { comparisonProblem } from '../../dist/records/records.js';
import { recordProblem } from '../../dist/records/schema.js';
import { collect } from '../../dist/site/collect/collect.js';
import { compareVersions } from '../../dist/site/model/comparisons.js';
import { openLineChanges } from '../../dist/site/model/line-changes.js';
import { metricNames } from '../../dist/site/model/metric-names.js';
import { overviewOf } from '../../dist/site/model/site-model.js';
import { makePages } from '../../dist/site/pages/make-pages.js';
import { recordMetrics } from '../../dist/suite/cases/record-metrics.js';
import { loadSuite } from '../../dist/suite/suite.js';
import { arbitraryOf } from './arbitrary.js';
import { benchfolio, root } from './cli.js';
import { newSuite } from './runs.js';

const schema = JSON.parse(readFileSync(join(root, 'reports', 'schema', 'record.schema.json'), 'utf8'));

/** Records of two versions that are compared: of one machine and definition, and of the same metrics. */
const pairs = () => {
  const record = arbitraryOf(schema, { keys: recordMetrics });
  return fc.tuple(record, record).map(([base, head]) => {
    const { fingerprint, definition, player, imported, values, scenario } = base;
    const same = {
      fingerprint,
      definition,
      values,
      scenario,
      ...(player && { player }),
      ...(imported && { imported }),
    };
    for (const other of ['player', 'imported']) delete head[other];
    const metrics = Object.fromEntries(
      Object.entries(base.metrics).map(([name, metric]) => [
        name,
        { ...(head.metrics[name] ?? metric), unit: metric.unit, direction: metric.direction },
      ]),
    );
    return [base, { ...head, ...same, metrics: { ...head.metrics, ...metrics } }];
  });
};

/**
 * Generates records that the schema allows, and has all that reads records read them: compare, its reports, comment, and
 * the models of pages.
 * @param {{ records: number, seed: number, built?: (folder: string) => Promise<void>, batch?: number }} given records: how
 *   many, in batches of versions that are compared; built: is given each suite
 * @returns {Promise<{ tried: number }>}
 */
export async function readGenerated({ records, seed, built = async () => {}, batch = 50 }) {
  let tried = 0;
  const all = fc.sample(pairs(), { numRuns: Math.ceil(records / 2), seed });
  for (let from = 0; from < all.length; from += batch / 2) {
    const some = all.slice(from, from + batch / 2);
    try {
      await readAll(some, built);
    } catch (error) {
      for (const one of some) await readAll([one], built).catch((cause) => blame(one, cause)); // which one it is
      throw error;
    }
    tried += some.length * 2;
  }
  return { tried };
}

/** @param {any[]} pair @param {unknown} cause @returns {never} */
function blame(pair, cause) {
  const { message, stack } = /** @type {Error} */ (cause);
  throw new Error(`${message.slice(0, 1000)}\n${stack?.slice(-600)}\nby these records: ${JSON.stringify(pair)}`, {
    cause,
  });
}

/** @param {any[][]} some @param {(folder: string) => Promise<void>} built */
async function readAll(some, built) {
  const folder = newSuite();
  try {
    some.forEach((pair, i) => {
      pair.forEach((record, side) => {
        const version = `v${side + 1}`;
        const place = { version, system: 'made', environment: 'here', case: `case-${i}` };
        const placed = { ...record, ...place };
        assert.equal(recordProblem(placed), null);
        const file = join(folder, 'reports', 'versions', version, 'made', 'here', `case-${i}.json`);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, JSON.stringify(placed));
      });
    });
    await readByCommands(folder);
    await readByPages(folder, some.length * 2);
    await built(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function readByCommands(folder) {
  const run = async (/** @type {string[]} */ ...args) => {
    const { code, stdout, stderr } = await benchfolio(args, { cwd: folder });
    assert.ok([0, 1, 3].includes(Number(code)) && !/ bug /.test(stderr), `${args.join(' ')}: ${code}: ${stderr}`);
    return stdout;
  };
  const json = await run('compare', 'v1', 'v2', '--format', 'json');
  const comparison = JSON.parse(json);
  assert.equal(comparisonProblem(comparison), null);
  for (const format of ['text', 'markdown']) noHoles(await run('compare', 'v1', 'v2', '--format', format));
  const file = join(folder, 'comparison.json');
  writeFileSync(file, JSON.stringify({ ...comparison, time: '2026-01-01T00:00:00Z' }));
  noHoles(await run('comment', file, '--dry-run'));
  await run('comment', file, '--format', 'junit');
}

/** @param {string} folder @param {number} records */
async function readByPages(folder, records) {
  const suite = loadSuite(folder);
  const found = await collect(suite);
  assert.deepEqual([found.problems, found.entries.length], [[], records]);
  const comparisons = await compareVersions(suite, found);
  const overview = overviewOf(found, comparisons, metricNames, {
    title: 'Made',
    url: null,
    duets: [],
    chains: [],
    judgeChanges: (await openLineChanges(suite)).judge,
  });
  const pages = await makePages(overview, async (charts) =>
    charts
      .filter((chart) => chart !== null)
      .map(({ file, title, data }) => {
        JSON.stringify(data);
        return /** @type {any} */ ({ file, title, key: [], drawing: 'x', live: 'x' });
      }),
  );
  for (const { text } of pages) noHoles(text);
}

/** What stands where a number or a name could not be printed. @param {string} text */
const noHoles = (text) => assert.doesNotMatch(text, /\bNaN\b|\[object |>undefined<|[:"]undefined"/);
