import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { report } from '../../dist/cli/commands/report.js';
import { comparisonProblem, printReport, recordProblem } from '../../dist/records/records.js';
import { schemaVersion } from '../../reports/schema/version.js';
import { benchfolio } from '../support/cli.js';
import { readJson } from '../support/raw.js';
import { addRun, newSuite, worldIn } from '../support/runs.js';

const everything = [
  { raw: 'ok' },
  { raw: 'dead' },
  { raw: 'dropped' },
  { raw: 'exceptions' },
  { raw: 'warmup' },
  { name: 'never', status: 'error', reason: 'service "app" was not ready within 1s' },
  { name: 'later', status: 'todo', reason: 'nobody wrote it yet' },
  { name: 'cut', status: 'interrupted', reason: 'interrupted before it began' },
];

/** Of each kind one that takes no time. */
const some = everything.filter(({ raw }) => raw === undefined || raw === 'ok');

/** @param {Parameters<typeof addRun>[2]} cases @param {Partial<Parameters<typeof report>[0]>} [options] */
async function reported(cases, options = {}) {
  const suite = newSuite();
  const run = addRun(suite, 'one', cases);
  const world = worldIn(suite);
  return { exit: await report(options, world), text: world.text(), run, suite };
}

test('a run of everything: records, a comparison by the schema, and its text', async () => {
  const { exit, text, run } = await reported(everything);
  assert.equal(exit, 4);
  const comparison = readJson(join(run, 'comparison.json'));
  assert.equal(comparisonProblem(comparison), null);
  assert.equal(comparison.exit, 4);
  assert.deepEqual(Object.fromEntries(comparison.cases.map((/** @type {any} */ one) => [one.case, one.verdict])), {
    ok: 'pass',
    dead: 'fail',
    dropped: 'invalid',
    exceptions: 'invalid',
    warmup: 'pass',
    never: 'error',
    later: 'todo',
    cut: 'inconclusive',
  });
  for (const one of comparison.cases.filter((/** @type {any} */ { record }) => record)) {
    const record = readJson(join(run, '..', '..', '..', one.record));
    assert.equal(recordProblem(record), null);
    assert.equal(record.case, one.case);
  }
  assert.equal(existsSync(join(run, 'tiny', 'single', 'never', 'record.json')), false);

  const lines = text.split('\n');
  assert.match(lines[0], /^Error: a service or a tool failed in 1 of 7 cases: tiny single never: service "app" was/);
  assert.ok(
    lines.every((line) => line.length <= 100),
    lines.find((line) => line.length > 100),
  );
  const places = ['never', 'dead', 'dropped', 'cut', 'ok'].map((name) => text.indexOf(`\n  ${name} `));
  assert.ok(
    places.slice(-4).every((place, i) => place > 0 && (i === 0 || place > places[i])),
    'worst first',
  );
  assert.match(text, /^ {2}missed {2}dead +failed requests, at most 1 % +100 %$/m);
  assert.match(text, /No baseline: nothing was compared, thresholds alone decide\./);
  assert.match(text, /Not run: 1 todo\./);
  assert.match(text, /Records: {3}\.bench\/runs\/one\nReproduce: benchfolio run tiny\n$/);
});

test('the exit code is that of the worst: 1 before 3 before 0', async () => {
  assert.equal((await reported([{ raw: 'ok' }])).exit, 0);
  assert.equal((await reported([{ raw: 'ok' }, { raw: 'dropped' }])).exit, 3);
  assert.equal((await reported([{ raw: 'dropped' }, { raw: 'dead' }])).exit, 1);
  assert.equal((await reported([{ raw: 'ok' }, { name: 'later', status: 'todo' }])).exit, 0);
  assert.equal((await reported([{ name: 'later', status: 'todo' }])).exit, 3, 'nothing measured is no pass');
});

test('no baseline is said, and a pass names what it covers', async () => {
  const { text } = await reported([{ raw: 'ok' }, { raw: 'warmup' }]);
  assert.match(
    text,
    /^Pass: 2 cases, 4 of 5 thresholds met; missed, as a warning: http_req_duration p\(50\)<0\.001\. No\s+baseline\.\n/,
  );
  assert.match(text, /missed {2}ok +http_req_duration p\(50\)<0\.001 \(warning\) +1\.36 ms/);
});

