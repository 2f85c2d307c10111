// Does what the documents say, as they say it:
//
//   node test/docs/run.js               all of them
//   node test/docs/run.js tutorial      those with this in their path
//   SHOW=1 node test/docs/run.js        and prints what the commands print: the numbers in the documents are from there
//   node test/docs/run.js --unmeasured  reads all of them, and follows each until it measures something or needs what was
//                                       measured: the same on any machine
//
// blocks.js says how a document is marked, places.js where its commands run, play.js how.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/cli.js';
import { documents, isDone, measures, readDocument } from './blocks.js';
import { openPlaces } from './places.js';
import { endAll, player } from './play.js';

/** @import { Block } from './blocks.js' */

const scratch = mkdtempSync(join(tmpdir(), 'benchfolio-docs-'));
/** Nothing is left, however this ends. */
process.on('exit', () => {
  endAll();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

const unmeasured = process.argv.includes('--unmeasured');
const asked = process.argv.slice(2).filter((arg) => arg !== '--unmeasured');
const started = performance.now();
const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;

try {
  const chosen = documents().filter((path) => asked.length === 0 || asked.some((part) => path.includes(part)));
  if (chosen.length === 0) throw new Error(`no document has ${asked.join(' or ')} in its path`);
  const { env, file, folderFor } = await openPlaces(scratch, (path) => folderAfter(path));
  const play = player({ env, file, tell: (text) => console.log(`${text} (${seconds()})`) });

  /** Each document is followed once; the folder that it leaves. @type {Map<string, Promise<string>>} */
  const done = new Map();
  const folderAfter = (/** @type {string} */ path) => {
    const folder = done.get(path) ?? follow(path, { folderFor, play });
    done.set(path, folder);
    return folder;
  };
  for (const path of chosen) await folderAfter(path);
  console.log(`\nThe documents say what is so (${seconds()}).`);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

/**
 * What comes before the first measurement; nothing where the document goes on from what the tutorial has measured.
 * @param {Block[]} blocks
 * @param {string | null} place
 */
function withoutMeasuring(blocks, place) {
  const end = place === 'what the tutorial leaves' ? 0 : blocks.findIndex(measures);
  return end < 0 ? blocks : blocks.slice(0, end);
}

/**
 * @param {string} path of a document
 * @param {{ folderFor: (place: string, name: string) => Promise<string>, play: ReturnType<typeof player> }} by
 * @returns {Promise<string>} its folder; '' where it asks for none
 */
async function follow(path, { folderFor, play }) {
  let at = path;
  try {
    const { place, blocks: all } = readDocument(readFileSync(join(root, path), 'utf8'));
    const blocks = unmeasured ? withoutMeasuring(all, place) : all;
    const folder = place && blocks.some(isDone) ? await folderFor(place, path.replaceAll('/', '-')) : '';
    let printed = '';
    for (const block of blocks) {
      at = `${path}:${block.line}`;
      printed = await play(block, { folder, at, printed });
    }
    return folder;
  } catch (error) {
    throw new Error(`${at}: ${error instanceof Error ? error.message : error}`);
  }
}
