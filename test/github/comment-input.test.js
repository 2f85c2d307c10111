// What `benchfolio comment` is given: files that anybody may have written, options, formats.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { mainIn } from '../support/cli.js';
import { pass, pullRequest, worse } from '../support/pull-request.js';

describe('what a comment is made from', { concurrency: 4 }, () => {
  test('a hostile comparison is refused with a reason, and nothing is sent', async () => {
    const { github, where, cwd } = await pullRequest();
    const file = join(cwd, 'comparison.json');
    const refusal = async (/** @type {string} */ text) => {
      writeFileSync(file, text);
      const { code, stderr } = await mainIn(['comment', file], where);
      assert.equal(code, 2, stderr);
      return stderr;
    };
    const changed = (/** @type {any} */ change) => JSON.stringify({ ...worse, ...change });
    assert.match(
      await refusal(changed({ pull: 1 })),
      /is not a comparison: it must NOT have additional properties \(pull\)/,
    );
    assert.match(await refusal(changed({ 'x\n::error::y': 1 })), /properties \(x ::error::y\)\n/);
    assert.match(
      await refusal(changed({ schema: 1 })),
      /is of an older Benchfolio: it has schema version 1.*\nMeasure again/s,
    );
    const withRatio = (/** @type {string} */ ratio) =>
      JSON.stringify(worse).replace(/"ratio":[\d.]+/, `"ratio":${ratio}`);
    assert.match(await refusal(withRatio('NaN')), /is truncated or damaged/);
    assert.match(await refusal(withRatio('1e999')), /is not a comparison: .*ratio must be/);
    assert.match(await refusal(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), /it is nested more than 32 deep/);
    const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;
    assert.match(
      await refusal(JSON.stringify(worse).replace('"values":{}', `"values":${deep}`)),
      /nested more than 32 deep/,
    );
    truncateSync(file, 100 * 2 ** 20);
    const large = await mainIn(['comment', file], where);
    assert.match(large.stderr, /is not a comparison: 105 MB, at most 33\.6 MB are read/);
    assert.match((await mainIn(['comment', cwd], where)).stderr, /is not a file/);
    assert.deepEqual(github.seen, []);
  });

  test('a system or a record outside of the suite is not checked', async () => {
    const { github, comment } = await pullRequest();
    const cases = worse.cases.map((/** @type {any} */ one) => ({
      ...one,
      system: '../../etc',
      record: '../../../etc/passwd',
    }));
    const { code, stderr } = await comment({ ...worse, cases }, ['--check', 'bench']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(github.checkRuns[0].annotations, []);
    assert.doesNotMatch(github.comments[0].body, /Measured on/);
  });

  test('--dry-run and --format only print, and need no token', async () => {
    const { github, where, cwd, comment } = await pullRequest({ token: '' });
    assert.match((await comment(worse, ['--dry-run'])).stdout, /^### ✕ /);
    const json = JSON.parse((await comment(worse, ['--format', 'json'])).stdout);
    assert.deepEqual([json.verdict, json.exit, json.conclusion, json.annotations.length], ['fail', 1, 'failure', 1]);
    assert.match((await comment(worse, ['--format', 'junit'])).stdout, /^<\?xml/);
    assert.deepEqual(github.seen, []);
    const run = join(cwd, '.bench', 'runs', '20261121T120000Z-1');
    mkdirSync(run, { recursive: true });
    const none = await mainIn(['comment', '--dry-run'], where);
    assert.match(none.stderr, /the last run 20261121T120000Z-1 has no comparison\.json/);
    writeFileSync(join(run, 'comparison.json'), JSON.stringify(pass));
    assert.match((await mainIn(['comment', '--dry-run'], where)).stdout, /^### ✓/);
  });

  test('a comparison that contradicts itself, or is of another time, is refused; a unit is data', async () => {
    const { cwd, where, fileOf } = await pullRequest();
    const said = async (/** @type {any} */ comparison) => {
      const { code, stdout, stderr } = await mainIn(['comment', '--dry-run', fileOf(comparison)], where);
      return code === 0 ? stdout : `${code} ${stderr}`;
    };
    assert.match(
      await said({ ...worse, verdict: 'pass', exit: 0 }),
      /^2 .*its verdict is pass, and that of its cases fail\n/,
    );
    assert.match(await said({ ...worse, exit: 0 }), /^2 .*its exit code is not that of its verdict\n/);
    const passing = worse.cases.map((/** @type {any} */ one) => ({ ...one, verdict: 'pass' }));
    assert.match(
      await said({ ...worse, cases: passing, verdict: 'pass', exit: 0 }),
      /^2 .*a case passes, though a (threshold was missed|gated metric is worse)\n/,
    );
    assert.match(await said({ ...pass, time: '9999-01-01T00:00:00.000Z' }), /^2 .*its time is in the future\n/);
    assert.match(await said({ ...pass, time: 'yesterday' }), /^2 .*it has no valid time\n/);
    const unit = 'ms\n::error::x\n\n# Approved @maintainer ![t](https://evil.example/t.png)\n<details>';
    const cases = worse.cases.map((/** @type {any} */ one) => ({
      ...one,
      metrics: one.metrics.map((/** @type {any} */ row) => ({ ...row, unit })),
    }));
    const text = await said({ ...worse, cases });
    assert.doesNotMatch(text, /^(::|# )|@maintainer|!\[t\]|https:\/\/evil|<details>(?!<summary>)/m);
    assert.ok(text.length > 1000, text);
    symlinkSync('/etc/hostname', join(cwd, 'link.json'));
    assert.match((await mainIn(['comment', '--dry-run', 'link.json'], where)).stderr, /link\.json is not a file/);
  });

  test('wrong usage is 2, and says what to do', async () => {
    const { where, cwd, fileOf } = await pullRequest();
    /** @param {string[]} args @param {Record<string, string>} [other] */
    const said = async (args, other = {}) => {
      const { code, stderr } = await mainIn(['comment', ...args], { cwd, env: { ...where.env, ...other } });
      assert.equal(code, 2, stderr);
      return stderr;
    };
    assert.match(await said([]), /nothing has been run here yet\nMeasure first/);
    assert.match(await said(['gone.json']), /there is no comparison \S+gone\.json/);
    assert.match(await said(['--begin']), /--begin is for a check: --check <name>/);
    assert.match(await said(['--missing', 'x']), /--missing is for a check: --check <name>/);
    assert.match(await said(['--site', 'javascript:alert(1)']), /must begin with https/);
    assert.match(await said(['--head', 'main']), /must be the 40 digits of a commit/);
    assert.match(await said(['--key', 'a b']), /must be letters, digits/);
    const file = fileOf(pass);
    assert.match(
      await said([file], { GITHUB_TOKEN: '', GH_TOKEN: '' }),
      /there is no token for GitHub\nSet GITHUB_TOKEN/,
    );
    assert.match(await said([file], { GITHUB_REPOSITORY: '' }), /cannot tell which repository this is/);
    assert.match(await said([file], { GITHUB_EVENT_PATH: join(cwd, 'none.json') }), /cannot read the event in/);
  });
});
