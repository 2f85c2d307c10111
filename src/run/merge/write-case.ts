import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makeFolder, writeJson } from '../../base/io/files.js';
import type { PackedCase } from '../generator/read-archive.js';
import type { Generator } from './read-generators.js';

/**
 * Writes the case.json of what several machines measured: that of the archive, on their machines.
 * @param folder of the case
 * @param packed the archive's
 * @param given root: the suite's; id: the run's; generators: of all rounds; busiest: the one whose k6 had the most to do, by
 *   which all are judged
 * @throws {UserError} code 4: no room, or not allowed
 */
export async function writeMergedCase(
  folder: string,
  packed: PackedCase,
  {
    root,
    id,
    rounds,
    generators,
    busiest,
  }: { root: string; id: string; rounds: number; generators: readonly Generator[]; busiest: Generator },
) {
  const [{ said: first }] = generators;
  const instances = first.part.of;
  const models = [...new Set(generators.map(({ said }) => said.machine.cpu_model))].sort();
  const { machine } = busiest.said;
  await writeJson(join(makeFolder(folder), 'case.json'), {
    ...packed,
    root,
    case: { ...packed.case, instances },
    definition: definitionOf(packed, instances),
    run: {
      ...packed.run,
      id,
      rounds,
      time: new Date(Math.min(...generators.map(({ said }) => said.started_ms))).toISOString(),
      generator_cores: machine.cores,
      generator_pinned: false,
      fingerprint: { ...machine, cpu_model: models.join(', ') },
    },
  });
}

/** A load that is cut otherwise than the spec says is another: each part has users and connections of its own. */
function definitionOf({ definition, case: { instances: planned } }: PackedCase, instances: number): string {
  if (instances === planned) return definition;
  return `sha256:${createHash('sha256')
    .update(JSON.stringify([definition, instances]))
    .digest('hex')}`;
}
