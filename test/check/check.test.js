import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { check } from '../../dist/cli/commands/check.js';
import { loadCases } from '../../dist/suite/check/check.js';
import { loadSuite } from '../../dist/suite/suite.js';
import { archivesOf, unpack } from '../support/archive.js';
import { benchfolio, folderOf, root } from '../support/cli.js';
import { worldIn } from '../support/runs.js';

/** @import { CheckArguments } from '../../dist/cli/commands/check.js' */

const fixtures = join(root, 'test', 'fixtures');
const esc = '\u001b';
const red = `${esc}\\[31m`;

/**
 * What `benchfolio check` prints, and ends with.
 * @param {string} cwd
 * @param {Omit<CheckArguments, 'systems'> & { systems?: string[] }} [options]
 * @param {Parameters<typeof worldIn>[1]} [given]
 */
async function checked(cwd, { systems = [], ...options } = {}, given = {}) {
  const world = worldIn(cwd, given);
  return { code: await check(systems, options, world), text: world.text() };
}

const hello = `title = "X"
environments.local.url = "http://127.0.0.1:8080"

[scenarios.hello]
executor = "constant-arrival-rate"
rate = 100
duration = "30s"
preAllocatedVUs = 20
requests = [{ get = "/" }]
`;

describe('check shows all that is wrong, where, and what to do', () => {
  const names = archivesOf('broken');
  it('has fixtures to show it', () => assert.ok(names.length > 30));
  for (const name of names) {
    it(name.replaceAll('-', ' '), async () => {
      const folder = unpack('broken', name);
      const { code, text } = await checked(folder);
      assert.equal(text, readFileSync(join(folder, 'expected.txt'), 'utf8'));
      assert.equal(code, 2);
    });
  }
});

describe('check', () => {
  it('passes a spec that uses every key, and says what might waste time', async () => {
    const { code, text } = await checked(join(fixtures, 'every-key'));
    assert.equal(code, 0);
    assert.match(text, /^1 warning and 2 notes in 1 spec, 40 cases$/m);
  });
  it('refuses to attach what is not a text', async () => {
    const spec = `${hello}[[attachments]]\ntitle = "A picture"\nfile = "picture.bin"\n`;
    const files = { 'bench.toml': '', 'specs/x/spec.toml': spec, 'specs/x/picture.bin': 'a\0b' };
    const { code, text } = await checked(await folderOf(files));
    assert.equal(code, 2);
    assert.match(text, /^error: the attachment picture\.bin is not a text\n {2}--> specs\/x\/spec\.toml:12:8$/m);
  });
  it('names each service that there is once', async () => {
    const service = (/** @type {string} */ name) =>
      `[[environments.local.services]]\nname = "${name}"\ncommand = ["node", "-v"]\nready = "log:ready"\n`;
    const spec = `${hello}thresholds = { "memory_bytes{service:pg}" = "max<5" }\n${service('db')}${service('app')}`;
    const { text } = await checked(await folderOf({ 'bench.toml': '', 'specs/x/spec.toml': spec }));
    assert.match(text, /^error: there is no service "pg"$/m);
    assert.match(text, /^ *= Known: db, app\.$/m);
  });
  it('of one profile looks at that only', async () => {
    const { code, text } = await checked(unpack('broken', 'profile'), { profile: 'full' });
    assert.equal(code, 2);
    assert.match(text, /does not take "vus"/);
    assert.doesNotMatch(text, /wants at least 1s/);
    assert.match((await checked(unpack('broken', 'profile'), { quick: true })).text, /wants at least 1s/);
  });
  it('refuses to set what is no parameter, with the nearest that is', async () => {
    const { code, text } = await checked(join(fixtures, 'every-key'), { set: { pagesize: '5' } });
    assert.equal(code, 2);
    assert.match(text, /error: there is no parameter "pagesize"\n --> --set pagesize=5\n = Did you mean "pageSize"\?/);
    const none = await checked(unpack('broken', 'vega-lite'), { set: { rate: '5' } });
    assert.match(none.text, / --> --set rate=5\n = To use it, write "\$\{rate\}" where the value belongs/);
  });
  it('of a system that there is not says which there are', async () => {
    await assert.rejects(checked(join(fixtures, 'every-key'), { systems: ['shp'] }), {
      name: 'UserError',
      code: 2,
      hint: /shop/,
    });
  });
  it('of a folder without specs says so', async () => {
    await assert.rejects(checked(await folderOf({ 'bench.toml': '' })), {
      name: 'UserError',
      code: 2,
      message: /no spec in/,
    });
  });
  it('colours for a terminal only, and not with NO_COLOR', async () => {
    const plain = await checked(unpack('broken', 'key'));
    const coloured = await checked(unpack('broken', 'key'), {}, { isTTY: true, env: { TERM: 'xterm' } });
    assert.equal(stripVTControlCharacters(plain.text), plain.text);
    assert.match(coloured.text, new RegExp(`${red}\\^+${esc}`));
    assert.equal(stripVTControlCharacters(coloured.text), plain.text);
  });
  it('looks at every spec, and keeps to the order of files and lines', async () => {
    const folder = await folderOf({
      'bench.toml': 'nope = 1\n',
      'specs/b/spec.toml': hello.replace('rate = 100', 'rat = 100'),
      'specs/a/spec.toml': hello.replace('duration = "30s"', 'duration = "30"\nfoo = 1'),
    });
    const { text } = await checked(folder);
    assert.deepEqual(
      [...text.matchAll(/--> (\S+)/g)].map(([, place]) => place),
      [
        'bench.toml:1:1',
        'specs/a/spec.toml:7:12',
        'specs/a/spec.toml:8:1',
        'specs/b/spec.toml:5:12',
        'specs/b/spec.toml:6:1',
      ],
    );
    assert.match(text, /^5 errors in 2 specs$/m);
  });
  it('finds keys however they are written', async () => {
    const folder = await folderOf({
      'bench.toml': '',
      'specs/a/spec.toml':
        'title = "X"\nenvironments.local = { url = "http://x", "confrm" = "é" }\n' +
        'scenarios.a = { executor = "shared-iterations", requests = [\n  { get = "/" },\n\t{ get = "/", wieght = 1 },\n] }\n',
    });
    const { text } = await checked(folder);
    assert.match(text, /spec\.toml:2:\d+\n {2}\|\n2 \| .*\n {2}\| +\^{8}\n/);
    assert.match(text, /spec\.toml:5:15\n {2}\|\n5 \| \t\{ get = "\/", wieght = 1 \},\n {2}\| \t {13}\^{6}\n/);
  });
});

