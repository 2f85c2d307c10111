import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compareSides } from '../../dist/records/compare-records.js';
import { recordProblem } from '../../dist/records/records.js';
import { benchfolio, folderOf } from '../support/cli.js';
import { fixture, imported, linesOf, metricValue, time } from '../support/imported.js';
import { rawOf, readJson } from '../support/raw.js';
import { newSuite } from '../support/runs.js';

test('a JTL with quotes, commas and line breaks in its fields, another delimiter, and line ends of Windows', async () => {
  const head = 'timeStamp,elapsed,label,responseCode,success,failureMessage';
  const rows = [
    '1795294461000,10,"a, ""b""",200,true,',
    '1795294461100,20,plain,500,false,"two',
    'lines, and ""quotes"""',
    '1795294461200,30,plain,200,true,""',
  ];
  const folder = await folderOf({ 'a.jtl': [head, ...rows].join('\r\n') });
  const record = await imported('jmeter-jtl', [join(folder, 'a.jtl')], { errorCap: 1 });
  assert.deepEqual(Object.keys(record.requests).sort(), ['a, "b"', 'plain']);
  assert.equal(record.distribution.count, 3);
  const semicolons = [head, '1795294461000,10,a,200,true,', '1795294461100,30,a,200,true,']
    .join('\n')
    .replaceAll(',', ';');
  const other = await imported('jmeter-jtl', [join(await folderOf({ 'b.jtl': semicolons }), 'b.jtl')]);
  assert.equal(metricValue(other, 'latency_ms_mean'), 20);
});