test('Markdown and JSON', async () => {
  const markdown = await reported(some, { format: 'markdown' });
  assert.match(markdown.text, /^\*\*Error:\*\* a service or a tool failed/);
  assert.match(markdown.text, /\| `tiny single ok` \| 200 \| /);
  assert.match(markdown.text, /<details><summary>\d+ findings<\/summary>/);
  const json = await reported(some, { format: 'json' });
  assert.equal(comparisonProblem(JSON.parse(json.text)), null);
});

test('a text of many cases: the bad ones are there, passes are counted', async () => {
  const { exit, run, suite } = await reported([{ raw: 'ok' }, { raw: 'dead' }]);
  assert.equal(exit, 1);
  const comparison = readJson(join(run, 'comparison.json'));
  const ok = comparison.cases.find((/** @type {any} */ one) => one.case === 'ok');
  for (let i = 1; i < 30; i += 1) comparison.cases.push({ ...ok, case: `ok-${i}` });
  const world = worldIn(suite);
  await printReport({ comparison, format: 'text' }, world);
  assert.match(world.text(), /\n {2}dead /);
  assert.match(world.text(), /and 11 cases more that pass\n/);
});

test('colour only on a terminal, and not with NO_COLOR', async () => {
  const suite = newSuite();
  addRun(suite, 'one', [{ raw: 'ok' }]);
  for (const [given, coloured] of /** @type {const} */ ([
    [{ isTTY: true, env: { TERM: 'xterm' } }, true],
    [{ isTTY: false, env: { TERM: 'xterm' } }, false],
    [{ isTTY: true, env: { TERM: 'xterm', NO_COLOR: '1' } }, false],
  ])) {
    const world = worldIn(suite, given);
    await report({}, world);
    assert.equal(world.text().startsWith('\x1b[1m\x1b[32mPass:\x1b[39m\x1b[22m 1 case'), coloured);
  }
});

