// The text of comments. test/fixtures/comments has one for each situation: what it should be. After a change that is
// meant, make them again with
//
//   RENEW=1 node --test test/github/comment-text.test.js
//
// and read what `git diff` shows: these are what people read.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { commentText, junitText } from '../../dist/forge/comment-text.js';
import { resultsIn } from '../../dist/forge/marker.js';
import { comparisonProblem } from '../../dist/records/records.js';
import { root } from '../support/cli.js';
import { comparisonOf, namesOf, situations } from '../support/comparisons.js';
import { engines, jqIn } from '../support/engines.js';
import { rawOf, readJson } from '../support/raw.js';

const marker = 'benchfolio . default';
const [head, earlier] = ['a'.repeat(40), 'b'.repeat(40)];
const context = {
  title: null,
  head,
  site: 'https://bench.example/shop/',
  artifact: null,
  marker,
  before: [],
  machine: readJson(join(rawOf('ok'), 'record.json')).fingerprint,
};
const golden = (/** @type {string} */ name) => join(root, 'test', 'fixtures', 'comments', `${name}.md`);

/** @type {Map<string, Promise<any>>} */
const made = new Map();
const comparisonIn = (/** @type {string} */ situation) => {
  if (!made.has(situation)) made.set(situation, comparisonOf(situations[situation], namesOf[situation]));
  return /** @type {Promise<any>} */ (made.get(situation));
};

/** @param {string} text @param {string} name */
function assertGolden(text, name) {
  mkdirSync(join(root, 'test', 'fixtures', 'comments'), { recursive: true });
  const kept = `${shortened(text)}\n`;
  if (process.env.RENEW) writeFileSync(golden(name), kept);
  assert.equal(kept, readFileSync(golden(name), 'utf8'));
}

/** Of a long text its beginning and its end: what lies between is more of the same. @param {string} text */
function shortened(text) {
  const lines = text.split('\n');
  const [first, last] = [60, 40];
  const left = lines.length - first - last;
  if (left < 100) return text;
  return [...lines.slice(0, first), `(${left} lines)`, ...lines.slice(-last)].join('\n');
}

for (const situation of Object.keys(situations)) {
  test(`the comment of: ${situation}`, async () => {
    const comparison = await comparisonIn(situation);
    assert.equal(comparisonProblem(comparison), null);
    const text = await commentText(comparison, context);
    assert.ok(Buffer.byteLength(text) < 65_536);
    assert.equal(resultsIn(text, marker)?.[0].verdict, comparison.verdict);
    assertGolden(text, situation);
  });
}

test('a comment is the same in every jq', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'benchfolio-comment-'));
  writeFileSync(join(folder, 'context.json'), JSON.stringify(context));
  for (const situation of ['worse', 'hostile', 'no-baseline']) {
    writeFileSync(join(folder, 'comparison.json'), JSON.stringify(await comparisonIn(situation)));
    for (const program of ['comment.md.jq', 'junit.xml.jq']) {
      const texts = await Promise.all(
        (await engines()).map((engine) =>
          jqIn(
            engine,
            [
              '-r',
              '-f',
              join(root, 'reports', program),
              join(folder, 'comparison.json'),
              join(folder, 'context.json'),
            ].slice(0, program === 'junit.xml.jq' ? -1 : undefined),
          ),
        ),
      );
      for (const text of texts) assert.equal(text, texts[0]);
    }
  }
  rmSync(folder, { recursive: true });
});

