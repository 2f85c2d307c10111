import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { argumentsOf, entryOf } from '../../dist/run/generator/k6-arguments.js';
import { folderOf, root } from '../support/cli.js';

/** What random values are drawn from. @param {string} folder of a round @param {object} [benchCase] */
function seedIn(folder, benchCase) {
  const entry = { argument: 'main.js', text: null, cwd: '/', variables: {} };
  const given = { entry, folder: `/runs/1/${folder}`, twoSides: false, part: 1, segment: null, stream: null };
  const run = { root: '/', folder: '/runs/1', seed: 7 };
  const measured = /** @type {any} */ ({
    file: '',
    benchCase: { player: 'native', script: null, requests: [], ...benchCase },
  });
  return argumentsOf(measured, { ...given, run }).find((argument) => argument.startsWith('SEED='));
}

test('each round draws other random values, and both sides in a lane of a duet the same', () => {
  assert.notEqual(seedIn('shop/local/s/round-1'), seedIn('shop/local/s/round-2'));
  const [base, head] = ['base', 'head'].map((side) =>
    seedIn(`shop/local/s/load/${side}/round-1`, { lane: 'load', side }),
  );
  assert.equal(base, head);
  const alone = ['base', 'head'].map((side) => seedIn(`shop/base/s/block-1/${side}-alone`, { side }));
  assert.equal(alone[0], alone[1], 'one side after the other');
  assert.notEqual(base, seedIn('shop/local/s/load/base/round-2', { lane: 'load', side: 'base' }));
  assert.notEqual(base, seedIn('shop/local/s/saturation/base/round-1', { lane: 'saturation', side: 'base' }));
});

test('a script that is made with us begins by itself, one that knows nothing of us by our entry', async () => {
  for (const [spec_dir, script] of [
    ['specs/bookstore', 'order.js'],
    ['specs/npm-proxy', 'initial.js'],
  ]) {
    const { argument } = entryOf({ script, spec_dir }, root);
    assert.equal(argument, join(root, spec_dir, script));
  }
  const suite = await folderOf({
    'specs/shop/plain.js': "import http from 'k6/http';\nexport default () => http.get(__ENV.BASE_URL);\n",
    'specs/shop/ours.js': "import { bench } from '../../.bench/benchfolio/k6/script.js';\n",
    'specs/shop/by-another.js': "export * from './ours.js';\n",
    'specs/shop/of-that-name.js': "import '../../k6/script.js';\n",
    'k6/script.js': '',
    'package.json': '{ not JSON',
  });
  const argumentOf = (/** @type {string} */ script) => entryOf({ script, spec_dir: 'specs/shop' }, suite).argument;
  assert.equal(argumentOf('plain.js'), '-');
  assert.equal(argumentOf('of-that-name.js'), '-');
  assert.equal(argumentOf('ours.js'), join(suite, 'specs/shop/ours.js'));
  assert.equal(argumentOf('by-another.js'), join(suite, 'specs/shop/by-another.js'));
});
