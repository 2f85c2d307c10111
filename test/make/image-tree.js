// Lays out in .bench/image/ what the image has beside its base, for `docker build`:
//
//   node test/make/image-tree.js [platform] [folder of a release]   # default: this machine's, and one packed now
//
// That is the package with its tools as npm installs them, the names on PATH, and what git must know. Everything in it
// belongs to root in the image, and everybody may read it.
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { bytesIn } from '../../dist/base/io/folder-size.js';
import { exec } from '../../dist/base/tools/exec.js';
import { platformPackage } from '../../dist/base/tools/find-tool.js';
import { root } from '../support/cli.js';
import { cleanEnv } from '../support/package.js';
import { registryWith } from '../support/registry.js';
import { packRelease } from './release/release.js';
import { platforms } from './release/tools-package.js';

const [name = `linux-${process.arch}`, given] = process.argv.slice(2);
const of = platforms[name];
if (!of) throw new Error(`there is no ${name}: one of ${Object.keys(platforms).join(', ')}`);

/** Where the Dockerfile copies it from. */
const target = join(root, '.bench', 'image');

/**
 * git does not read a repository of somebody else's, and a folder that is mounted is: of root, or of a number without a
 * name. Who mounts it has chosen it.
 */
const gitConfig = '[safe]\n\tdirectory = *\n';

/** @param {string} folder of a release @returns {{ main: string, tools: string[] }} its packages that this image has */
function releaseIn(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  const one = (/** @type {RegExp} */ pattern) => {
    const found = files.filter((file) => pattern.test(file));
    if (found.length !== 1) throw new Error(`${folder} has ${found.length} packages ${pattern}, and must have one`);
    return join(resolve(folder), found[0]);
  };
  return { main: one(/^benchfolio-\d/), tools: [one(new RegExp(`^benchfolio-tools-${name}-\\d`))] };
}

/**
 * Installs as `npm install --global` does, from a registry that has the release beside all others.
 * @param {string} place the prefix
 * @param {{ main: string, tools: string[] }} packed
 * @param {string} cache of npm: of its own, for a version that was packed before would be taken from the user's
 */
async function install(place, { main, tools }, cache) {
  const registry = await registryWith(main, ...tools);
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--os', of.platform, '--cpu', of.arch];
  const where = ['--global', '--prefix', place, '--registry', registry.url, '--cache', cache];
  try {
    // Not execFileSync: this process serves the registry.
    await exec('npm', ['install', ...where, ...options, 'benchfolio'], { env: cleanEnv });
  } catch (error) {
    throw new Error(`npm could not install the package: ${/** @type {any} */ (error).stderr}`, { cause: error });
  } finally {
    registry.close();
  }
}

/** What a umask took away, or gave to a group. @param {string} folder */
function readableByAll(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    else if (entry.isFile()) chmodSync(path, isProgram(path) ? 0o755 : 0o644);
  }
}

/** @param {string} path */
const isProgram = (path) => /\/(?:bin\/[^/]+|dist\/cli\/bin\.js)$/.test(path);

const scratch = mkdtempSync(join(tmpdir(), 'benchfolio-image-'));
try {
  const packed = given ? releaseIn(given) : packRelease(join(scratch, 'release'), [name]);
  const tree = join(scratch, 'tree');
  const local = join(tree, 'usr', 'local');
  await install(local, packed, join(scratch, 'npm'));
  const tools = join(local, 'lib/node_modules/benchfolio/node_modules', platformPackage(of), 'bin');
  const link = (/** @type {string} */ tool, /** @type {string} */ path) => {
    mkdirSync(dirname(join(local, path)), { recursive: true });
    symlinkSync(relative(dirname(join(local, path)), join(tools, tool)), join(local, path));
  };
  link('hugo', 'bin/hugo');
  link('gojq', 'bin/jq');
  link('k6', 'lib/benchfolio/k6');
  copyFileSync(join(root, 'test', 'make', 'image', 'k6'), join(local, 'bin', 'k6'));
  mkdirSync(join(tree, 'etc'));
  writeFileSync(join(tree, 'etc', 'gitconfig'), gitConfig);
  readableByAll(tree);
  mkdirSync(dirname(target), { recursive: true });
  rmSync(target, { recursive: true, force: true });
  await rename(tree, target).catch(() => exec('cp', ['--archive', tree, target])); // another file system
  console.log(`${target}: ${name}, ${((await bytesIn(target)) / 1e6).toFixed(0)} MB`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
