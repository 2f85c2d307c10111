import { copyFileSync, linkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileError, makeFolder, writeJson, writeWhole } from '../../base/io/files.js';
import { mergeProcesses } from '../../records/merge-processes.js';
import { answersIn } from '../generator/answers.js';
import { busiestHost, samplesText } from '../generator/busiest-host.js';
import { redirectsStopped } from '../generator/request-failures.js';
import { resultFiles } from '../generator/results.js';
import type { Generator } from './read-generators.js';
import type { Load } from './sort-parts.js';

/** Other programs that a round names, and different ways in which requests failed. */
const most = { others: 3, problems: 3 };

/** Of several native players these become one; each one's are large, and stay where they are if they cannot be shared. */
const merged = ['summary.json', 'histograms.ndjson'];

/**
 * Writes the raw files of one load as `run` would have: its last is round.json.
 * @param given folder: of the case; parts: loads of a round
 * @returns one of the busiest machine
 * @throws {UserError} code 4: no room, a file is damaged
 */
export async function writeLoad(
  { round, part, generators }: Load,
  { folder, parts }: { folder: string; parts: number },
): Promise<Generator> {
  const roundFolder = makeFolder(join(folder, `round-${round}${parts === 1 ? '' : `.${part}`}`));
  const { first, samples } = busiestHost(generators);
  const ordered = [first, ...generators.filter((generator) => generator !== first)];
  const alone = generators.length === 1;
  const native = first.said.player === 'native' && !alone;
  for (const [index, generator] of ordered.entries()) {
    keepFiles(generator, alone ? roundFolder : makeFolder(join(roundFolder, `instance-${index + 1}`)), native);
  }
  const own = alone || native ? roundFolder : join(roundFolder, 'instance-1');
  await writeWhole(join(own, 'services.ndjson'), samplesText(samples));
  if (native)
    await mergeProcesses(
      ordered.map((generator) => generator.folder),
      roundFolder,
    );
  await writeJson(
    join(roundFolder, 'round.json'),
    roundOf({ round, part, generators: ordered }, { parts, instances: native ? 1 : ordered.length }),
  );
  return first;
}

/** @param native its histograms are merged */
function keepFiles({ folder, said }: Generator, to: string, native: boolean) {
  for (const name of resultFiles.filter((file) => file in said.files || file === 'generator.json')) {
    if (name === 'case.json' || name === 'services.ndjson') continue;
    try {
      linkSync(join(folder, name), join(to, name));
    } catch {
      if (native && merged.includes(name)) continue;
      copy(join(folder, name), join(to, name));
    }
  }
}

function copy(from: string, to: string) {
  try {
    copyFileSync(from, to);
  } catch (cause) {
    throw fileError(cause, to);
  }
}

/** @param given instances: processes that the raw files are of */
function roundOf({ round, part, generators }: Load, { parts, instances }: { parts: number; instances: number }) {
  const said = generators.map((generator) => generator.said);
  const starts = said.map(({ started_ms }) => started_ms);
  const sum = (key: 'complete_iterations' | 'interrupted_iterations') =>
    said.reduce((total, generatorSaid) => total + generatorSaid[key], 0);
  const logs = generators.map(({ folder }) => readFileSync(join(folder, 'k6.log'), 'utf8'));
  return {
    round,
    part,
    parts,
    started: Math.min(...starts),
    ended: Math.max(...said.map(({ ended_ms }) => ended_ms)),
    k6_exit: Math.max(...said.map(({ k6_exit }) => k6_exit)),
    instances,
    ...(said.length > 1 && { start_skew_ms: Math.max(...starts) - Math.min(...starts) }),
    interrupted_iterations: sum('interrupted_iterations'),
    complete_iterations: sum('complete_iterations'),
    faults: [],
    others: said
      .flatMap(({ others }) => others)
      .sort((a, b) => b.cpu_ms - a.cpu_ms)
      .slice(0, most.others),
    problems: [...new Set(said.flatMap(({ problems }) => problems))].slice(0, most.problems),
    redirects_stopped: redirectsStopped(logs),
    answers: answersIn(logs),
    generators: said.map(({ part: { index }, host, started_ms }) => ({ part: index, host, started_ms })),
  };
}