test('what is wrong with a file is said, with the line', async () => {
  const jtl = linesOf('jmeter-jtl', 'results.jtl');
  const folder = await folderOf({
    'empty.jtl': '',
    'head.jtl': jtl[0],
    'cut.jtl': jtl.slice(0, 9).join('\n').slice(0, -40),
    'damaged.jtl': [...jtl.slice(0, 5), jtl[5].replace(/,\d+,/, ',fast,'), ...jtl.slice(6)].join('\n'),
    'nameless.jtl': jtl.slice(1).join('\n'),
    'x.xml': '<?xml version="1.0"?><testResults/>',
    'head.txt': 'what is this\n',
    'cut.json': readFileSync(fixture('artillery', 'report.json'), 'utf8').slice(0, 900),
    'one.json': '{"aggregate": {"latency": {}, "scenariosCreated": 3}}',
    'cut.txt': linesOf('wrk', 'latency.txt').slice(0, 8).join('\n'),
    'two.txt': [...linesOf('wrk', 'latency.txt'), ...linesOf('wrk', 'plain.txt')].join('\n'),
    'phout.log': `${linesOf('phout', 'phout.log')[0]}\n1795294461.1\ta\t12`,
  });
  const says = async (
    /** @type {string} */ format,
    /** @type {string[]} */ files,
    /** @type {RegExp} */ message,
    options = {},
  ) => {
    const paths = files.map((name) => (name.startsWith('/') ? name : join(folder, name)));
    await assert.rejects(imported(format, paths, options), { name: 'UserError', message });
  };
  await says('jmeter-jtl', ['none.jtl'], /there is no file .*none\.jtl$/);
  await says('jmeter-jtl', ['empty.jtl'], /is empty$/);
  await says('jmeter-jtl', ['head.jtl'], /has no samples/);
  await says('jmeter-jtl', ['cut.jtl'], /cut\.jtl: line 9 has \d+ of 17 columns$/);
  await says('jmeter-jtl', ['damaged.jtl'], /damaged\.jtl: line 6 has no elapsed time: "fast"$/);
  await says('jmeter-jtl', ['nameless.jtl'], /looks like a JTL without the names of its columns/);
  await says('jmeter-jtl', ['x.xml'], /looks like JMeter's XML/);
  await says('jmeter-jtl', [fixture('phout', 'phout.log')], /is not JMeter's results \(CSV\): it looks like phout$/);
  await says('artillery', ['cut.json'], /cut\.json is truncated or damaged: /);
  await says('artillery', ['one.json'], /is not what Artillery 1 writes: "aggregate" has no "timestamp"$/);
  await says('wrk', ['cut.txt'], /is truncated: there is no line/, { time });
  await says('wrk', ['two.txt'], /has the text of several runs/, { time });
  await says('wrk', [fixture('wrk', 'latency.txt')], /does not say when it was measured$/);
  await says('wrk', [fixture('wrk', 'latency.txt'), fixture('wrk', 'wrk2.txt')], /is of wrk and .* of wrk2$/, { time });
  await says('wrk', [fixture('wrk', 'latency.txt'), fixture('wrk', 'latency.txt')], /is given twice$/, { time });
  await says('phout', ['phout.log'], /phout\.log: line 2 has 3 of 12 columns$/);
  await says('k6-summary', [fixture('artillery', 'report.json')], /it looks like artillery$/);
  await assert.rejects(imported('phout', [join(folder, 'head.txt')]), {
    hint: /^Such a file is known by this: its lines have twelve columns/,
  });
  await says('wrkk', ['x'], /^there is no format "wrkk"$/);
  await assert.rejects(imported('toString', ['x']), { hint: /^Known: jmeter-jtl, .*, har\.$/ });
  await assert.rejects(imported('wrk2', ['x']), { hint: 'Did you mean wrk?' });
  await says('wrk', [fixture('wrk', 'plain.txt')], /^--time yesterday is not a time$/, { time: 'yesterday' });
});

test('the command: says where it wrote, keeps, adds other cases to a version, and rewrites nothing', async () => {
  const suite = newSuite();
  const args = [
    'import',
    'wrk',
    fixture('wrk', 'latency.txt'),
    '--system',
    'shop',
    '--scenario',
    'hello',
    '--time',
    time,
  ];
  const written = await benchfolio(args, { cwd: suite });
  assert.equal(written.code, 0, written.stderr);
  const [, path] = written.stdout.match(/^Wrote 1 file of wrk: (\S+)\n/) ?? [];
  assert.equal(recordProblem(readJson(join(suite, path))), null);
  const first = await benchfolio([...args, '--version', 'v1', '--case-value', 'users=4', '--machine', 'one of ours'], {
    cwd: suite,
  });
  assert.equal(first.code, 0, first.stderr);
  const record = readJson(join(suite, 'reports', 'versions', 'v1', 'shop', 'imported', 'hello,users=4.json'));
  assert.deepEqual(record.values, { users: 4 });
  assert.equal(record.fingerprint.cpu_model, 'one of ours');
  assert.equal(
    record.command,
    'benchfolio import wrk latency.txt --system shop --scenario hello --environment imported ' +
      `--machine 'one of ours' --time ${time} --case-value users=4`,
  );
  assert.equal((await benchfolio([...args, '--version', 'v1'], { cwd: suite })).code, 0);
  const again = await benchfolio([...args, '--version', 'v1'], { cwd: suite });
  assert.equal(again.code, 2);
  assert.match(again.stderr, /version v1 has this case already/);
  const wrong = await benchfolio(['import', 'wrk2', 'x', '--system', 'shop', '--scenario', 'a'], { cwd: suite });
  assert.match(wrong.stderr, /there is no format "wrk2"\nDid you mean wrk\?/);
});

test('imports are compared with each other, never with our own or those of another format', async () => {
  const [one, two] = [
    await imported('wrk', [fixture('wrk', 'latency.txt')], { time }),
    await imported('wrk', [fixture('wrk', 'latency.txt')], { time }),
  ];
  assert.equal(one.definition, two.definition);
  const other = await imported('jmeter-jtl', [fixture('jmeter-jtl', 'results.jtl')]);
  const ours = readJson(join(rawOf('ok'), 'record.json'));
  const reason = async (/** @type {any} */ base, /** @type {any} */ head) => {
    const folder = await folderOf({ 'base.json': JSON.stringify(base), 'head.json': JSON.stringify(head) });
    const side = (/** @type {string} */ name, /** @type {any} */ { system, environment, case: text }) => ({
      name,
      single: true,
      records: [{ system, environment, case: text, file: join(folder, `${name}.json`) }],
    });
    const { cases } = await compareSides(side('base', base), side('head', head), {
      cwd: folder,
      suite: null,
      command: 'x',
    });
    return String(cases[0].comparison?.reason ?? cases[0].reason);
  };
  assert.match(
    await reason(ours, one),
    /another tool: one was measured by benchfolio, the other was imported from wrk/,
  );
  assert.match(await reason(other, one), /one was imported from jmeter-jtl, the other was imported from wrk/);
  assert.doesNotMatch(await reason(one, two), /imported/);
});
