import { join } from 'node:path';
import type { Case } from '../../suite/cases/expand.js';
import type { CaseFile } from '../generator/k6.js';
import { writeCase } from '../measure/case-file.js';
import { definitionHash } from '../session/definition-hash.js';
import { headerOf } from '../session/run-header.js';
import type { CaseContext } from './contexts.js';
import type { SideName } from './split.js';

export type FilesOfSides = Record<SideName, CaseFile>;

/**
 * Writes case.json for both sides: both are measured in the same way.
 * @param what ruler: it measures both sides; folderOf: in the case's folder
 */
export async function writeCases(
  { duet, folder, generator }: CaseContext,
  { cases, ruler, folderOf }: { cases: Record<SideName, Case>; ruler: Case; folderOf: (side: SideName) => string },
): Promise<FilesOfSides> {
  const { head, seed, command, runs } = duet;
  const given = { root: head.root, definition: definitionHash(ruler, head.root), generator };
  const write = async (side: SideName) => {
    const options = { seed, rounds: null, profile: ruler.profile, command, source: duet[side] };
    const header = await headerOf(runs.head, options);
    return writeCase(join(folder, folderOf(side)), cases[side], { ...given, header });
  };
  return { base: await write('base'), head: await write('head') };
}