test('the first line is the finding', async () => {
  const first = async (/** @type {string} */ situation) =>
    (await commentText(await comparisonIn(situation), context)).split('\n')[0];
  assert.match(
    await first('pass'),
    /^### ✓ Not slower than main .* by more than 2 to 10 % in 2 cases: CPU per request by 0\.3 % at most, latency p50 by /,
  );
  assert.match(
    await first('worse'),
    /^### ✕ Latency p95 rose by 50\.1 %: 1\.58 → 2\.37 ms .*; 2 metrics and 1 threshold more; 3 of 4/,
  );
  assert.match(await first('better'), /^### ✓ CPU per request fell by 20\.0 %: 0\.267 → 0\.214 ms /);
  assert.match(await first('failed-head'), /^### ⚠ A service or a tool failed in 1 of 3 cases: /);
  assert.match(await first('unclear'), /^### \? CPU per request .* is undecided .*: a rise of 36\.7 % would be found/);
  assert.match(
    await first('loosened'),
    /^### \? The change makes its own benchmark looser: window: 5 s to 30 s .* and 10 changes more/,
  );
});

test('two hundred cases: what fails comes first, and what is left out is counted', async () => {
  const text = await commentText(await comparisonIn('many'), context);
  assert.match(text, /\| CPU per request \| 20 \| 0 \| 160 \| 20 \| \+2\.\d.% \|/);
  const titles = ['**Thresholds missed**', '**Decided**', '**Undecided'];
  const [missed, changed, unclear] = titles.map((title) => text.indexOf(title));
  assert.ok(missed > 0 && changed > missed && unclear > changed);
  assert.match(text, /more left out/);
  assert.ok(text.split('\n').length < 800);
});

test('a result before is a folded line, and what was wrong then is said to be gone or undecided', async () => {
  const before = await commentText(await comparisonIn('worse'), { ...context, head: earlier });
  const results = resultsIn(before, marker) ?? [];
  assert.deepEqual(
    results[0].problems.map(({ what }) => what),
    ['CPU per request worse', 'latency p50 worse', 'latency p95 worse', 'missed http_req_duration p(95)<100'],
  );
  const cases = [{ name: 'list' }, { name: 'order,rate=100' }, { name: 'search' }];
  const comparison = await comparisonOf(cases, { time: '2026-11-21T13:00:00.000Z' });
  const text = await commentText(comparison, { ...context, before: results });
  assertGolden(text, 'gone');
  assert.match(text, /\*\*Gone since bbbbbbbbbb\*\*\n\n- `shop single order,rate=100` CPU per/);
  assert.match(text, /\*\*Wrong at bbbbbbbbbb, and undecided this time\*\*\n\n- `shop single order,rate=200`/);
  assert.match(text, /\*\*Earlier on this pull request: 1\*\*\n\n- 2026.*Fail: /);
  const again = await commentText(comparison, { ...context, before: resultsIn(text, marker) ?? [] });
  assert.equal(again, text, 'telling it once more changes nothing');
});

test('earlier results are bounded', async () => {
  const [result] = resultsIn(await commentText(await comparisonIn('worse'), context), marker) ?? [];
  const before = Array.from({ length: 30 }, (_, i) => ({ ...result, time: `2026-11-20T12:00:${10 + i}.000Z` }));
  const after = resultsIn(await commentText(await comparisonIn('worse'), { ...context, before }), marker) ?? [];
  assert.equal(after.length, 21);
  assert.deepEqual(after.map(({ problems }) => problems.length > 0).indexOf(false), 2, 'problems of the last two only');
});

test('nothing of a hostile text is read as Markdown', async () => {
  const text = await commentText(await comparisonIn('hostile'), { ...context, title: '@admin', head: '@admin' });
  const lines = text.split('\n').slice(0, -1);
  const outsideCode = lines.map((line) => line.replace(/`[^`]*`/g, '')).join('\n');
  assert.doesNotMatch(outsideCode, /@admin|(?<!\\)<img|http:\/\/evil|#1|GH-2|(?<!\\)\[a|(?<!\\)!|-->|\u202e|\$x/);
  assert.ok(
    lines
      .filter((line) => line.startsWith('|'))
      .every((line) => {
        const cells = line.replace(/\\\\/g, '').replace(/\\\|/g, '').split('|').length - 2;
        return cells === 7 || cells === 6 || cells === 4;
      }),
    'no name splits a cell',
  );
  assert.ok(lines.every((line) => line.length < 5000));
});

test('JUnit: a case is a test, and what is not decided is an error', async () => {
  const xml = await junitText(await comparisonIn('worse'));
  assert.match(xml, /<testsuite errors="0" failures="3" name="shop single" skipped="0" tests="4"/);
  assert.match(
    xml,
    /<failure message="latency p95 rose by 50\.1 %: 1\.58 → 2\.37 ms \[[^"]+" type="fail">latency p95 \+50\.1 % \[/,
  );
  assert.match(await junitText(await comparisonIn('unclear')), /<error message="[^"]+" type="inconclusive"\/>/);
  assert.match(await junitText(await comparisonIn('pass')), /<skipped message="nobody wrote it yet"\/>/);
});
