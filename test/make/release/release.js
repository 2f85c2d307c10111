// Packs a release: the package, and a package of tools for each platform, which it asks for as optional dependencies.
//
//   node test/make/release/release.js <folder> [platform…]   # default: every platform
//
// The same commit gives the same bytes on any machine: Go is of one version and gets no path of this machine, and npm packs
// without times. SHA256SUMS says which. The tools of another platform are cross-compiled.
//
// package.json of the repository does not name the packages of tools: the registry has those of a version only once it is
// released, and `npm ci` must work before. A release names them, each at its own version.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageVersion, platformPackage } from '../../../dist/base/tools/find-tool.js';
import { root } from '../../support/cli.js';
import { pack } from '../../support/package.js';
import { makeToolsPackage, platforms } from './tools-package.js';

/**
 * Packs our package as a release has it, with the packages of tools for some platforms.
 * @param {string} folder where to
 * @param {readonly string[]} [names] of platforms
 * @returns {{ main: string, tools: string[] }} the packed files
 */
export function packRelease(folder, names = Object.keys(platforms)) {
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), 'benchfolio-release-'));
  try {
    const tools = names.map((name) => {
      const place = join(scratch, name);
      makeToolsPackage(place, name, shared());
      return { name, file: pack(folder, place).file };
    });
    const main = packMain(folder, tools);
    const files = tools.map(({ file }) => file);
    const sums = [...files, main].map((file) => `${sha256(file)}  ${file.slice(folder.length + 1)}\n`);
    writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
    return { main, tools: files };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What npm's provenance compares with the workflow that publishes. @returns {object} of package.json */
function shared() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  return server && repository ? { repository: { type: 'git', url: `git+${server}/${repository}.git` } } : {};
}

/**
 * While it is packed, package.json names the packages of tools, and the lock, of which the shrinkwrap is made, their bytes.
 * @param {string} folder
 * @param {readonly { name: string, file: string }[]} tools name: of the platform
 * @returns {string} the packed file
 */
function packMain(folder, tools) {
  const version = packageVersion();
  const named = tools.map(({ name, file }) => ({ ...platforms[name], name: platformPackage(platforms[name]), file }));
  const optional = Object.fromEntries(named.map(({ name }) => [name, version]));
  const entries = named.map(({ name, platform, arch, file }) => [
    `node_modules/${name}`,
    {
      version,
      resolved: `https://registry.npmjs.org/${name}/-/${name.split('/')[1]}-${version}.tgz`,
      integrity: `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`,
      ...{ cpu: [arch], optional: true, os: [platform] },
    },
  ]);
  const withTools = (/** @type {any} */ manifest) => ({
    ...manifest,
    optionalDependencies: { ...manifest.optionalDependencies, ...optional },
  });
  const changed = {
    'package.json': (/** @type {any} */ manifest) => ({ ...withTools(manifest), ...shared() }),
    'package-lock.json': (/** @type {any} */ lock) => ({
      ...lock,
      packages: { ...lock.packages, '': withTools(lock.packages['']), ...Object.fromEntries(entries) },
    }),
  };
  const before = Object.keys(changed).map((name) => {
    const file = join(root, name);
    return { file, text: readFileSync(file, 'utf8'), ...statSync(file) };
  });
  try {
    for (const [i, change] of Object.values(changed).entries())
      writeFileSync(before[i].file, `${JSON.stringify(change(JSON.parse(before[i].text)), null, 2)}\n`);
    return pack(folder).file;
  } finally {
    for (const { file, text, atime, mtime } of before) {
      writeFileSync(file, text);
      utimesSync(file, atime, mtime); // make installs again what looks newer
    }
  }
}

/** @param {string} file */
const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, ...names] = process.argv.slice(2);
  packRelease(resolve(folder), names.length ? names : undefined);
  process.stdout.write(readFileSync(join(folder, 'SHA256SUMS')));
}
