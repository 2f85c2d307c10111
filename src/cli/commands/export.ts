import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { UserError } from '../../base/errors.js';
import { writeWhole } from '../../base/io/files.js';
import type { World } from '../../base/world.js';
import { exportFormats, type Measured } from '../../records/export/export-formats.js';
import { findSide } from '../../records/find-side.js';
import { readRecord } from '../../records/read-record.js';
import { isInSuite, loadSuite } from '../../suite/suite.js';

export function register(program: Command, world: World) {
  program
    .command('export <records> [system...]')
    .summary('write the latencies of records for other tools')
    .description(
      `write the distribution of the latencies of records for other tools: a version, a run (an id or "latest"), a file or a folder

hdr: a log of HdrHistogram with an interval for each record, in nanoseconds. openmetrics: a histogram for each record, with the time
when it was measured. Both are made of the quantiles of the record: what lies between two of them is the greater. Latencies that do
not count are left out.`,
    )
    .addOption(new Option('--format <format>', 'output format').choices(Object.keys(exportFormats)).default('hdr'))
    .option('--output <file>', 'output file instead of standard output')
    .action(async (records, systems, options) => {
      await exportRecords({ records, systems, ...options }, world);
    });
}

/** @throws {UserError} no record, or none whose latencies count */
async function exportRecords(
  { records: word, systems, format, output }: { records: string; systems: string[]; format: string; output?: string },
  world: World,
) {
  const suite = isInSuite(world.cwd) ? loadSuite(world.cwd) : null;
  const side = await findSide(word, { cwd: world.cwd, suite });
  const chosen = side.records.filter(({ system }) => systems.length === 0 || systems.includes(system));
  const measured: Measured[] = [];
  const left = [];
  for (const { file } of chosen) {
    const record = readRecord(file);
    const why = whyNot(record);
    if (why === null) measured.push(record as Measured);
    else left.push(`${record.system} ${record.environment} ${record.case}: ${why}`);
  }
  if (measured.length === 0) {
    throw new UserError(`there are no latencies to export in ${word}`, {
      hint: left[0] ?? `It has no record of ${systems.join(', ')}.`,
    });
  }
  for (const line of left) world.stderr.write(`Left out: ${line}\n`);
  const text = exportFormats[format](measured);
  if (output === undefined) world.stdout.write(text);
  else await writeWhole(resolve(world.cwd, output), text);
}

/** @returns null: its latencies count */
function whyNot({ distribution, metrics }: ReturnType<typeof readRecord>): string | null {
  if (distribution === null) return 'nothing was observed';
  const median = metrics.latency_ms_p50;
  return median && !median.valid ? `its latencies do not count (${median.reason ?? 'not valid'})` : null;
}
