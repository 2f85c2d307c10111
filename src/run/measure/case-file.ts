import { join } from 'node:path';
import { schemaVersion } from '../../../reports/schema/version.js';
import { makeFolder, writeJson } from '../../base/io/files.js';
import { clockTicks } from '../../base/process/usage.js';
import type { Case } from '../../suite/cases/expand.js';
import type { CaseFile } from '../generator/k6.js';

/**
 * Writes case.json: one resolved case as it is measured, and the contract of all that follows; reports/schema/case.schema.json
 * describes each key. k6 is given this file (`-e CASE=…`), whichever player sends the requests, and the reduction reads it:
 * nothing is worked out twice.
 *
 * - schema: the version of our files
 * - root: the suite's folder, absolute. Files that the case names (rows, bodies, its script) are in `case.spec_dir` below it
 * - case: durations and windows are those of one k6 process: of a round in `parts`, of each part. Texts may hold `${row.x}`,
 *   `${captured.x}`, `${ready.x}` and `${env.NAME}`, which whoever sends requests fills in, and `${port}`, `${port.x}`,
 *   `${spec.dir}` and `${run.dir}`, which the runner has: no secret stands in this file
 * - definition: sha256 of what is measured; records of different ones are not compared
 * - run: what is the same for all cases of a run (`headerOf`), and what k6 has of the machine
 *
 * What is known only when a k6 process starts is in its environment: BASE_URL, where requests go; HEAD_URL, where every
 * iteration goes too (base's address is BASE_URL then); BASE_READY and HEAD_READY, what steps captured there (JSON); PART,
 * which of the `parts` it is; SUMMARY, the file for its summary.
 * @param folder of the case
 * @param given header: what is the same for all cases of a run
 * @throws {UserError} code 4: no room, or not allowed
 */
export async function writeCase(
  folder: string,
  benchCase: Case,
  {
    root,
    definition,
    header,
    generator: { cores, pinned },
  }: {
    root: string;
    definition: string;
    header: Record<string, unknown>;
    generator: { cores: number[]; pinned: boolean };
  },
): Promise<CaseFile> {
  const file = join(makeFolder(folder), 'case.json');
  const run = { ...header, generator_cores: cores.length, generator_pinned: pinned, clock_ticks: clockTicks };
  await writeJson(file, { schema: schemaVersion, root, case: benchCase, definition, run });
  return { file, benchCase };
}
