// What head measures less than base is found in the files that a spec only names: programs, scripts, data, settings.
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { findTool } from '../../dist/base/tools/find-tool.js';
import { readRuler } from '../../dist/run/duet/ruler/read-ruler.js';
import { rulerDifferences } from '../../dist/run/duet/ruler/ruler.js';
import { suiteAt } from '../../dist/suite/suite.js';
import { folderOf } from '../support/cli.js';

/** @import { Ruler } from '../../dist/run/duet/ruler/ruler.js' */

const spec = `title = "Shop"
[environments.local]
url = "http://127.0.0.1:9000"
external = ["http://127.0.0.1:9000"]
[scenarios.s]
executor = "constant-vus"
duration = "1s"
requests = [{ get = "/" }]
`;

const { path: k6 } = await findTool('k6', { native: false });

test('programs that are no files are named, and stop nothing', async () => {
  const files = { 'bench.toml': '', 'specs/shop/spec.toml': spec };
  const [one, other] = await Promise.all([folderOf(files), folderOf({ ...files, 'reports/report.md.jq/b.txt': '' })]);
  symlinkSync('nowhere', join(other, 'reports', 'comment.md.jq'));
  symlinkSync('junit.xml.jq', join(other, 'reports', 'junit.xml.jq'));
  const differences = rulerDifferences(...(await both([one, other])));
  assert.deepEqual(
    differences.map(({ subject, looser }) => [subject, looser]),
    ['comment.md', 'junit.xml', 'report.md'].map((name) => [`program reports/${name}.jq`, true]),
  );
});

/** @param {[string, string]} folders @returns {Promise<[Ruler, Ruler]>} */
const both = async (folders) =>
  /** @type {[Ruler, Ruler]} */ (
    await Promise.all(folders.map((root) => readRuler(suiteAt(root), { systems: ['shop'] }, { k6 })))
  );

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
  const rulers = await Promise.all(
    [one, same, other].map((folder) => readRuler(suiteAt(folder), { systems: ['shop'] })),
  );
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
    rulerDifferences(...(await both([one, other])))
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
  assert.deepEqual(rulerDifferences(...(await both([one, same]))), []);
  const differences = rulerDifferences(...(await both([one, other])));
  assert.ok(differences.every(({ looser }) => looser));
  assert.deepEqual(
    differences.map(({ subject, head }) => `${subject}: ${head.replace(/ \([0-9a-f]{12}\)$/, '')}`).sort(),
    [...names.map((name) => `file ${name}: another text`), 'file fixtures/new.json: new', 'file gone.cfg: gone'].sort(),
  );
});

