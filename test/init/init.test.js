import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { parseToml } from '../../dist/suite/cases/toml.js';
import { benchfolio, root } from '../support/cli.js';
import { filesOf, init, passesCheck, repository, server, specOf } from '../support/init.js';

const workflows = ['benchmark-history', 'benchmark-report', 'benchmark'];
const made = [...workflows.map((name) => `.github/workflows/${name}.yml`), '.gitignore', 'bench.toml'];

describe('init', () => {
  test('writes what a suite begins with and says what to do next; again, it changes nothing and says so', async () => {
    const folder = await repository({ 'package.json': '{"name":"@acme/Shop!"}', 'server.js': server });
    const first = await init(folder);
    assert.deepEqual(
      Object.keys(filesOf(folder)).sort(),
      [...made, 'package.json', 'server.js', 'specs/Shop/spec.toml'].sort(),
    );
    assert.match(
      first,
      /^Found:\n {2}server\.js listens\n {2}server\.js reads its port from PORT\n\nWritten:\n {2}bench\.toml /,
    );
    for (const next of [
      'npm install --save-dev benchfolio',
      'npx benchfolio run Shop --quick',
      'npx benchfolio duet HEAD Shop --quick',
    ]) {
      assert.ok(first.includes(`\n  ${next} `), first);
    }
    assert.ok(
      Math.max(
        ...first
          .split('\n')
          .filter((line) => !line.includes('git add'))
          .map((line) => line.length),
      ) <= 90,
      first,
    );
    const before = filesOf(folder);
    assert.match(await init(folder), /^Nothing to do: everything exists\.\n/);
    assert.deepEqual(filesOf(folder), before);
    assert.equal(before['.gitignore'], '.bench/\n.tools/\n/public/\nnode_modules/\n');
    assert.equal(parseToml(before['bench.toml']).default, 'Shop');
  });

  test('--agents says in AGENTS.md how to measure a change, once, and keeps what is there', async () => {
    const folder = await repository({ 'server.js': server, 'AGENTS.md': '# Rules\n\nBe kind.' });
    assert.match(
      await init(folder, 'shop', '--agents'),
      /^Lines added:\n {2}AGENTS\.md +how coding agents measure a change$/m,
    );
    const text = filesOf(folder)['AGENTS.md'];
    assert.match(text, /^# Rules\n\nBe kind\.\n\n## Benchmarks\n/);
    for (const [, command] of text.matchAll(/`npx benchfolio ([a-z]+)[^`]*`/g)) {
      assert.equal((await benchfolio([command, '--help'], { cwd: folder })).code, 0, command);
    }
    await init(folder, 'shop', '--agents');
    assert.equal(filesOf(folder)['AGENTS.md'], text);
  });

  test('--dry-run prints the files, and writes none', async () => {
    const folder = await repository({ 'server.js': server, 'bench.toml': '# mine\n' });
    const before = filesOf(folder);
    const stdout = await init(folder, 'shop', '--dry-run');
    assert.deepEqual(filesOf(folder), before);
    assert.match(stdout, /^specs\/shop\/spec\.toml would be written:\n\n.*^ {4}\[scenarios\.steady\]$/ms);
    assert.match(
      stdout,
      /^bench\.toml exists and would stay unchanged; init would write this:\n\n.*^ {4}default = "shop"/ms,
    );
  });

  test('what is there is left, named, and the command that tells what would have been written works', async () => {
    const theirs = {
      'bench.toml': '[run]\nrounds = 2\n',
      'specs/shop/spec.toml': 'title = "Mine"\n',
      '.github/workflows/benchmark.yml': 'name: Benchmark\n',
      'specs/models/shop.spec.js': '// of another kind',
      '.gitignore': 'node_modules\n/.bench',
      'public/logo.svg': '<svg/>',
      'server.js': server,
    };
    const folder = await repository(theirs);
    const stdout = await init(folder, 'shop', '--command', 'node server.js');
    const after = filesOf(folder);
    assert.deepEqual(
      after,
      { ...theirs, '.gitignore': 'node_modules\n/.bench\n.tools/\n' },
      'a public/ of their own is not ignored',
    );
    assert.match(
      stdout,
      /Already there, unchanged \(`npx benchfolio init shop --command 'node server\.js' --dry-run` prints/,
    );
    assert.match(stdout, /npx benchfolio site --folder \.bench\/public --open/);
    for (const file of ['bench.toml', 'specs/shop/spec.toml']) assert.match(stdout, new RegExp(`^  ${file} `, 'm'));
    const { code, stderr } = await benchfolio(['site'], { cwd: folder });
    assert.equal(code, 2);
    assert.match(stderr, /public is there, and was not made by a build.*\n.*--folder \.bench\/public/);
    assert.equal(readFileSync(join(folder, 'public/logo.svg'), 'utf8'), '<svg/>');
  });

  test('when the workflow Bench is another one, nothing that waits for it is written', async () => {
    const folder = await repository({
      'server.js': server,
      '.github/workflows/benchmark.yml': 'name: Benchmark\non: push\n',
      '.github/workflows/ci.yml': 'name: CI\n',
    });
    const stdout = await init(folder, 'shop');
    assert.ok(!existsSync(join(folder, '.github/workflows/benchmark-report.yml')));
    assert.match(
      stdout,
      /Already there, unchanged.*\n {2}\.github\/workflows\/benchmark\.yml .*\n {2}\.github\/workflows\/benchmark-report\.yml /,
    );
    await passesCheck(folder);
  });

  test('once the spec starts its service, the workflows come', async () => {
    const folder = await repository({ 'README.md': 'nothing to see' });
    await init(folder, 'shop');
    assert.ok(!existsSync(join(folder, '.github')));
    const spec = join(folder, 'specs/shop/spec.toml');
    writeFileSync(
      spec,
      `${readFileSync(spec, 'utf8')}\n[[environments.local.services]]\nname = "app"\ncommand = ["x"]\n`,
    );
    assert.match(await init(folder), /Written:\n {2}\.github\/workflows\/benchmark\.yml/);
  });

  test("in a folder of a repository, what is the repository's goes to its top; in a suite it adds a system", async () => {
    const folder = await repository({ 'services/api/server.js': server, 'services/web/server.js': server });
    await init(join(folder, 'services', 'api'));
    assert.deepEqual(
      Object.keys(filesOf(folder)).filter((file) => !file.endsWith('server.js')),
      [...made.slice(0, 4), 'services/api/bench.toml', 'services/api/specs/api/spec.toml'],
    );
    assert.equal(readFileSync(join(folder, '.gitignore'), 'utf8'), '.bench/\n.tools/\n/services/api/public/\n');
    assert.match(
      readFileSync(join(folder, '.github/workflows/benchmark.yml'), 'utf8'),
      /^ {10}folder: "services\/api"$/m,
    );

    const other = await repository({ 'bench.toml': '', 'services/web/server.js': server });
    await init(join(other, 'services', 'web'));
    assert.equal(specOf(other, 'web').environments.local.services[0].cwd, '../../services/web');
    assert.ok(!existsSync(join(other, 'services/web/bench.toml')));
    assert.match(await init(other), /Nothing to do/, 'no second system without a name');
  });

  test('several services in a workspace: it says where, and each becomes a system', async () => {
    const folder = await repository({
      'pnpm-workspace.yaml': 'packages:\n  - "apps/*"\n',
      'apps/api/server.js': server,
      'apps/web/server.js': server,
    });
    assert.match(
      await init(folder, '--dry-run'),
      /there are services in apps\/api and apps\/web: run init in each folder \(cd apps\/api\)/,
    );
  });

  test('a link to nowhere and a folder are there too; a file in the way is said, without a stack', async () => {
    const folder = await repository({ 'server.js': server });
    symlinkSync('nowhere', join(folder, 'bench.toml'));
    mkdirSync(join(folder, '.gitignore'));
    const stdout = await init(folder, 'shop');
    assert.match(stdout, /Already there, unchanged.*\n {2}bench\.toml .*\n {2}\.gitignore /);
    assert.ok(!existsSync(join(folder, 'nowhere')));

    const other = await repository({ 'server.js': server, specs: 'a file' });
    const { code, stderr } = await benchfolio(['init'], { cwd: other });
    assert.equal(code, 2);
    assert.match(stderr, /spec\.toml cannot be written: something above it is a file/);
    assert.deepEqual(Object.keys(filesOf(other)), ['server.js', 'specs']);
  });

  test('what cannot be is refused, with what to say', async () => {
    const folder = await repository({ 'server.js': server });
    const wrong = [
      [['.hidden'], /cannot be the name of a system/],
      [['a', '--url', 'localhost:80'], /--url is not a valid http/],
      [['a', '--url', 'http://a', '--port', '80'], /choose one/],
      [['a', '--command', 'a | b'], /not one program/],
      [['a', '--port', '0'], /from 1 to 65535/],
      [['a', '--url', 'http://me:secret@a'], /must not be in a file/],
    ];
    for (const [args, message] of /** @type {[string[], RegExp][]} */ (wrong)) {
      const { code, stderr } = await benchfolio(['init', ...args], { cwd: folder });
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
    assert.deepEqual(Object.keys(filesOf(folder)), ['server.js']);
  });

  test('names with signs of TOML, YAML and shells stay data', async () => {
    const folder = await repository({
      'a "b\'$(x)`/server.js': server,
      'package.json': JSON.stringify({ name: 'x"\n@title@ ${port}' }),
    });
    const within = join(folder, 'a "b\'$(x)`');
    await init(within);
    await passesCheck(within);
    assert.match(
      readFileSync(join(folder, '.github/workflows/benchmark.yml'), 'utf8'),
      /^ {10}folder: "a \\"b'\$\(x\)`"$/m,
    );
    await init(folder, '--url', 'http://127.0.0.1:80/');
    await passesCheck(folder);
  });

  test('killed at any moment it leaves no half file, and goes on from there', async () => {
    const whole = await repository({ 'server.js': server });
    await init(whole, 'shop');
    const expected = filesOf(whole);
    for (const after of [0, 1, 3, 8]) {
      // milliseconds after the first file
      const folder = await repository({ 'server.js': server });
      const child = spawn(process.execPath, [join(root, 'dist', 'cli', 'bin.js'), 'init', 'shop'], {
        cwd: folder,
        stdio: 'ignore',
      });
      const end = new Promise((resolve) => child.on('close', resolve));
      while (!existsSync(join(folder, 'bench.toml')) && child.exitCode === null) await wait(1);
      await wait(after);
      child.kill('SIGKILL');
      await end;
      for (const [file, text] of Object.entries(filesOf(folder)).filter(([path]) => !path.endsWith('.tmp'))) {
        assert.equal(
          text.replace(/title = ".*"/, ''),
          expected[file].replace(/title = ".*"/, ''),
          `${file} after ${after} ms`,
        );
      }
      await init(folder, 'shop');
      assert.deepEqual(
        Object.keys(filesOf(folder)).filter((path) => !path.endsWith('.tmp')),
        Object.keys(expected),
      );
    }
  });

  test('the workflows take the same versions of actions as ours, and what they take of npm is this version', async () => {
    const folder = await repository({ 'server.js': server });
    await init(folder, 'shop');
    const pins = (/** @type {string} */ text) => [...text.matchAll(/uses: (actions\/.*)$/gm)].map(([, pin]) => pin);
    const ours = new Set(
      ['benchmark', 'benchmark-report', 'publish'].flatMap((name) =>
        pins(readFileSync(join(root, `.github/workflows/${name}.yml`), 'utf8')),
      ),
    );
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const name of workflows) {
      const text = readFileSync(join(folder, `.github/workflows/${name}.yml`), 'utf8');
      for (const pin of pins(text)) assert.ok(ours.has(pin), pin);
      assert.doesNotMatch(text, /setup-(?:go|python)|pip/, 'nothing but Node.js is needed');
      assert.ok(text.includes(` benchfolio@${version}\n`), text);
      assert.doesNotMatch(text, /@[a-z_]+@/);
    }
    const documented = readFileSync(join(root, 'site/content/docs/publish.md'), 'utf8');
    const published = pins(readFileSync(join(root, '.github/workflows/publish.yml'), 'utf8'));
    for (const pin of pins(documented)) assert.ok(published.includes(pin), pin);
    execFileSync(
      'go',
      [
        '-C',
        join(root, 'test', 'tools', 'actionlint'),
        'tool',
        'actionlint',
        ...workflows.map((name) => join(folder, `.github/workflows/${name}.yml`)),
      ],
      { stdio: 'inherit' },
    );
  });
});
