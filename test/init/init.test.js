import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { parseToml } from '../../src/spec/toml.js';
import { benchfolio, folderOf, root } from '../support/cli.js';

const server = `require('node:http').createServer((request, response) => response.end('Hello')).listen(process.env.PORT);\n`;

/** A repository with these files. @param {Record<string, string>} files */
async function repository(files) {
  const folder = await folderOf(files);
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder });
  return folder;
}

/** @param {string} cwd @param {string[]} args */
async function init(cwd, ...args) {
  const { code, stdout, stderr } = await benchfolio(['init', ...args], { cwd });
  assert.deepEqual([code, stderr], [0, ''], stdout);
  return stdout;
}

/** @param {string} folder @returns {Record<string, string>} all files but git's own, and what is in them */
const filesOf = (folder) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true })
      .map(String)
      .sort()
      .filter((path) => !path.startsWith('.git/') && statSync(join(folder, path), { throwIfNoEntry: false })?.isFile())
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );

/** @param {string} folder @param {string} name @returns {any} */
const specOf = (folder, name) => parseToml(readFileSync(join(folder, 'specs', name, 'spec.toml'), 'utf8'));

/** @param {string} folder */
async function passesCheck(folder) {
  const { code, stdout } = await benchfolio(['check'], { cwd: folder });
  assert.equal(code, 0, stdout);
  assert.doesNotMatch(stdout, /^(error|warning)/m);
}

const made = ['.github/workflows/benchmark-report.yml', '.github/workflows/benchmark.yml', '.gitignore', 'bench.toml'];

/**
 * What init sees of a repository: of its only service the command, what it is told, what goes before, and the path.
 * @type {Record<string, { files: Record<string, string>, args?: string[], service?: any, url?: string, path?: string, says?: RegExp }>}
 */
const repositories = {
  'a server in Node.js, without package.json': {
    files: { 'server.js': server },
    service: { command: ['node', 'server.js'], env: { PORT: '${port}' } },
  },
  'a start script that is only node': {
    files: {
      'package.json':
        '{"name":"@acme/shop","scripts":{"start":"NODE_ENV=production node --enable-source-maps lib/start"},"dependencies":{"x":"1"}}',
      'lib/start.js': 'require("./app").go();',
      'lib/app.js': 'const { PORT = 80 } = process.env; app.get("/items", f); app.listen(PORT)',
      'package-lock.json': '{}',
    },
    service: {
      command: ['node', '--enable-source-maps', 'lib/start'],
      env: { NODE_ENV: 'production', PORT: '${port}' },
      build: ['npm', 'install', '--no-audit', '--no-fund', '--include=dev'],
    },
    path: '/items',
  },
  'a start script that needs a shell, and a build': {
    files: {
      'package.json': '{"scripts":{"build":"tsc","start":"npm run migrate && node dist/main.js"}}',
      'pnpm-lock.yaml': '',
      'src/main.ts': 'serve({ fetch, port: 8787 })',
    },
    service: {
      command: ['pnpm', 'start'],
      build: [
        ['pnpm', 'install', '--frozen-lockfile'],
        ['pnpm', 'run', 'build'],
      ],
    },
    url: 'http://127.0.0.1:8787',
  },
  'a port that stands in the source': {
    files: { 'index.js': '// was process.env.PORT\nhttp.createServer(f).listen(8081);' },
    service: { command: ['node', 'index.js'] },
    url: 'http://127.0.0.1:8081',
    says: /index\.js listens on port 8081/,
  },
  'a framework that says nothing of a port': {
    files: { 'package.json': '{"scripts":{"start":"next start"},"dependencies":{"next":"16"}}' },
    service: {
      command: ['npm', 'start'],
      env: { PORT: '${port}' },
      build: ['npm', 'install', '--no-audit', '--no-fund', '--no-package-lock'],
    },
    says: /To fill in:\n {2}its port was not found/,
  },
  'a Procfile': {
    files: { Procfile: 'worker: x\nweb: gunicorn -b 0.0.0.0:${PORT:-8000} "my app":app\n' },
    service: { command: ['gunicorn', '-b', '0.0.0.0:${port}', 'my app:app'], env: { PORT: '${port}' } },
  },
  Go: {
    files: {
      'go.mod': 'module x',
      'main.go':
        'package main\n\nfunc main() { http.HandleFunc("/hello", f); http.ListenAndServe(":"+os.Getenv("HTTP_PORT"), nil) }\n',
    },
    service: {
      command: ['go', 'run', '.'],
      env: { HTTP_PORT: '${port}' },
      build: ['go', 'build', '-o', '/dev/null', '.'],
      ready_timeout: '2m',
    },
    path: '/hello',
  },
  'an ASGI application': {
    files: {
      'pyproject.toml': 'dependencies = ["fastapi", "uvicorn"]',
      'app/main.py': 'app = FastAPI()\n\n@app.get("/items")\ndef items(): ...\n',
    },
    service: { command: ['uvicorn', 'app.main:app', '--host', '127.0.0.1', '--port', '${port}'] },
    path: '/items',
  },
  'only an image': {
    files: { Dockerfile: 'FROM scratch\nEXPOSE 9000/tcp\n' },
    url: 'http://127.0.0.1:9000',
    says: /To fill in:\n {2}no start command was found/,
  },
  'a library': {
    files: { 'package.json': '{"main":"index.js"}', 'index.js': 'exports.add = (a, b) => a + b;' },
    url: 'http://127.0.0.1:8080',
  },
  'an address that is given': {
    files: { 'server.js': server },
    args: ['--url', 'https://example.com/a?b=${c}'],
    url: 'https://example.com',
    path: '/a?b=$${c}',
  },
  'a command that is given': {
    files: {},
    args: ['--command', 'my-server --listen "127.0.0.1:$PORT"'],
    service: { command: ['my-server', '--listen', '127.0.0.1:${port}'] },
  },
  'a command and its port': {
    files: { 'server.js': server },
    args: ['--command', 'node server.js', '--port', '8082'],
    service: { command: ['node', 'server.js'] },
    url: 'http://127.0.0.1:8082',
  },
  'a workspace with one service': {
    files: {
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/lib/index.js': '',
      'packages/api/package.json': '{"name":"@acme/api","scripts":{"start":"node ."}}',
      'packages/api/index.js': server,
    },
    service: { cwd: '../../packages/api', command: ['node', '.'], env: { PORT: '${port}' } },
  },
};