describe('what is read on the second level', { concurrency: 4 }, () => {
  const usual = {
    'bench.toml': '',
    'package.json': '{"scripts":{"seed":"node tools/seed.js 20000","start":"node server.js","prestart":"true"}}',
    Makefile:
      'ROWS = 10\n\nall: other\n\nfill: rows.mk more\n\tpython3 fill/fill.py $(ROWS)\n\nmore:\n\tsh fill/more.sh\n\nother:\n\ttouch x\n',
    'tools/seed.js':
      "import { rows } from './lib/rows.js';\nimport { readFileSync } from 'node:fs';\nreadFileSync('tools/names.txt');\n",
    'tools/lib/rows.js': "export { rows } from './deep.js';\n",
    'tools/lib/deep.js': 'export const rows = 1;\n',
    'tools/names.txt': 'Ann\n',
    'fill/fill.py': 'from helpers import rows\nimport lib.deep\nopen("fill/table.csv")\n',
    'fill/helpers.py': 'rows = 1\n',
    'fill/lib/deep.py': 'rows = 1\n',
    'fill/more.sh': '. "$(dirname "$0")/common.sh"\n# not.sh\n',
    'fill/common.sh': 'psql < fill.sql\n',
    'fill/fill.sql': 'select 1;\n',
    'fill/not.sh': 'exit\n',
    'specs/shop/server.js': '1',
    'specs/shop/s.js':
      "import { size } from './lib/a.js';\nconst rows = open('./data/' + size + '.csv');\nexport default function () { return rows; }\n",
    'specs/shop/lib/a.js': "export { size } from './b.js';\n",
    'specs/shop/lib/b.js': "export const size = 'large';\n",
    'specs/shop/data/large.csv': 'a\nb\n',
    '.npmrc': 'fund=false\n',
  };
  const specOf = (/** @type {string} */ setup, command = '["node", "server.js"]') => `title = "Shop"
[environments.local]
url = "http://127.0.0.1:\${port}"
setup = ${setup}
[[environments.local.services]]
name = "app"
command = ${command}
env = { PORT = "\${port}" }
[scenarios.s]
executor = "constant-vus"
duration = "1s"
script = "s.js"
`;
  const plain = specOf('["true"]');
  const npm = specOf('["npm", "run", "--prefix", "../..", "seed"]');
  const make = specOf('["make", "-C", "../..", "fill"]');
  /** @type {[string, string, Record<string, string>, RegExp | null][]} */
  const changes = [
    [
      'a script of package.json',
      npm,
      { 'package.json': usual['package.json'].replace('20000', '10') },
      /^script seed of /,
    ],
    ['.npmrc', npm, { '.npmrc': 'script-shell=./fast.sh\n' }, /^file \.\.\/\.\.\/\.npmrc$/],
    ['a module of a module', npm, { 'tools/lib/deep.js': 'export const rows = 0;\n' }, /tools\/lib\/deep\.js$/],
    ['a file that a module reads', npm, { 'tools/names.txt': '' }, /tools\/names\.txt$/],
    ['another script of package.json', npm, { 'package.json': usual['package.json'].replace('true', 'false') }, null],
    ['a Makefile', make, { Makefile: usual.Makefile.replace('ROWS = 10', 'ROWS = 1') }, /Makefile$/],
    ['a module of Python', make, { 'fill/helpers.py': 'rows = 0\n' }, /fill\/helpers\.py$/],
    ['a module of a package of Python', make, { 'fill/lib/deep.py': 'rows = 0\n' }, /fill\/lib\/deep\.py$/],
    ['a file that a sourced file reads', make, { 'fill/fill.sql': 'select 2;\n' }, /fill\/fill\.sql$/],
    ['a file that is sourced', make, { 'fill/common.sh': 'true\n' }, /fill\/common\.sh$/],
    ['a file that a comment names', make, { 'fill/not.sh': 'true\n' }, null],
    ['what make does not run', make, { 'tools/seed.js': '' }, null],
    ['a path made of pieces, in a script', plain, { 'specs/shop/data/large.csv': 'a\n' }, /^file data\/large\.csv$/],
    [
      'a module of a module of a script',
      plain,
      { 'specs/shop/lib/b.js': "export const size = 'small';\n" },
      /^file lib\/b\.js$/,
    ],
    ['the product', npm, { 'specs/shop/server.js': '2' }, null],
    [
      'how npm start starts it',
      specOf('["true"]', '["npm", "start", "--prefix", "../.."]'),
      { 'package.json': usual['package.json'].replace('node server', 'CACHE=1 node server') },
      /^script start of /,
    ],
    [
      'what make starts',
      specOf('["true"]', '["make", "-C", "../..", "fill"]'),
      { Makefile: usual.Makefile.replace('sh fill/more.sh', 'CACHE=1 sh fill/more.sh') },
      /^script more of /,
    ],
    [
      'what make does not start',
      specOf('["true"]', '["make", "-C", "../..", "fill"]'),
      { Makefile: usual.Makefile.replace('touch x', 'touch y'), 'fill/fill.py': '' },
      null,
    ],
    [
      'what runs before npm start',
      specOf('["true"]', '["sh", "-c", "exec npm --prefix ../.. start"]'),
      { 'package.json': usual['package.json'].replace('true', 'node warm.js') },
      /^script prestart of /,
    ],
  ];
  for (const [what, spec, files, expected] of changes) {
    test(what, async () => {
      const base = { ...usual, 'specs/shop/data/small.csv': 'a\n', 'specs/shop/spec.toml': spec };
      const folders = await Promise.all([folderOf(base), folderOf({ ...base, ...files })]);
      const subjects = rulerDifferences(...(await both(/** @type {[string, string]} */ (folders)))).map(
        ({ subject }) => subject,
      );
      if (expected === null) assert.deepEqual(subjects, []);
      else
        assert.ok(
          subjects.some((subject) => expected.test(subject)),
          subjects.join('; '),
        );
    });
  }

  test('what cannot be followed is named', async () => {
    const folder = await folderOf({ ...usual, 'specs/shop/spec.toml': specOf('["bin/rails", "db:seed"]') });
    const [ruler] = await both([folder, folder]);
    assert.deepEqual(ruler.opaque, ['bin/rails db:seed']);
  });
});
