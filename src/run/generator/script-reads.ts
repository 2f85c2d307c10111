import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeTemporaryFolder } from '../../base/io/files.js';
import { openTar } from '../../base/io/tar.js';
import { ExecError, exec } from '../../base/tools/exec.js';
import { withoutUser } from './read-archive.js';

/** Milliseconds that k6 may take to load a script. */
const longest_ms = 60_000;

/**
 * Lists what a script imports and opens, as k6 itself resolves it: also paths that are made of pieces, and modules of modules.
 * @param script absolute; it takes nothing from our package, which needs a case
 * @param given top: the folder that files are named from; variables: those of the scenario
 * @returns digests, by path in top or by address; null: k6 could not load it
 */
export async function readsOfScript(
  script: string,
  { k6, top, variables }: { k6: string; top: string; variables: Record<string, string> },
): Promise<Map<string, string> | null> {
  const folder = makeTemporaryFolder();
  const file = join(folder, 'script.tar');
  const given = Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, K6_AUTO_EXTENSION_RESOLUTION: 'false' };
  try {
    await exec(k6, ['archive', '--no-color', ...given, '-O', file, script], {
      env,
      cwd: dirname(script),
      timeout_ms: longest_ms,
    });
    const prefix = `file${withoutUser(top)}/`;
    return new Map(
      [...openTar(file).values()]
        .filter(({ name }) => name.startsWith(prefix) || /^https?\//.test(name))
        .map((entry) => [
          entry.name.startsWith(prefix) ? entry.name.slice(prefix.length) : entry.name,
          createHash('sha256').update(entry.content()).digest('hex'),
        ]),
    );
  } catch (error) {
    if (!(error instanceof ExecError)) throw error;
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
