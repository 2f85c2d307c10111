import { join } from 'node:path';
import { writeCase } from '../measure/case-file.js';
import { definitionHash } from '../session/definition-hash.js';
import { headerOf } from '../session/run-header.js';

/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { CaseFile } from '../generator/k6.js' */
/** @import { CaseContext } from './contexts.js' */
/** @import { SideName } from './split.js' */

/** @typedef {Record<SideName, CaseFile>} FilesOfSides */

/**
 * Writes case.json for both sides: what is measured is one and the same.
 * @param {CaseContext} context
 * @param {{ cases: Record<SideName, Case>, ruler: Case, folderOf: (side: SideName) => string }} what ruler: what both sides are
 *   measured by; folderOf: in the case's folder
 * @returns {Promise<FilesOfSides>}
 */
export async function writeCases({ duet, folder, generator }, { cases, ruler, folderOf }) {
  const { head, seed, command, runs } = duet;
  const given = { root: head.root, definition: definitionHash(ruler, head.root), generator };
  const write = async (/** @type {SideName} */ side) => {
    const options = { seed, rounds: null, profile: ruler.profile, command, source: duet[side] };
    const header = await headerOf(runs.head, options);
    return writeCase(join(folder, folderOf(side)), cases[side], { ...given, header });
  };
  return { base: await write('base'), head: await write('head') };
}
