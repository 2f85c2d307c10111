import { createHash } from 'node:crypto';
import type { BenchRecord } from '../../../reports/schema/types.d.ts';
import { exitCodes, UserError } from '../../base/errors.js';
import { jqOver } from '../../base/tools/jq.js';
import { recordProblem } from '../schema.js';
import { type ImportFile, readRound } from './read-import.js';
import type { Round } from './round/round.js';

export type ImportedRecord = BenchRecord & Required<Pick<BenchRecord, 'imported'>>;

export type Import = {
  format: string;
  id: string;
  time: string | null;
  machine: string | null;
  command: string;
  error_cap: number;
  case: {
    system: string;
    environment: string;
    scenario: string;
    case: string;
    values: Record<string, string | number | boolean>;
  };
};

/**
 * Reads files of another tool, each a round, and makes one record of them.
 * @param options progress: takes how many bytes of a file were read
 * @throws {UserError} a file is damaged, or says nothing of what is needed
 */
export async function importRecord(
  files: ImportFile[],
  settings: Import,
  { progress = () => {} }: { progress?: (file: ImportFile, bytes: number) => void } = {},
): Promise<ImportedRecord> {
  const rounds: Round[] = [];
  for (const file of files) rounds.push(await readRound(file, settings.format, (bytes) => progress(file, bytes)));
  refuseMixed(files, rounds);
  if (settings.time === null && rounds.every(({ time }) => time === null)) throw untimed(files[0], settings.format);
  const record = await jqOver('import/record.json.jq', rounds, {
    args: {
      given: {
        ...settings,
        definition: definitionOf(settings),
        files: files.map(({ name, sha256 }) => ({ name, sha256 })),
      },
    },
  });
  const problem = recordProblem(record);
  if (problem)
    throw new UserError(`${files[0].path} does not reduce to a valid record: ${problem}`, { code: exitCodes.error });
  return record;
}

function refuseMixed(files: ImportFile[], rounds: Round[]) {
  const at = rounds.findIndex(({ tool }) => tool !== rounds[0].tool);
  if (at < 0) return;
  throw new UserError(`${files[0].path} is of ${rounds[0].tool} and ${files[at].path} of ${rounds[at].tool}`, {
    hint: 'Several files are rounds of one case: import what is another case by itself.',
  });
}

const untimed = (file: ImportFile, format: string) =>
  new UserError(`${file.path} does not say when it was measured`, {
    hint: `${format} has no time in it: give it with --time. The file was last changed at ${file.changed.toISOString()}.`,
  });

/** Imports of the same are a series of their own: it is never the definition of a benchmark of ours. */
function definitionOf({ format, case: { system, scenario, values } }: Import) {
  const keys = Object.keys(values)
    .sort()
    .map((key) => [key, values[key]]);
  return `sha256:${createHash('sha256')
    .update(JSON.stringify(['import', format, system, scenario, keys]))
    .digest('hex')}`;
}
