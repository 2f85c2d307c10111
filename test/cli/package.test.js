import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { before, describe, test } from 'node:test';
import { folderOf, root } from '../support/cli.js';
import { call, pack } from '../support/package.js';

/** @param {string} folder @returns {string[]} the files in it, from the root */
const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

/** What the modules of src/ are compiled to. */
const compiled = filesIn('src')
  .filter((path) => path.endsWith('.ts'))
  .map((path) => path.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js'));

/** All other Go files tell whether k6 was built of them (src/base/tools/sources.ts): one that is not in the package has it built anew. */
const goTest = /_test\.go$/;

describe('the package as others get it', () => {
  /** @type {ReturnType<typeof pack>} */
  let packed;
  before(async () => {
    packed = pack(await folderOf({}));
  });

  test('holds what is needed', () => {
    const needed = [
      ...compiled.flatMap((path) => [path, `${path}.map`]),
      ...['k6', 'site', 'reports/schema'].flatMap(filesIn).filter((path) => !goTest.test(path)),
      ...filesIn('src').filter((path) => !/\.ts$|tsconfig\.json$/.test(path)),
      ...filesIn('reports').filter((path) => path.endsWith('.jq')),
      'action.yml',
      'package.json',
      'npm-shrinkwrap.json',
      'README.md',
      'LICENSE',
      'specs/spec.schema.json',
      'specs/bench.schema.json',
      'node_modules/smol-toml/dist/index.js',
      'src/init/template/gitignore',
    ];
    assert.deepEqual(
      needed.filter((path) => !packed.paths.includes(path)),
      [],
    );
  });

  test('and nothing more: no spec, test, record or build of ours', () => {
    const places =
      /^src\/(base\/tools\/[a-z0-9]+|init\/template)\/|^(k6|site)\/|^reports\/((import\/)?(lib\/([a-z]+\/)?)?[^/]+)\.jq$|^reports\/schema\/|^specs\/[^/]+\.schema\.json$|^node_modules\/smol-toml\/|^(action\.yml|package\.json|npm-shrinkwrap\.json|README\.md|LICENSE)$/;
    assert.deepEqual(
      packed.paths.filter((path) => !places.test(path) && !compiled.includes(path.replace(/\.map$/, ''))),
      [],
      'dist/ has modules that src/ no longer has: run make clean',
    );
    assert.deepEqual(
      packed.paths.filter((path) => /\.test(\.js)?$|_test\.go$|\.tmp$|(^|\/)\.|^site\/(public|resources)\//.test(path)),
      [],
    );
    assert.ok(packed.size < 1.45e6, `${packed.size} bytes`);
  });

  test('no page in it leads to a file that is not', () => {
    const pages = packed.paths.filter((path) => path === 'README.md' || /^site\/content\/.*\.md$/.test(path));
    assert.ok(pages.length > 20, pages.join());
    const links = pages.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/(?<!!\[[^\]]*)\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
        ([, to]) => ({
          path,
          to: normalize(join(dirname(path), to)),
        }),
      ),
    );
    assert.ok(links.length > 50, `${links.length} links`);
    assert.deepEqual(
      links.filter(({ to }) => !packed.paths.includes(to)),
      [],
    );
  });

  test('says where it comes from', () => {
    const { repository, homepage, bugs, keywords } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const address of [repository.url, homepage, bugs])
      assert.match(address, /^(git\+)?https:\/\/github\.com\/\S+$/);
    assert.ok(keywords.length > 3);
  });

  test('asks npm for every package that its code imports', () => {
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const code = [...compiled, ...filesIn('k6').filter((path) => path.endsWith('.js'))];
    const imported = code
      .flatMap((path) =>
        [
          ...readFileSync(join(root, path), 'utf8').matchAll(
            /(?:^import .*|^\} )from '([^'.][^']*)'|\bimport\('([^'.][^']*)'\);/gm,
          ),
        ].map(([, fixed, lazy]) => fixed ?? lazy),
      )
      .filter((name) => !/^(node:|k6(\/|$))/.test(name));
    const names = [
      ...new Set(
        imported.map((name) =>
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        ),
      ),
    ];
    assert.ok(names.length > 5, names.join());
    assert.deepEqual(
      names.filter((name) => !(name in dependencies || name in optionalDependencies)),
      [],
    );
  });

  test('pins what is installed with it to what was tested, and nothing for development', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const shrinkwrap = JSON.parse(call(root, 'tar', '-xzOf', packed.file, 'package/npm-shrinkwrap.json')).packages;
    const shipped = Object.entries(lock).filter(([path, { dev }]) => path !== '' && !dev);
    assert.ok(shipped.length > 50 && shipped.every(([, { integrity }]) => /^sha512-/.test(integrity)));
    assert.deepEqual(Object.entries(shrinkwrap).slice(1), shipped);
    assert.ok(!('devDependencies' in shrinkwrap['']) && 'typescript' in lock[''].devDependencies);
    // Other tests may pack at this moment.
    const look = () => call(root, 'flock', 'package.json', 'test', '!', '-e', 'npm-shrinkwrap.json');
    assert.doesNotThrow(look, 'it is there only while it is packed');
  });

  test('has all that a k6 with the native player is built from', async () => {
    const folder = await folderOf({});
    call(folder, 'tar', '-xzf', packed.file);
    const built = join(folder, 'k6');
    // With the settings of `benchfolio tools`, so that Go has the parts in its cache.
    const settings = ['CGO_ENABLED=0', 'go', 'build', '-trimpath', '-buildvcs=false', '-ldflags=-s -w'];
    call(join(folder, 'package/src/base/tools/k6'), 'env', ...settings, '-o', built, '.');
    assert.match(call(folder, built, 'version'), /k6\/x\/benchfolio/);
  });
});

test('what it depends on runs on the oldest Node.js that it names', () => {
  const read = (/** @type {string} */ file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const [, oldest] = read('package.json').engines.node.split('>=');
  const versionOf = (/** @type {string} */ text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [major, minor] = versionOf(oldest);
  /** One alternative of a range, as packages write them: ">= 20", "^20.19.0", "6.*". @param {string} range */
  const suits = (range) => {
    const [, sign = '', version] = /(>=|\^)? *([\d.]+)/.exec(range) ?? [];
    const [least, within = 0] = versionOf(version);
    if (sign === '>=') return least < major || (least === major && within <= minor);
    return least === major && within <= minor;
  };
  const strange = Object.entries(read('package-lock.json').packages)
    .filter(([, { dev, engines }]) => !dev && engines?.node && !engines.node.split('||').some(suits))
    .map(([path, { engines }]) => `${path} wants Node.js ${engines.node}`);
  assert.deepEqual(strange, []);
});
