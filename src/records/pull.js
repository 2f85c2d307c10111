import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../base/errors.js';
import { writeWhole } from '../base/io/files.js';
import { gitIn } from '../base/tools/git.js';
import { explained, fetchTip, nameOf } from './data-branch.js';
import { duetNameOf, duetPath, duetsDir, mostDuetBytes, parseDuet } from './duets.js';
import { FileProblem, parseRecord } from './read-record.js';
import { placeOf, versionsDir } from './versions.js';

/** @import { DataBranch } from './data-branch.js' */

/** More than the 64 kB that a record may have: a larger file is not a record, and is not read. */
const mostRecordBytes = 1 << 20;

/** @param {string} path */
const mostBytesOf = (path) => (duetOnBranch(path) === null ? mostRecordBytes : mostDuetBytes);

/**
 * @param {string} path on the branch
 * @returns {string | null} the name of the duet that lies there; null: no duet does
 */
function duetOnBranch(path) {
  const [folder, ...below] = path.split('/');
  return folder === 'duets' ? duetNameOf(below.join('/')) : null;
}

/** As many are read at once: a branch may have many thousands. */
const atOnce = 200;

/**
 * Brings the records and duets of the data branch into reports, where all else looks for them. What is neither is left
 * out, and no file that is here already is changed.
 * @param {DataBranch} dataBranch
 * @param {string} [name] only this version or duet
 * @returns {Promise<{ records: number, duets: number, same: number, leftOut: { path: string, why: string }[] }>} records,
 *   duets: that are new here
 * @throws {UserError} there is no such branch, or no such version there; or (code 4) the remote does not answer
 */
export async function pullFiles(dataBranch, name) {
  const tip = await fetchTip(dataBranch);
  if (tip === null) {
    throw new UserError(`there is no ${nameOf(dataBranch)}`, { hint: 'benchfolio keep <name> --push begins it.' });
  }
  try {
    const entries = await entriesOf(tip, name, dataBranch);
    if (name !== undefined && entries.length === 0)
      throw new UserError(`${nameOf(dataBranch)} has no version or duet ${name}`);
    return await bring(entries, dataBranch);
  } catch (error) {
    throw explained(error, `cannot read the files of ${nameOf(dataBranch)}`);
  }
}

/** @typedef {{ path: string, object: string, bytes: number }} BranchFile */

/**
 * The files of the branch, but for what lies beside the versions (a README).
 * @param {string} tip
 * @param {string | undefined} name
 * @param {DataBranch} dataBranch
 * @returns {Promise<BranchFile[]>}
 */
async function entriesOf(tip, name, { root }) {
  const listed = String(await gitIn(root)(['ls-tree', '-r', '-z', '--long', '--full-tree', tip]))
    .split('\0')
    .filter(Boolean);
  return listed.flatMap((line) => {
    const [, object, size, path] = /** @type {RegExpExecArray} */ (/^\d+ \w+ (\w+) +(\d+|-)\t(.*)$/s.exec(line));
    const [folder, ...below] = path.split('/');
    const isWanted = below.length > 0 && (name === undefined || name === (duetOnBranch(path) ?? folder));
    return isWanted ? [{ path, object, bytes: Number(size) }] : [];
  });
}

/**
 * @param {BranchFile[]} entries
 * @param {DataBranch} dataBranch
 */
async function bring(entries, dataBranch) {
  const outcome = { records: 0, duets: 0, same: 0, leftOut: /** @type {{ path: string, why: string }[]} */ ([]) };
  for (let from = 0; from < entries.length; from += atOnce) {
    const some = entries.slice(from, from + atOnce);
    const texts = await textsOf(some, dataBranch);
    for (const { path, object, bytes } of some) {
      try {
        outcome[await fileText(path, texts.get(object) ?? refuse(path, bytes), dataBranch)] += 1;
      } catch (error) {
        if (!(error instanceof FileProblem)) throw error;
        outcome.leftOut.push({ path, why: `it ${error.problem}` });
      }
    }
  }
  return outcome;
}

/** @param {string} path @param {number} bytes NaN: not a file @returns {never} */
function refuse(path, bytes) {
  throw new FileProblem(
    path,
    bytes > mostBytesOf(path) ? `has ${bytes} bytes: more than it may have` : 'is not a file',
    {},
  );
}

/**
 * @param {string} path
 * @param {string} text
 * @param {DataBranch} dataBranch
 * @returns {Promise<'records' | 'duets' | 'same'>}
 * @throws {FileProblem} it is neither a record nor a duet of that place, or another is here
 */
async function fileText(path, text, dataBranch) {
  const { target, what } = targetOf(path, text, dataBranch);
  const here = await readFile(target, 'utf8').catch(() => null);
  if (here === text) return 'same';
  if (here !== null) throw new FileProblem(path, 'is here already, with other content', {});
  await writeWhole(target, text);
  return what;
}

/**
 * Where a file of the branch belongs. The names in its path are good then: it leads nowhere else.
 * @param {string} path
 * @param {string} text
 * @param {DataBranch} dataBranch
 * @returns {{ target: string, what: 'records' | 'duets' }}
 * @throws {FileProblem}
 */
function targetOf(path, text, dataBranch) {
  const duet = duetOnBranch(path);
  if (duet !== null) {
    parseDuet(text, path, duet);
    return { target: join(duetsDir(dataBranch), duetPath(duet)), what: 'duets' };
  }
  const lies = placeOf(path);
  if (lies === null) throw new FileProblem(path, 'is not in the folder of an environment of a version', {});
  parseRecord(text, path, lies);
  return { target: join(versionsDir(dataBranch), path), what: 'records' };
}

/**
 * @param {BranchFile[]} entries
 * @param {DataBranch} dataBranch
 * @returns {Promise<Map<string, string>>} by object; without those that are too large, and those that are not files
 */
async function textsOf(entries, { root }) {
  const objects = entries.filter(({ path, bytes }) => bytes <= mostBytesOf(path)).map(({ object }) => `${object}\n`);
  const batch = await gitIn(root)(['cat-file', '--batch'], objects.join(''));
  const texts = new Map();
  for (let at = 0; at < batch.length; ) {
    // "<object> blob <size>\n<content>\n" each
    const line = batch.indexOf('\n', at);
    const [object, , size] = batch.subarray(at, line).toString().split(' ');
    texts.set(object, batch.subarray(line + 1, line + 1 + Number(size)).toString());
    at = line + 1 + Number(size) + 1;
  }
  return texts;
}