describe('init', () => {
  for (const [name, { files, args = [], service, url, path = '/', says = /^/ }] of Object.entries(repositories)) {
    test(`sees ${name}`, async () => {
      const folder = await repository(files);
      const stdout = await init(folder, 'shop', ...args);
      assert.match(stdout, says);
      await passesCheck(folder);
      const {
        environments: { local },
        scenarios,
      } = specOf(folder, 'shop');
      const address = url ?? 'http://127.0.0.1:${port}';
      assert.deepEqual([local.url, scenarios.steady.requests[0].get], [address, path]);
      const expected = service && { name: 'app', cwd: '../..', ready: `${address}${path}`, ...service };
      assert.deepEqual(local.services, expected ? [expected] : undefined);
      assert.deepEqual(
        local.duet?.concurrent,
        service && url ? false : undefined,
        'two copies cannot listen on one port',
      );
      assert.equal(existsSync(join(folder, '.github')), service !== undefined, 'an address has no commits to compare');
    });
  }

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
    assert.equal(before['.gitignore'], '.bench/\n.tools/\n/public/\n');
    assert.equal(parseToml(before['bench.toml']).default, 'Shop');
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
      [...made.slice(0, 3), 'services/api/bench.toml', 'services/api/specs/api/spec.toml'],
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
      const child = spawn(process.execPath, [join(root, 'src', 'bin.js'), 'init', 'shop'], {
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
      ['benchmark', 'benchmark-report'].flatMap((name) =>
        pins(readFileSync(join(root, `.github/workflows/${name}.yml`), 'utf8')),
      ),
    );
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const name of ['benchmark', 'benchmark-report']) {
      const text = readFileSync(join(folder, `.github/workflows/${name}.yml`), 'utf8');
      for (const pin of pins(text)) assert.ok(ours.has(pin), pin);
      assert.ok(text.includes(` benchfolio@${version}\n`), text);
      assert.doesNotMatch(text, /@[a-z_]+@/);
    }
    const told = readFileSync(join(root, 'site/content/docs/publish.md'), 'utf8');
    const published = pins(readFileSync(join(root, '.github/workflows/publish.yml'), 'utf8'));
    for (const pin of pins(told)) assert.ok(published.includes(pin), pin);
    execFileSync(
      'go',
      [
        '-C',
        join(root, 'test', 'tools', 'actionlint'),
        'tool',
        'actionlint',
        ...['benchmark', 'benchmark-report'].map((name) => join(folder, `.github/workflows/${name}.yml`)),
      ],
      { stdio: 'inherit' },
    );
  });
});
