import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../base/errors.js';
import { writeWhole } from '../base/io/files.js';
import { gitIn } from '../base/tools/git.js';
import { type DataBranch, explained, fetchTip, nameOf } from './data-branch.js';
import { duetNameOf, duetPath, duetsDir, mostDuetBytes, parseDuet } from './duets.js';
import { FileProblem, parseRecord } from './read-record.js';
import { placeOf, versionsDir } from './versions.js';

/** More than the 64 kB that a record may have: a larger file is not a record, and is not read. */
const mostRecordBytes = 1 << 20;

const mostBytesOf = (path: string) => (duetOnBranch(path) === null ? mostRecordBytes : mostDuetBytes);

/**
 * @param path on the branch
 * @returns the name of the duet that lies there; null: no duet does
 */
function duetOnBranch(path: string): string | null {
  const [folder, ...below] = path.split('/');
  return folder === 'duets' ? duetNameOf(below.join('/')) : null;
}

/** As many are read at once: a branch may have many thousands. */
const atOnce = 200;

/**
 * Brings the records and duets of the data branch into reports, where all else looks for them. Other files are left
 * out, and no file that is here already is changed.
 * @param name only this version or duet
 * @returns records, duets: that are new here
 * @throws {UserError} there is no such branch, or no such version there; or (code 4) the remote does not answer
 */
export async function pullFiles(
  dataBranch: DataBranch,
  name?: string,
): Promise<{ records: number; duets: number; same: number; leftOut: { path: string; why: string }[] }> {
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

type BranchFile = { path: string; object: string; bytes: number };

/** The files of the branch, but for what lies beside the versions (a README). */
async function entriesOf(tip: string, name: string | undefined, { root }: DataBranch): Promise<BranchFile[]> {
  const listed = String(await gitIn(root)(['ls-tree', '-r', '-z', '--long', '--full-tree', tip]))
    .split('\0')
    .filter(Boolean);
  return listed.flatMap((line) => {
    const [, object, size, path] = /^\d+ \w+ (\w+) +(\d+|-)\t(.*)$/s.exec(line) as RegExpExecArray;
    const [folder, ...below] = path.split('/');
    const isWanted = below.length > 0 && (name === undefined || name === (duetOnBranch(path) ?? folder));
    return isWanted ? [{ path, object, bytes: Number(size) }] : [];
  });
}

async function bring(entries: BranchFile[], dataBranch: DataBranch) {
  const outcome = { records: 0, duets: 0, same: 0, leftOut: [] as { path: string; why: string }[] };
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

/** @param bytes NaN: not a file */
function refuse(path: string, bytes: number): never {
  throw new FileProblem(
    path,
    bytes > mostBytesOf(path) ? `has ${bytes} bytes: more than it may have` : 'is not a file',
    {},
  );
}

/** @throws {FileProblem} it is neither a record nor a duet of that place, or another is here */
async function fileText(path: string, text: string, dataBranch: DataBranch): Promise<'records' | 'duets' | 'same'> {
  const { target, what } = targetOf(path, text, dataBranch);
  const here = await readFile(target, 'utf8').catch(() => null);
  if (here === text) return 'same';
  if (here !== null) throw new FileProblem(path, 'is here already, with other content', {});
  await writeWhole(target, text);
  return what;
}

/**
 * Where a file of the branch belongs. The names in its path are good then: it leads nowhere else.
 * @throws {FileProblem}
 */
function targetOf(path: string, text: string, dataBranch: DataBranch): { target: string; what: 'records' | 'duets' } {
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

/** @returns by object; without those that are too large, and those that are not files */
async function textsOf(entries: BranchFile[], { root }: DataBranch): Promise<Map<string, string>> {
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
