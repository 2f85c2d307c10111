import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../base/errors.js';
import { counted } from '../../base/format.js';
import type { World } from '../../base/world.js';
import { readGenerators } from '../../run/merge/read-generators.js';
import { sortParts } from '../../run/merge/sort-parts.js';
import { writeMergedCase } from '../../run/merge/write-case.js';
import { writeLoad } from '../../run/merge/write-load.js';
import { refuseMistyped } from '../../run/run/check-baseline.js';
import { conclude } from '../../run/session/conclude.js';
import { commandWith } from '../../run/session/repeat-command.js';
import { openSession } from '../../run/session/session.js';
import { isName } from '../../suite/record-names.js';
import { loadSuite } from '../../suite/suite.js';

type MergeOptions = { baseline?: string; json?: boolean };

export function register(program: Command, world: World) {
  program
    .command('merge <folder...>')
    .summary('make one record of the parts that several machines ran')
    .description(
      'make one record of what `benchfolio generate` left on several machines, judge it and print the result',
    )
    .option('--baseline <version>', 'compare with a kept version')
    .option('--json', 'print the result as one JSON object')
    .action(async (folders, options) => {
      world.exitCode = await merge(folders, options, world);
    });
}

/**
 * Merges the parts of a case, and judges it as `run` does: what it writes is a run.
 * @param given folders
 * @returns the exit code of comparison.json
 * @throws {UserError} the parts are not whole, or not of one load: nothing is judged
 */
export async function merge(given: readonly string[], options: MergeOptions, world: World): Promise<number> {
  const suite = loadSuite(world.cwd);
  await refuseMistyped(options.baseline, suite);
  const generators = await readGenerators(given.map((folder) => resolve(world.cwd, folder)));
  const packed = JSON.parse(readFileSync(join(generators[0].folder, 'case.json'), 'utf8'));
  const benchCase = packed.case;
  const { system, environment, name } = benchCase;
  if (![system, environment, name].every(isName)) {
    throw new UserError(`${generators[0].folder} is of a case whose name no file can have`);
  }
  const loads = sortParts(generators, benchCase.parts);
  const { run, close } = await openSession(suite, { memory_bytes: 0, cases: [] }, world);
  try {
    const dir = join(system, environment, name);
    const folder = join(run.folder, dir);
    run.progress.note(`merging ${counted(generators.length, 'part')}`);
    const busiest = [];
    for (const load of loads) busiest.push(await writeLoad(load, { folder, parts: benchCase.parts }));
    const rounds = new Set(loads.map(({ round }) => round)).size;
    const { root } = suite;
    await writeMergedCase(folder, packed, { root, id: run.id, rounds, generators, busiest: busiest[0] });
    const command = commandWith(
      ['merge', ...given.map((part) => relative(world.cwd, resolve(world.cwd, part)))],
      options,
    );
    const outcome = { system, environment, case: name, dir, status: 'measured' as const, reason: null };
    return await conclude(suite, { command, options, cases: [outcome] }, run, world);
  } finally {
    close();
  }
}
