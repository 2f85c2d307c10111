// What head measures less than base is found in the files that a spec only names: programs, scripts, data, settings.
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rulerDifferences } from '../../src/measure/duet/ruler/index.js';
import { readRuler } from '../../src/measure/duet/ruler/read.js';
import { suiteAt } from '../../src/suite.js';
import { folderOf } from '../support/cli.js';

/** @import { Ruler } from '../../src/measure/duet/ruler/index.js' */

const spec = `title = "Shop"
[environments.local]
url = "http://127.0.0.1:9000"
external = ["http://127.0.0.1:9000"]
[scenarios.s]
executor = "constant-vus"
duration = "1s"
requests = [{ get = "/" }]
`;

test('programs that are no files are named, and stop nothing', async () => {
  const files = { 'bench.toml': '', 'specs/shop/spec.toml': spec };
  const [one, other] = await Promise.all([folderOf(files), folderOf({ ...files, 'reports/a.jq/b.txt': '' })]);
  symlinkSync('nowhere', join(other, 'reports', 'gone.jq'));
  symlinkSync('loop.jq', join(other, 'reports', 'loop.jq'));
  const differences = rulerDifferences(...both([one, other]));
  assert.deepEqual(
    differences.map(({ subject, looser }) => [subject, looser]),
    ['a', 'gone', 'loop'].map((name) => [`program reports/${name}.jq`, true]),
  );
});

/** @param {[string, string]} folders @returns {[Ruler, Ruler]} */
const both = (folders) =>
  /** @type {[Ruler, Ruler]} */ (folders.map((root) => readRuler(suiteAt(root), { systems: ['shop'] })));

test('what a script, the files that it uses, data and bodies say', async () => {
  const files = {
    'bench.toml': '',
    'specs/shop/spec.toml': `title = "Shop"
[environments.local]
url = "http://127.0.0.1:9000"
external = ["http://127.0.0.1:9000"]
setup = ["sh", "seed.sh"]
[scenarios.s]
executor = "constant-vus"
duration = "1s"
script = "s.js"
[scenarios.t]
executor = "constant-vus"
duration = "1s"
rows = { file = "rows.csv" }
requests = [{ post = "/\${row.id}", body = { file = "body.json" } }]
`,
    'specs/shop/s.js':
      "import { a } from './a.js';\nimport b from '../../.bench/benchfolio/k6/script.js';\nimport 'k6';\n",
    'specs/shop/a.js': "export const a = JSON.parse(open('./data.json'));\n",
    'specs/shop/data.json': '{}',
    'specs/shop/rows.csv': 'id\n1\n2\n',
    'specs/shop/body.json': '{}',
    'specs/shop/seed.sh': 'true',
  };
  const changed = ['data.json', 'a.js', 'rows.csv', 'body.json', 's.js', 'seed.sh'].map((name) => `specs/shop/${name}`);
  const more = Object.fromEntries(
    changed.map((name) => [name, `${files[/** @type {keyof typeof files} */ (name)]}\n`]),
  );
  const [one, same, other] = await Promise.all([folderOf(files), folderOf(files), folderOf({ ...files, ...more })]);
  const rulers = [one, same, other].map((folder) => readRuler(suiteAt(folder), { systems: ['shop'] }));
  assert.deepEqual(rulerDifferences(rulers[0], rulers[1]), []);
  assert.deepEqual(
    rulerDifferences(rulers[0], rulers[2]).map(({ case: name, subject, looser }) => `${name}: ${subject} ${looser}`),
    [
      's: file seed.sh true',
      's: file s.js true',
      's: file a.js true',
      's: file data.json true',
      't: file rows.csv true',
      't: file body.json true',
      't: file seed.sh true',
    ],
  );
});

test('what containers of the spec mount, and its compose file', async () => {
  const files = {
    'bench.toml': '',
    'specs/shop/spec.toml': `title = "Shop"
[environments.local]
url = "http://127.0.0.1:\${port.db}"
compose = "compose.yaml"
[[environments.local.services]]
name = "db"
container = { image = "postgres:16", port = 5432, volumes = ["./seed:/docker-entrypoint-initdb.d:ro", "data:/data"] }
[[environments.local.services]]
name = "app"
[scenarios.s]
executor = "constant-vus"
duration = "1s"
requests = [{ get = "/" }]
`,
  };
  const [one, other] = await Promise.all(
    ['1', '2'].map((text) =>
      folderOf({ ...files, 'specs/shop/seed/rows.sql': text, 'specs/shop/compose.yaml': `name: x${text}` }),
    ),
  );
  assert.deepEqual(
    rulerDifferences(...both([one, other]))
      .map(({ subject, looser }) => `${subject} ${looser}`)
      .sort(),
    ['file compose.yaml true', 'file seed/rows.sql true'],
  );
});

test('what steps before the load read, and settings that services are started with', async () => {
  const files = {
    'bench.toml': '',
    'specs/shop/spec.toml': `title = "Shop"
[environments.local]
url = "http://127.0.0.1:\${port}"
setup = [["sh", "-c", "cat < rows.sql"], ["load", "--file=more.sql", "dist/built.js", "\${spec.dir}/last.sql"], ["cp", "-r", "fixtures", "\${run.dir}"]]
[[environments.local.services]]
name = "app"
command = ["sh", "start.sh", "app.cjs", "gone.cfg"]
env = { PORT = "\${port}", CONFIG = "\${spec.dir}/app.yaml" }
files = { "app.conf" = "\${run.dir}/app.conf" }
[[environments.local.after_ready]]
name = "fill"
command = ["fill"]
env = { ROWS = "fill.json" }
[scenarios.s]
executor = "constant-vus"
duration = "1s"
requests = [{ get = "/" }]
`,
  };
  const names = [
    'rows.sql',
    'more.sql',
    'last.sql',
    'fixtures/a/b.json',
    'start.sh',
    'app.yaml',
    'app.conf',
    'fill.json',
  ];
  const [one, same, other] = await Promise.all(
    ['1', '1', '2'].map((text) =>
      folderOf({
        ...files,
        ...Object.fromEntries(names.map((name) => [`specs/shop/${name}`, text])),
        'specs/shop/app.cjs': text, // the product
        ...(text === '1'
          ? { 'specs/shop/gone.cfg': text }
          : { 'specs/shop/fixtures/new.json': text, 'specs/shop/dist/built.js': text }),
      }),
    ),
  );
  assert.deepEqual(rulerDifferences(...both([one, same])), []);
  const differences = rulerDifferences(...both([one, other]));
  assert.ok(differences.every(({ looser }) => looser));
  assert.deepEqual(
    differences.map(({ subject, head }) => `${subject}: ${head.replace(/ \([0-9a-f]{12}\)$/, '')}`).sort(),
    [...names.map((name) => `file ${name}: another text`), 'file fixtures/new.json: new', 'file gone.cfg: gone'].sort(),
  );
});
