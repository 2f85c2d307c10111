import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { definitionOf } from '../../dist/suite/cases/cases.js';
import { app, cases, get } from '../support/specs.js';

const shared = { kubernetes: { parallelism: 4, image: 'i:1', namespace: 'load' } };
const external = (/** @type {string} */ keys) => `environments.local = { url = "http://x"${keys} }`;
const of = (/** @type {string} */ keys, /** @type {any} */ generators = undefined, scenario = get) =>
  cases(scenario, { rest: external(keys), bench: { generators } })[0];
const pods = (/** @type {string} */ keys) => `, generators = { kubernetes = { ${keys} } }`;

describe('pods that make the load', () => {
  it('are none where nothing is said', () => assert.equal(of('').generators, null));
  it('have what is not said as it is usual', () => {
    assert.deepEqual(of(pods('parallelism = 2, image = "i:1"')).generators?.kubernetes, {
      parallelism: 2,
      image: 'i:1',
      namespace: null,
      context: null,
      resources: { requests: { cpu: '1', memory: '1Gi' }, limits: {} },
      node_selector: {},
      tolerations: [],
      service_account: null,
      labels: {},
      image_pull_secrets: [],
      archive_volume: null,
      start_timeout_s: 300,
    });
  });
  it("of an environment are those of bench.toml, with the environment's own keys over them", () => {
    const { generators } = of(pods('parallelism = 8, resources = { limits = { cpu = 2 } }'), shared);
    const { parallelism, namespace, resources } = /** @type {any} */ (generators).kubernetes;
    assert.deepEqual([parallelism, namespace, resources], [8, 'load', { requests: {}, limits: { cpu: '2' } }]);
    assert.equal(of(', generators = { kubernetes = false }', shared).generators, null);
  });
  it('of bench.toml are for environments that start nothing here', () => {
    assert.equal(of('', shared).generators?.kubernetes.parallelism, 4);
    assert.equal(of(', network = { latency = "5ms" }', shared).generators, null);
    assert.equal(cases(get, { rest: app, bench: { generators: shared } })[0].generators, null);
  });
  it('cannot reach what is started here', () => {
    const own = app.replace('services =', 'generators.kubernetes = { parallelism = 2, image = "i" }, services =');
    assert.throws(() => cases(get, { rest: own }), /pods cannot reach the services that this environment starts/);
    const network = `, network = { latency = "5ms" }${pods('parallelism = 2, image = "i"')}`;
    assert.throws(() => of(network), /the network of pods cannot be shaped/);
  });
  it('have an image and a number', () => {
    assert.throws(() => of(pods('parallelism = 2')), /kubernetes has no "image"/);
    assert.throws(() => of(pods('image = "i"')), /kubernetes has no "parallelism"/);
  });
  it('are as many as the load has parts, and belong to what is measured', () => {
    const [here, two, four, moved] = [
      of('', undefined, `instances = 4\n${get}`),
      of(pods('parallelism = 2, image = "i"'), undefined, `instances = 4\n${get}`),
      of(pods('parallelism = 4, image = "i"')),
      of(pods('parallelism = 4, image = "j", namespace = "n", context = "c"')),
    ];
    assert.deepEqual(
      [here, two, four].map(({ instances }) => instances),
      [4, 2, 4],
    );
    const [hashHere, hashTwo, hashFour, hashMoved] = [here, two, four, moved].map((one) =>
      JSON.stringify(definitionOf(one)),
    );
    assert.equal(new Set([hashHere, hashTwo, hashFour]).size, 3);
    assert.equal(hashFour, hashMoved);
  });
});
