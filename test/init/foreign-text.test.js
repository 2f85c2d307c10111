// What a repository says is data: in a spec, in its comments and on a terminal.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { migrationFilesIn } from '../../dist/init/migrations.js';
import { packageIn, withoutComments } from '../../dist/init/read-repository.js';
import { wordsOf } from '../../dist/init/split-command.js';
import { init, passesCheck, repository, server, specOf } from '../support/init.js';

const evil = 'x\n[environments.evil]\nurl = "http://evil.example"\n#\u001b[31m\u009b';
const project = (/** @type {string} */ name) =>
  `<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><AssemblyName>${name}</AssemblyName></PropertyGroup></Project>`;
const controls = /[^\P{Cc}\n]/u;

describe('init takes what a repository says as data', () => {
  for (const text of ['null', '[]', '"x"', '{', '{"scripts":null,"dependencies":"x","devDependencies":[1]}']) {
    test(`a package.json that is ${text}`, async () => {
      const folder = await repository({ 'package.json': text });
      assert.deepEqual(packageIn(folder), { scripts: {}, dependencies: {}, devDependencies: {} });
      assert.equal(migrationFilesIn(folder), null);
    });
  }

  test('the name of a job', async () => {
    const job = { services: { db: { image: 'postgres', options: `--name ${evil}` } } };
    const folder = await repository({
      'server.js': server,
      '.github/workflows/ci.yml': JSON.stringify({ jobs: { [evil]: job } }),
    });
    assert.doesNotMatch(await init(folder, 'shop', '--dry-run'), controls);
    assert.doesNotMatch(await init(folder, 'shop'), controls);
    await passesCheck(folder);
    assert.deepEqual(Object.keys(specOf(folder, 'shop').environments), ['local']);
    assert.doesNotMatch(readFileSync(join(folder, 'specs/shop/spec.toml'), 'utf8'), controls);
  });

  test('the name of a folder that GitHub would evaluate in a workflow', async () => {
    const name = 'a ${{ github.token }} b';
    const folder = await repository({ [`${name}/server.js`]: server });
    await init(join(folder, name), 'shop');
    const text = readFileSync(join(folder, '.github/workflows/benchmark.yml'), 'utf8');
    assert.doesNotMatch(text, /\$\{\{ github\.token/);
    assert.match(text, /folder: "a \$\{\{ '\$\{\{' \}\} github\.token \}\} b"/);
  });

  for (const name of ['my.web', '_web', 'a'.repeat(65), evil]) {
    test(`a compose service whose name no spec can have: ${JSON.stringify(name.slice(0, 10))}`, async () => {
      const services = { [name]: { build: '.', ports: ['80'] }, db: { image: 'postgres' } };
      const folder = await repository({ 'compose.yaml': JSON.stringify({ services }) });
      const stdout = await init(folder, 'shop');
      assert.match(stdout, /of compose\.yaml is left out: a spec names only services of at most 64 letters/);
      assert.doesNotMatch(stdout, controls);
      await passesCheck(folder);
      const { evil: more, local } = specOf(folder, 'shop').environments;
      assert.deepEqual([more, local.services], [undefined, undefined]);
    });
  }

  test('the next compose service, beside one whose name no spec can have', async () => {
    const services = { 'my.web': { build: '.', ports: ['80'] }, api: { build: '.', ports: ['81'] } };
    const folder = await repository({ 'compose.yaml': JSON.stringify({ services }) });
    assert.match(await init(folder, 'shop'), /my\.web of compose\.yaml is left out/);
    await passesCheck(folder);
    assert.equal(specOf(folder, 'shop').environments.local.services[0].name, 'api');
  });

  /** @type {Record<string, { files: Record<string, string>, command: string[] }>} */
  const programs = {
    '.NET': {
      files: { 'shop.csproj': project('x${env.SECRET}') },
      command: ['dotnet', 'bin/bench/x$${env.SECRET}.dll'],
    },
    Rust: {
      files: { 'Cargo.toml': '[package]\nname = "shop"\ndefault-run = "x${env.SECRET}"\n[dependencies]\naxum = "1"\n' },
      command: ['./target/release/x$${env.SECRET}'],
    },
    'Node.js': {
      files: { 'package.json': '{"main":"x${port}.js"}', 'x${port}.js': server },
      command: ['node', 'x$${port}.js'],
    },
    'a Procfile': {
      files: { Procfile: `web: shop '\${env.SECRET}' \\\${run.dir} \${port} $HOME/x` },
      command: ['shop', '$${env.SECRET}', '$${run.dir}', '${port}', '${env.HOME}/x'],
    },
  };
  for (const [name, { files, command }] of Object.entries(programs)) {
    test(`what looks like a placeholder, of ${name}`, async () => {
      const folder = await repository(files);
      await init(folder, 'shop');
      await passesCheck(folder);
      const [{ command: written, build = [] }] = specOf(folder, 'shop').environments.local.services;
      assert.deepEqual(written, command);
      assert.doesNotMatch(JSON.stringify(build), /(?<!\$)\$\{/);
    });
  }

  test('no command with a character that no command can have', () =>
    assert.equal(wordsOf('node \0{env.SECRET}'), null));
});

test('comments with an end, patterns and attributes', () => {
  const text = 'a /* b */ c // d */\n"/**" e\n  # f\n#[g]\n/*\n// h */ i /* j\n// k\nl';
  assert.equal(withoutComments(text), 'a  c\n"/**" e\n\n#[g]\n i /* j\nl');
});
