import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { FileProblem, otherVersion, readJson } from '../../records/read-record.js';
import { generatorProblem } from '../../records/schema.js';
import { digestsOf, type Said } from '../generator/results.js';

export type Generator = { folder: string; said: Said };

/** How many folders are read at the same time. */
const atOnce = 4;

const getAgain = 'Copy the folder again from where `benchfolio generate` left it, or measure again.';

/**
 * Reads what `benchfolio generate` left on several machines.
 * @param folders each of a generator, or one that holds such folders
 * @returns in no order
 * @throws {UserError} there is nothing in one; its results are not whole, damaged, or of another version
 */
export async function readGenerators(folders: readonly string[]): Promise<Generator[]> {
  const all = folders.flatMap(generatorFolders);
  const read = all.map((folder) => ({ folder, said: readSaid(folder) }));
  for (let at = 0; at < read.length; at += atOnce) await Promise.all(read.slice(at, at + atOnce).map(compareFiles));
  return read;
}

/** @returns it, or those in it */
function generatorFolders(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`there is no folder ${folder}`, { hint: 'Name the folders that `benchfolio generate` wrote.' });
  }
  if (isGenerators(folder)) return [folder];
  const within = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
  const found = within.filter(isGenerators);
  if (found.length > 0) return found;
  const deeper = within.flatMap((inner) =>
    readdirSync(inner, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(inner, name)),
  );
  if (deeper.some(isGenerators)) return deeper.filter(isGenerators);
  throw new UserError(`${folder} has no results of a generator in it`, {
    hint: 'Name the folders that `benchfolio generate` wrote.',
  });
}

/** Also one that did not finish: nothing may be taken for less than it was to be. */
const isGenerators = (folder: string) =>
  ['generator.json', 'k6.log', 'services.ndjson'].some((name) => existsSync(join(folder, name)));

function readSaid(folder: string): Said {
  const file = join(folder, 'generator.json');
  if (!existsSync(file)) {
    throw new UserError(`${folder} is not whole: there is no generator.json, which is written last`, {
      hint: 'Its generator failed, was ended, or still works: k6.log there may say more. Measure again.',
    });
  }
  const said = readJson(file) as Said;
  const other = otherVersion(said);
  if (other) throw new FileProblem(file, other.problem, { hint: other.hint });
  const problem = generatorProblem(said);
  if (problem) throw new FileProblem(file, `is not what a generator writes: ${problem}`, { hint: getAgain });
  return said;
}

/** @throws {UserError} a file is missing, or another than it was */
async function compareFiles({ folder, said }: Generator) {
  const found = await digestsOf(folder);
  for (const [name, expected] of Object.entries(said.files)) {
    const file = join(folder, name);
    if (!found[name]) throw new UserError(`${file} is missing`, { hint: getAgain });
    if (found[name].bytes !== expected.bytes) {
      throw new UserError(`${file} has ${found[name].bytes} bytes, and had ${expected.bytes}`, { hint: getAgain });
    }
    if (found[name].sha256 !== expected.sha256)
      throw new UserError(`${file} is damaged: its sha256 is another`, { hint: getAgain });
  }
}
