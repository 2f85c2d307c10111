// Heads that are slower, or whose base is not base, and would pass: each is named or held. End to end, in a repository of its own.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { spawnBenchfolio } from '../support/cli.js';
import { duet, repositoryOf } from '../support/commits.js';
import { scratchFolder } from '../support/scratch.js';
import { shop } from '../support/shop.js';

const bench =
  '[duet]\nload = false\nblocks = 3\nwarmup = "300ms"\nduration = "900ms"\n[compare]\ngate = ["latency_ms_p50"]\nalpha = 1e-9\n';
const scenario =
  '[scenarios.list]\nexecutor = "constant-vus"\nvus = 2\nduration = "5s"\nrequests = [{ get = "/list" }]\n';

/** A service that pauses so many milliseconds. @param {number} pause_ms */
const serverOf = (pause_ms) => `require('node:http').createServer((request, response) => {
  setTimeout(() => response.end('ok'), ${pause_ms});
}).listen(process.env.PORT, '127.0.0.1');\n`;

const files = { 'bench.toml': bench, 'specs/shop/spec.toml': shop + scenario, 'specs/shop/server.cjs': serverOf(1) };

/** @param {string} name @param {Record<string, string>} all */
const within = (name, all) => Object.fromEntries(Object.entries(all).map(([path, text]) => [`${name}/${path}`, text]));

