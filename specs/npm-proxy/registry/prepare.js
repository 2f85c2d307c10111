// Makes what the registries of a run start with, in <folder>/npm-proxy:
//
//   upstream/   the packages of rows.csv, published through the API
//   cache/      what the proxy keeps when all of them have been downloaded through it once
//
//   node registry/prepare.js <folder>        nothing to do where all of this is there already
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { publishDocument } from './package.js';
import { startRegistry } from './verdaccio.js';

const [runDir] = process.argv.slice(2);
const folder = join(runDir, 'npm-proxy');
const cache = join(folder, 'cache');

if (!existsSync(cache)) await prepare();

async function prepare() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const rows = readRows();
  const upstream = await startRegistry('upstream', { 'run.dir': runDir });
  try {
    for (const row of rows) await publish(upstream.url, row);
    const { port } = new URL(upstream.url);
    const proxy = await startRegistry('proxy', { 'run.dir': runDir, 'port.upstream': port, maxage: '1d' });
    try {
      for (const row of rows) await download(proxy.url, row);
      await upstream.stop();
      for (const row of rows) await download(proxy.url, row); // from the cache alone
    } finally {
      await proxy.stop();
    }
  } finally {
    await upstream.stop();
  }
  renameSync(join(folder, 'proxy'), cache);
  console.log(`${rows.length} packages published, and downloaded through the proxy`);
}

/** @typedef {{ name: string, tarball: string, bytes: number }} Row */

/** @returns {Row[]} */
function readRows() {
  const lines = readFileSync(join(import.meta.dirname, '..', 'rows.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  const cells = lines.map((line) => line.split(','));
  return cells.map(([name, tarball, bytes]) => ({ name, tarball, bytes: Number(bytes) }));
}

/** All versions up to the one of the row: 1.0.0, 1.1.0, … @param {string} registry @param {Row} row */
async function publish(registry, { name, tarball, bytes }) {
  const newest = Number(/-1\.(\d+)\.0\.tgz$/.exec(tarball)?.[1]);
  for (let minor = 0; minor <= newest; minor += 1) {
    const body = JSON.stringify(publishDocument({ name, version: `1.${minor}.0`, bytes }));
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${registry}/${name}`, { method: 'PUT', headers, body });
    if (!answer.ok) throw new Error(`publishing ${name}: ${answer.status} ${await answer.text()}`);
  }
}

/** @param {string} registry @param {Row} row */
async function download(registry, { name, tarball, bytes }) {
  const metadata = await (await fetch(`${registry}/${name}`)).json();
  const { dist } = metadata.versions[metadata['dist-tags'].latest];
  if (!dist.tarball.endsWith(`/${tarball}`)) throw new Error(`${name}: the newest is ${dist.tarball}, not ${tarball}`);
  const got = (await (await fetch(dist.tarball)).arrayBuffer()).byteLength;
  if (got !== bytes) throw new Error(`${dist.tarball} has ${got} bytes, and should have ${bytes}`);
}
