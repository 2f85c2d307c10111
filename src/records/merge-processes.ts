import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exitCodes, UserError } from '../base/errors.js';
import { writeJson } from '../base/io/files.js';
import { ExecError, exec } from '../base/tools/exec.js';
import { findTool } from '../base/tools/find-tool.js';
import { mergeSummaries, type Summary } from './merge-summaries.js';
import { readJson } from './read-record.js';

/**
 * Makes of what several native players left what one would have left that did all of it: summary.json and histograms.ndjson of a
 * round. Counts are exact, quantiles are those of the histograms added up. What follows takes the time and memory of one,
 * however many there were: a second of each is held at a time.
 * @param folders of the processes; times are those of the first's clock
 * @param target the round's folder
 * @throws {UserError} code 4: a file is damaged, or there is no k6 that merges histograms
 */
export async function mergeProcesses(folders: readonly string[], target: string) {
  const k6 = await findTool('k6', { native: true });
  if (!k6.native) {
    throw new UserError(`${k6.path} cannot merge histograms: it has no native player`, {
      code: exitCodes.error,
      hint: 'Build one that has: npx benchfolio tools',
    });
  }
  const output = join(target, 'histograms.ndjson');
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, K6_AUTO_EXTENSION_RESOLUTION: 'false', GOGC: '400' };
  const files = folders.map((folder) => join(folder, 'histograms.ndjson'));
  try {
    await exec(k6.path, ['x', 'benchfolio', 'merge', '--output', output, ...files], { env, timeout_ms: longest_ms });
  } catch (cause) {
    await rm(output, { force: true });
    const said = cause instanceof ExecError ? /benchfolio merge: (.*?)"?$/m.exec(cause.stderr)?.[1] : null;
    throw new UserError(`the histograms cannot be merged: ${said ?? (cause as Error).message}`, {
      code: exitCodes.error,
      cause,
    });
  }
  const [first, ...others] = folders.map((folder) => readJson(join(folder, 'summary.json')) as Summary);
  await writeJson(join(target, 'summary.json'), mergeSummaries([first, ...others]));
}

/** Milliseconds: an hour of two hundred takes minutes. */
const longest_ms = 3_600_000;