describe('hostile heads', { concurrency: 2 }, () => {
  test("a folder HEAD with base's code does not stand in for a head that is slower", async () => {
    const folder = await repositoryOf(files, {}, { 'specs/shop/server.cjs': serverOf(30), ...within('HEAD', files) });
    const { code, stderr, stdout } = await duet(folder, 'HEAD^1', 'HEAD', '--json');
    assert.equal(code, 2, stdout);
    assert.match(stderr, /"HEAD" is a commit \([0-9a-f]{10}\), and a folder with a suite/);
  });

  test('a system called HEAD does not make the working tree head', async () => {
    const folder = await repositoryOf(files, {}, within('specs/HEAD', { 'spec.toml': shop + scenario }));
    const { code, stderr } = await duet(folder, 'HEAD^1', 'HEAD', '--json');
    assert.equal(code, 2);
    assert.match(stderr, /"HEAD" is a commit, and a system/);
  });

  test('a monorepo whose suite is beside the service: a change of the service is no A/A trial', async () => {
    const suite = {
      'bench/bench.toml': bench,
      'bench/specs/shop/spec.toml':
        shop.replace('command = ["node"', 'cwd = "../../../app"\ncommand = ["node"') + scenario,
    };
    const folder = await repositoryOf(
      { ...suite, 'app/server.cjs': serverOf(1) },
      {},
      { 'app/server.cjs': serverOf(30) },
    );
    const { json, stderr } = await duet(`${folder}/bench`, 'HEAD~1', 'HEAD', '--json');
    const [list] = json.cases;
    assert.deepEqual(list.changes, [], stderr);
    const p50 = list.metrics.find((/** @type {any} */ { metric }) => metric === 'latency_ms_p50');
    assert.ok(p50.head > 29, JSON.stringify(p50)); // by its pause of 30 ms, on any machine
  });

  test('the pull request that adds a benchmark is inconclusive for that reason, and measured on head alone', async () => {
    const folder = await repositoryOf({ 'app.txt': '' }, {}, files);
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 3, stdout + stderr);
    const [list] = json.cases;
    assert.equal(list.verdict, 'inconclusive');
    assert.match(
      list.reason,
      /HEAD~1 \([0-9a-f]{10}\) has no benchmark yet: there is nothing to compare with until this is merged/,
    );
    assert.ok(list.measured.latency_ms_p50.value > 0, JSON.stringify(list.measured));
    const { stdout: comment } = await spawnBenchfolio(['comment', '--dry-run'], { cwd: folder });
    assert.match(comment, /has no benchmark yet/);
    assert.doesNotMatch(comment, /looser/);
  });

  test('a system that head takes away is named, also where another one is asked for', async () => {
    const two = { ...files, ...within('specs/mail', { 'spec.toml': shop + scenario, 'server.cjs': serverOf(1) }) };
    const folder = await repositoryOf(two, {}, { 'specs/shop/spec.toml': null, 'specs/mail/server.cjs': serverOf(2) });
    const { code, json } = await duet(folder, 'HEAD~1', 'HEAD', 'mail', '--json');
    assert.equal(code, 3);
    const gone = json.cases.find((/** @type {any} */ { system }) => system === 'shop');
    assert.equal(gone.verdict, 'inconclusive');
    assert.match(gone.reason, /has specs\/shop, and head has not/);
  });

  test('a shared build folder, in which one build makes the program of both', async () => {
    const shared = scratchFolder('target');
    const goSource = (/** @type {number} */ pause_ms) => `package main
import ("net/http"; "os"; "time")
func main() {
	http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(${pause_ms} * time.Millisecond)
		w.Write([]byte("ok"))
	}))
}
`;
    // As cargo's --target-dir does with sources of the same time: what is there is not built again.
    const build = `test -e ${shared}/api || go build -o ${shared}/api main.go`;
    const built = {
      'bench.toml': bench,
      'specs/shop/spec.toml':
        shop.replace(
          'command = ["node", "server.cjs"]',
          `cwd = "../../api"\nbuild = ["sh", "-c", ${JSON.stringify(build)}]\ncommand = ["${shared}/api"]`,
        ) + scenario,
      'api/main.go': goSource(1),
      'api/go.mod': 'module api\n\ngo 1.21\n',
    };
    const folder = await repositoryOf(built, {}, { 'api/main.go': goSource(30) });
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 3, stdout + stderr);
    assert.equal(
      json.cases[0].reason,
      `both sides run the same program (service app runs ${shared}/api, one file for both), though api/main.go is not the same: was it built anew?`,
    );
  });

  test("a head that lets base's service do its work", async () => {
    // It finds base by where its process stands: in the cache of this repository.
    const calling = `const http = require('node:http');
const { readdirSync, readFileSync, readlinkSync } = require('node:fs');
const agent = new http.Agent({ keepAlive: true });
const portOfBase = () => {
  for (const pid of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))) {
    try {
      if (!readlinkSync('/proc/' + pid + '/cwd').startsWith(process.cwd().replace('specs/shop', '.bench/cache'))) continue;
      const port = readFileSync('/proc/' + pid + '/environ', 'utf8').split('\\0').find((line) => line.startsWith('PORT='));
      if (port) return Number(port.slice(5));
    } catch {}
  }
};
let port;
http.createServer((request, response) => {
  port ??= portOfBase();
  if (request.url !== '/list' || port === undefined) return response.end('ok');
  http.get({ port, host: '127.0.0.1', agent, path: '/other' }, (answer) => answer.resume().on('end', () => response.end('ok')))
    .on('error', () => response.end('ok'));
}).listen(process.env.PORT, '127.0.0.1');\n`;
    const folder = await repositoryOf(files, {}, { 'specs/shop/server.cjs': calling });
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    const subjects = json?.cases[0].changes.map((/** @type {any} */ { subject, head }) => `${subject}: ${head}`).join();
    assert.match(
      subjects,
      /^sides: service app of head is connected to port \d+, where base listens$/,
      stdout + stderr,
    );
    assert.equal(code, 3);
  });

  test("a head whose build writes into base's checkout", async () => {
    const built = {
      ...files,
      'specs/shop/spec.toml':
        shop.replace('command = ["node"', 'build = ["sh", "build.sh"]\ncommand = ["node"') + scenario,
      'specs/shop/build.sh': 'true\n',
    };
    const slow =
      'for tree in .bench/cache/benchfolio/trees/*/; do echo "setInterval(() => {}, 1)" > "$PWD/../../$tree/specs/shop/extra.cjs"; done\n';
    const folder = await repositoryOf(
      built,
      {},
      {
        'specs/shop/build.sh': slow
          .replace('for tree in ', 'for tree in ../../')
          .replace('"$PWD/../../$tree', '"$tree'),
      },
    );
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    const subjects = json?.cases[0].changes
      .map((/** @type {any} */ { subject, head }) => `${subject}: ${head}`)
      .join('; ');
    assert.match(
      subjects ?? '',
      /sides: specs\/shop\/extra\.cjs of base was changed while head was built/,
      stdout + stderr,
    );
    assert.equal(code, 3);
  });

  test("a head that ends base's service", async () => {
    const ends = `const { readdirSync, readlinkSync } = require('node:fs');
setInterval(() => {
  for (const pid of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))) {
    try {
      const cwd = readlinkSync('/proc/' + pid + '/cwd');
      if (cwd.startsWith(process.cwd().replace('specs/shop', '.bench/cache')) && cwd.endsWith('specs/shop')) process.kill(Number(pid), 'SIGKILL');
    } catch {}
  }
}, 300);
`;
    const folder = await repositoryOf(files, {}, { 'specs/shop/server.cjs': ends + serverOf(30) });
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(json?.cases[0].verdict, 'inconclusive', stdout + stderr);
    assert.match(json.cases[0].reason, /base|HEAD~1/);
    assert.equal(code, 3);
  });
});