describe('check --list', () => {
  it('prints the cases for scripts', async () => {
    const { code, text } = await checked(join(fixtures, 'every-key'), { list: true, quick: true });
    const cases = JSON.parse(text);
    assert.equal(code, 0);
    assert.equal(cases.length, 36);
    assert.deepEqual(cases[0], {
      system: 'shop',
      environment: 'local',
      case: 'browse,kind=all,rate=5',
      scenario: 'browse',
      values: { kind: 'all', rate: 5 },
      status: null,
      k6: {
        executor: 'constant-arrival-rate',
        rate: 5,
        preAllocatedVUs: 5,
        maxVUs: 5,
        duration: '6s',
        timeUnit: '1s',
        gracefulStop: '1s',
      },
      duration_s: 6,
    });
  });
  it('shows what is wrong instead, if anything is', async () => {
    const { code, text } = await checked(unpack('broken', 'key'), { list: true });
    assert.equal(code, 2);
    assert.match(text, /Did you mean "expect"/);
  });
});

describe('the cases of a run', () => {
  const suite = loadSuite(join(fixtures, 'every-key'));
  const places = (/** @type {object} */ options) =>
    loadCases(suite, options).map((benchCase) => `${benchCase.environment}/${benchCase.name}`);
  it('are those of the first environment of each scenario', () => {
    assert.deepEqual(places({ scenario: 'browse', set: { rate: '50' } }), [
      'local/browse,kind=all,rate=50',
      'local/browse,kind=new,rate=50',
    ]);
  });
  it('are those of one environment, or all', () => {
    assert.deepEqual(places({ scenario: 'climb', environment: 'staging' }), ['staging/climb']);
    assert.deepEqual(places({ scenario: 'climb', environment: 'all' }), ['local/climb', 'slow/climb', 'staging/climb']);
  });
  it('are refused with all that is wrong when anything is', async () => {
    const folder = await folderOf({ 'bench.toml': '', 'specs/x/spec.toml': hello.replace('rate = 100', 'rate = 0') });
    assert.throws(() => loadCases(loadSuite(folder)), {
      name: 'UserError',
      code: 2,
      message: /^1 error\n\nerror: rate must be a whole number above 0.*\n --> specs\/x\/spec.toml:6:8\n/,
    });
  });
  it('are refused when this machine has not the memory for them', async () => {
    const folder = await folderOf({
      'bench.toml': '[run]\nmemory = "1GB"',
      'specs/x/spec.toml': hello.replace('= 20', '= 30000'),
    });
    assert.throws(() => loadCases(loadSuite(folder)), {
      name: 'UserError',
      code: 2,
      message: /1\.00 GB are allowed; the users alone do not fit/,
    });
    assert.equal((await checked(folder)).code, 0);
  });
  it('warn of what is chosen only', () => {
    const { stdout: stream, text } = worldIn('.');
    loadCases(suite, { scenario: 'climb', stream });
    assert.equal(text(), '');
    loadCases(suite, {
      scenario: 'browse',
      environment: 'staging',
      profile: 'quick',
      stream,
    });
    assert.match(text(), /needs 400 requests, and 3 rounds/);
    assert.doesNotMatch(text(), /^note/m);
  });
  for (const [what, options, message] of /** @type {[string, object, RegExp][]} */ ([
    ['scenario', { scenario: 'brwse' }, /no scenario "brwse" in specs\/shop\/spec\.toml/],
    ['environment', { environment: 'stagin' }, /no environment "stagin"/],
    ['profile', { profile: 'quik' }, /no profile "quik"/],
    ['system', { systems: ['shp'] }, /no system "shp"/],
    ['parameter', { set: { rte: '1' } }, /no parameter "rte"/],
  ]))
    it(`that there are not: ${what}`, () =>
      assert.throws(() => loadCases(suite, options), { name: 'UserError', code: 2, message }));
  it('a scenario of several', () =>
    assert.throws(() => loadCases(suite, { scenario: ['browse', 'clim'] }), /no scenario "clim"/));
  it('but several that there are', () => {
    const cases = loadCases(suite, { scenario: ['browse', 'climb'] });
    assert.deepEqual(new Set(cases.map(({ scenario }) => scenario)), new Set(['browse', 'climb']));
  });
  it('a scenario that does not run in the environment', async () => {
    const folder = await folderOf({
      'bench.toml': '',
      'specs/x/spec.toml': `${hello}\nenvironments = ["local"]\n[environments.far]\nurl = "http://far"\n[scenarios.other]\nstatus = "todo"\nreason = "x"`,
    });
    assert.throws(
      () => loadCases(loadSuite(folder), { scenario: 'hello', environment: 'far' }),
      /"hello" does not run in the environment "far"/,
    );
  });
});

