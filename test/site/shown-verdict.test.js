// The word for a verdict: pages and texts read it alike, and a pass beyond capacity is none of a load that was coped with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countVerdicts, headlineOf, tagsOf, verdictOf } from '../../dist/site/model/verdict.js';
import { badge } from '../../dist/site/pages/badge.js';
import { shownVerdict } from '../../site/assets/js/shown-verdict.js';
import { engines, jqIn } from '../support/engines.js';

const verdicts = ['pass', 'fail', 'invalid', 'inconclusive', 'error', 'todo', 'n-a'];
const ids = ['saturated', 'unfinished', 'colocated', 'disturbed'];
const levels = ['info', 'warn', 'error'];

/** Every verdict with every finding at every level. */
const vector = verdicts.flatMap((verdict) => [
  { verdict, findings: [] },
  ...ids.flatMap((id) =>
    levels.map((level) => ({
      verdict,
      findings: [
        { id: 'other', level: 'info' },
        { id, level },
      ],
    })),
  ),
]);

test('pages and texts have one word for a verdict', async () => {
  const said = vector.map(shownVerdict);
  assert.equal(
    said.filter((word) => word === 'saturated').length,
    2,
    'a pass with saturated or unfinished, as expected',
  );
  const duets = vector.map((one) => ({ ...one, comparison: { kind: 'duet' } }));
  const program =
    'import "lib/write/shown_verdict" as shown_verdict; [$given, $duets] | map(map(shown_verdict::shown_verdict))';
  for (const engine of await engines()) {
    const given = ['--argjson', 'given', JSON.stringify(vector), '--argjson', 'duets', JSON.stringify(duets)];
    const [words, ofDuets] = JSON.parse(await jqIn(engine, [...given, program]));
    assert.deepEqual(words, said, engine.name);
    // in a duet it is a lane that is saturated, not the case
    assert.deepEqual(
      ofDuets,
      vector.map(({ verdict }) => verdict),
      engine.name,
    );
  }
});

const record = (/** @type {string} */ verdict, /** @type {string} */ level, metrics = {}) =>
  /** @type {any} */ ({
    verdict,
    reason: null,
    findings: [{ id: 'saturated', level, text: 'S.' }],
    thresholds: [],
    metrics,
  });

test('a saturated pass has its own word, and no tag that repeats it; a saturated fail keeps the tag', () => {
  const of = (/** @type {any} */ one) => [
    verdictOf({ .../** @type {any} */ ({}), record: one }, undefined).verdict,
    tagsOf(/** @type {any} */ ({ record: one })).map(({ word }) => word),
  ];
  assert.deepEqual(of(record('pass', 'info')), ['saturated', []]);
  assert.deepEqual(of(record('fail', 'info')), ['fail', ['saturated']]);
  assert.deepEqual(of(record('invalid', 'error')), ['invalid', ['saturated']]);
});

test('a baseline that fails a saturated case fails it', () => {
  const entry = /** @type {any} */ ({ record: record('pass', 'info') });
  assert.deepEqual(verdictOf(entry, /** @type {any} */ ({ verdict: 'fail', reason: 'worse' })), {
    verdict: 'fail',
    reason: 'worse',
  });
  assert.equal(verdictOf(entry, /** @type {any} */ ({ verdict: 'pass', reason: null })).verdict, 'saturated');
});

test('what was not sent stands beside the errors, where a case is saturated', () => {
  const headline = ['throughput_rps', 'errors_ratio', 'memory_bytes_max'];
  const dropped = { dropped_iterations_ratio: { value: 0.67 }, iterations_unfinished_ratio: { value: 0 } };
  assert.deepEqual(headlineOf([{ ...record('pass', 'info', dropped), findings: [] }], headline), headline);
  assert.deepEqual(headlineOf([record('fail', 'warn')], headline), headline);
  assert.deepEqual(headlineOf([record('pass', 'info'), record('invalid', 'error', dropped)], headline), [
    'throughput_rps',
    'errors_ratio',
    'dropped_iterations_ratio',
    'memory_bytes_max',
  ]);
});

test('saturated cases are counted by themselves, after what is wrong', () => {
  const counts = countVerdicts(
    ['pass', 'saturated', 'pass', 'fail', 'saturated', 'saturated'].map((verdict) => ({ verdict, reason: null })),
  );
  assert.deepEqual(
    counts.map(({ verdict, count }) => `${count} ${verdict}`),
    ['1 fail', '3 saturated', '2 pass'],
  );
  assert.match(badge('a', counts), /a: fail 1 of 6</);
  assert.match(badge('a', counts.slice(1)), /a: 2 pass, 3 saturated</);
  assert.match(badge('a', counts.slice(1, 2)), /a: saturated 3 of 3</);
});