test('hostile names stay text: no escape sequence, no mark-up', async () => {
  const { run, suite } = await reported([{ raw: 'ok' }]);
  const comparison = readJson(join(run, 'comparison.json'));
  comparison.cases[0].case = 'a|b`c\x1b[31m @admin <img src=x> [x](http://evil)';
  const text = '@admin #1 <script>alert(1)</script> ![](http://evil)';
  comparison.cases[0].findings = [{ id: 'x', level: 'warn', text, metrics: [] }];
  const terminal = worldIn(suite);
  await printReport({ comparison, format: 'text' }, terminal);
  assert.ok(!terminal.text().includes('\x1b'));
  const markdown = worldIn(suite);
  await printReport({ comparison, format: 'markdown' }, markdown);
  const outsideCode = markdown.text().replace(/`[^`\n]*`/g, '');
  assert.doesNotMatch(outsideCode, /@admin|[^\\]<script|[^\\]<img|http:\/\/evil|#1/);
  assert.equal(
    markdown
      .text()
      .split('\n')
      .find((line) => line.includes('| 200 |'))
      ?.match(/(?<!\\)\|/g)?.length,
    7,
  );
});

test('a run is named by its id, its folder, or not at all', async () => {
  const suite = newSuite();
  addRun(suite, 'first', [{ raw: 'ok' }]);
  addRun(suite, 'second', [{ raw: 'dead' }]);
  assert.equal(await report({ run: 'first' }, worldIn(suite)), 0);
  assert.equal(await report({ run: join('.bench', 'runs', 'first') }, worldIn(suite)), 0);
  assert.equal(await report({}, worldIn(suite)), 1);
  assert.equal(await report({ run: 'latest' }, worldIn(suite)), 1);
  await assert.rejects(report({ run: 'third' }, worldIn(suite)), { message: 'there is no run "third"', code: 2 });
});

test('of something that was measured after the run it is said so, beside the report', async () => {
  const suite = newSuite();
  const [id, duet] = ['20261121T120000Z-9', '20261121T130000Z-10'];
  addRun(suite, id, [{ raw: 'ok' }]);
  mkdirSync(join(suite, '.bench', 'runs', duet));
  const later = `The last run is ${id}. What was measured later, ${duet},`;
  const unnamed = await benchfolio(['report'], { cwd: suite });
  assert.deepEqual(
    [unnamed.code, unnamed.stderr],
    [0, `${later} left no run: it found nothing, ended early, or still goes on\n`],
  );
  assert.match(unnamed.stdout, /^Pass: 1 case/);
  writeFileSync(join(suite, '.bench', 'runs', duet, 'comparison.json'), '{}');
  assert.equal(
    (await benchfolio(['report'], { cwd: suite })).stderr,
    `${later} is a duet: benchfolio report ${duet}\n`,
  );
  assert.equal((await benchfolio(['report', id], { cwd: suite })).stderr, '');
  assert.equal(
    (await benchfolio(['compare', id, 'latest'], { cwd: suite })).stderr,
    `${later} is a duet: benchfolio report ${duet}\n`,
  );
});

test('nothing was run, the run is gone, or run.json is damaged: said, and what to do', async () => {
  const empty = newSuite();
  await assert.rejects(report({}, worldIn(empty)), { code: 2, hint: 'Measure first: benchfolio run --quick' });
  const suite = newSuite();
  const run = addRun(suite, 'one', [{ raw: 'ok' }]);
  writeFileSync(join(run, 'run.json'), '{"schema": 1, "cases": []}');
  await assert.rejects(report({}, worldIn(suite)), /run\.json is of an older Benchfolio/);
  writeFileSync(join(run, 'run.json'), `{"schema": ${schemaVersion}, "cases": [{"system": "tiny"}]}`);
  await assert.rejects(report({}, worldIn(suite)), /run\.json is not what a run writes/);
  writeFileSync(join(run, 'run.json'), '{"cases": [');
  await assert.rejects(report({}, worldIn(suite)), /run\.json is truncated or damaged/);
  writeFileSync(join(suite, '.bench', 'latest'), 'gone\n');
  await assert.rejects(report({}, worldIn(suite)), /the last run is gone/);
});

test('raw files that are damaged break their case only, and nothing half-written stays', async () => {
  const { exit, run } = await reported([
    { raw: 'ok' },
    {
      raw: 'warmup',
      change: (folder) => writeFileSync(join(folder, 'round-1', 'summary.json'), '{"metrics": {'),
    },
  ]);
  assert.equal(exit, 4);
  const { cases } = readJson(join(run, 'comparison.json'));
  assert.deepEqual(
    cases.map((/** @type {any} */ one) => one.verdict),
    ['pass', 'error'],
  );
  assert.match(cases[1].reason, /record\.json\.jq failed/);
  assert.equal(existsSync(join(run, 'tiny', 'single', 'warmup', 'record.json')), false);
  assert.deepEqual(
    readdirSync(run, { recursive: true }).filter((file) => String(file).endsWith('.tmp')),
    [],
  );
});

test('from the command line: usage errors are 2', async () => {
  const suite = newSuite();
  addRun(suite, 'one', [{ raw: 'ok' }]);
  const good = await benchfolio(['report'], { cwd: suite });
  assert.equal(good.code, 0, good.stderr);
  assert.match(good.stdout, /^Pass: 1 case/);
  assert.equal((await benchfolio(['report', '--format', 'pdf'], { cwd: suite })).code, 2);
  const unknown = await benchfolio(['report', 'nothing'], { cwd: suite });
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /^benchfolio: there is no run "nothing"\nRuns are in /);
});

test('a terminal: as wide as it is, bars, and colours that add no letter; elsewhere plain lines', async () => {
  const suite = newSuite();
  addRun(suite, 'one', some.concat([{ raw: 'mixed' }]));
  for (const columns of [80, 120]) {
    const world = worldIn(suite, { isTTY: true, columns, env: { TERM: 'xterm' } });
    await report({}, world);
    const text = stripVTControlCharacters(world.text());
    assert.notEqual(text, world.text());
    const widest = Math.max(...text.split('\n').map(({ length }) => length));
    assert.ok(widest <= columns && (columns > 100 || widest > 70), `${widest} of ${columns}`);
    assert.match(text, /^Latency\n {2}\w+, [\d,]+ responses:\n +≤ [\d.]+ ms +[<\d. ]+% {2}█/m);
  }
  const plain = worldIn(suite);
  await report({}, plain);
  assert.equal(stripVTControlCharacters(plain.text()), plain.text());
  assert.ok(!plain.text().includes('█'));
  for (const section of ['Thresholds', 'Requests', 'Services'])
    assert.match(plain.text(), new RegExp(`^${section}$`, 'm'));
});