it('benchfolio check ends with 2, and a misspelt key has line, caret and suggestion', async () => {
  const cwd = unpack('broken', 'key');
  const { code, stdout, stderr } = await benchfolio(['check'], { cwd });
  assert.equal(code, 2);
  assert.equal(stdout, readFileSync(join(cwd, 'expected.txt'), 'utf8'));
  assert.equal(stderr, '');
  const odd = await benchfolio(['check', '--set', 'nonsense'], { cwd: join(fixtures, 'every-key') });
  assert.equal(odd.code, 2);
  assert.match(odd.stderr, /Write it like rate=1000/);
});

describe('names and texts that nobody meant', () => {
  const bidi = '\u202eevil';

  it('folders that could have no page are no systems', async () => {
    const names = ['good', 'Good', 'x.html', 'a b', '$(touch PWN)', '<b>x', bidi];
    const files = Object.fromEntries(names.map((name) => [`specs/${name}/spec.toml`, hello]));
    const { code, stdout } = await benchfolio(['check'], { cwd: await folderOf({ 'bench.toml': '', ...files }) });
    assert.equal(code, 2);
    for (const name of ['x.html', 'a b', '$(touch PWN)', '<b>x', '\\u202eevil']) {
      assert.ok(
        stdout.includes(`error: "${name}" cannot be the name of a system\n --> specs/${name}/spec.toml\n`),
        name,
      );
    }
    assert.match(stdout, /error: system names differ only in case: "Good" and "good"\n --> specs\/good\//);
    assert.match(stdout, /6 errors/);
    assert.ok(!stdout.includes(bidi), 'bidirectional controls are shown as what they are');
  });

  it('a terminal gets no control characters but our own', async () => {
    const spec = `${hello}[scenarios."${bidi}\\u001b]0;title\\u0007\\r"]\n`;
    const cwd = await folderOf({ 'bench.toml': '', 'specs/x/spec.toml': spec });
    const { stdout } = await benchfolio(['check'], { cwd });
    assert.match(stdout, /evil/);
    assert.doesNotMatch(stdout.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
  });

  it('tables too deep and texts too long are named, and very many errors counted', async () => {
    for (const [text, message] of [
      [`[${Array(20_000).fill('a').join('.')}]`, 'tables are more than 100 deep'],
      [`a = ${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'document contains excessively nested structures'],
      [`#${'x'.repeat(4_000_000)}`, 'it has 4000001 characters, and at most 4000000 are read'],
    ]) {
      const cwd = await folderOf({ 'bench.toml': '', 'specs/x/spec.toml': text });
      const { code, stdout } = await benchfolio(['check'], { cwd });
      assert.equal(code, 2);
      assert.ok(stdout.includes(`not valid TOML: ${message}`), stdout.slice(0, 300));
    }
    const many = Array.from({ length: 5000 }, (_, i) => `k${i} = 1`).join('\n');
    const { text } = await checked(await folderOf({ 'bench.toml': '', 'specs/x/spec.toml': `${many}\n${hello}` }));
    assert.match(text, /\n… and 4,500 problems more\n\n5,000 errors in 1 spec\n$/);
  });
});
