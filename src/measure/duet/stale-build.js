import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runningFiles } from '../../process/running-files.js';
import { gitIn } from '../../tools/git.js';
import { isWithin, shared } from './foreign-files.js';

/** @import { Case } from '../../cases/expand.js' */
/** @import { RunningService } from '../../services/service.js' */

/** More files than this are not compared: it is a note, and takes time before the load. */
const most = 2000;

/**
 * Finds a build of the working tree that ended well, wrote nothing, and left what base runs: most likely it failed without
 * saying so, and what runs is of an earlier build. Only what is not in git is the output of a build; a folder that holds a
 * file which the build wrote, or another file than base's, is not stale.
 * @param {readonly Pick<RunningService, 'name' | 'running'>[]} services of head
 * @param {{ benchCase: Pick<Case, 'services'>, root: string, base: string, since: number }} given root: head's suite; base:
 *   base's; since: when the build began, in epoch milliseconds
 * @returns {Promise<string | null>} a sentence
 */
export async function staleBuild(services, { benchCase, root, base, since }) {
  const built = benchCase.services.filter(({ build }) => build.length > 0).map(({ name }) => name);
  const git = gitIn(root);
  const top = await git(['rev-parse', '--show-toplevel']).then(
    (text) => String(text).trim(),
    () => null,
  );
  if (top === null) return null;
  for (const { name, running } of services.filter((service) => built.includes(service.name))) {
    for (const file of runningFiles(running.processes())) {
      if (
        !isWithin(file, top) ||
        shared.test(relative(top, file)) ||
        !statSync(file, { throwIfNoEntry: false })?.isFile()
      )
        continue;
      if (String(await git(['ls-files', '--', file])).trim() !== '') continue;
      const folder = dirname(file);
      const outputs = filesIn(folder);
      if (outputs === null || outputs.some((path) => statSync(join(folder, path)).mtimeMs >= since)) continue;
      if (!isSame(outputs, folder, join(base, relative(root, folder)))) continue;
      return `The build of service ${name} ended well and wrote nothing: ${relative(top, file)}, which runs, is the same as base's.`;
    }
  }
  return null;
}

/** @param {string} folder @returns {string[] | null} paths in it; null: too many, or it is gone */
function filesIn(folder) {
  try {
    const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return found.length > most
      ? null
      : found.map((entry) => relative(folder, join(entry.parentPath, entry.name))).sort();
  } catch {
    return null;
  }
}

/** @param {string[]} outputs @param {string} folder @param {string} other */
function isSame(outputs, folder, other) {
  if (String(filesIn(other)) !== String(outputs)) return false;
  return outputs.every((path) => readFileSync(join(folder, path)).equals(readFileSync(join(other, path))));
}
