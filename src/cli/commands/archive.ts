import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { exitCodes, UserError } from '../../base/errors.js';
import { makeTemporaryFolder } from '../../base/io/files.js';
import { quoted } from '../../base/io/shell.js';
import { findTool, type Tool } from '../../base/tools/find-tool.js';
import type { World } from '../../base/world.js';
import { needsAddress, packCase } from '../../run/generator/pack-case.js';
import { writeCase } from '../../run/measure/case-file.js';
import { generatorCores } from '../../run/session/cores.js';
import { definitionHash } from '../../run/session/definition-hash.js';
import { type Player, playNatively, wantsNative } from '../../run/session/player.js';
import { newSeed } from '../../run/session/random-order.js';
import { caseCommandOf } from '../../run/session/repeat-command.js';
import { headerOf } from '../../run/session/run-header.js';
import { type CaseSelection, planRun } from '../../run/session/select-cases.js';
import type { Case } from '../../suite/cases/expand.js';
import { loadSuite } from '../../suite/suite.js';
import { addChoice, playerOption, profileOf, wholeFrom } from '../cli-options.js';

type ArchiveOptions = CaseSelection & { output?: string; seed?: number; player?: Player };

/** Adds `benchfolio archive`. */
export function register(program: Command, world: World) {
  addChoice(program.command('archive [system]'))
    .description('pack one case with its data for other machines')
    .option('--output <file>', 'output file (default: <system>-<case>.tar)')
    .option('--seed <n>', 'seed of random values', wholeFrom(0))
    .addOption(playerOption)
    .action(async (system, { quick, profile, ...options }) => {
      const systems = system === undefined ? [] : [system];
      world.exitCode = await archive({ ...options, systems, profile: profileOf({ quick, profile }) }, world);
    });
}

/**
 * Packs the driver, the case and its data into one file that `benchfolio generate` takes anywhere, and `k6 run` too: on one
 * machine, or on several at once, each with its part of the load.
 * @returns 0
 * @throws {UserError} it is not one case; k6 is missing, or could not pack it
 */
export async function archive({ output, seed = newSeed(), ...choice }: ArchiveOptions, world: World): Promise<number> {
  const suite = loadSuite(world.cwd);
  const player = choice.player ?? suite.bench.run?.player;
  const { toRun } = planRun(suite, { ...choice, player, elsewhere: true }, world);
  const chosen = onlyOne(toRun);
  const k6 = await findTool('k6', { native: wantsNative(toRun, player) });
  const note = (text: string) => void world.stderr.write(`${text}\n`);
  const [benchCase] =
    player === 'javascript' ? [chosen] : playNatively([chosen], { native: k6.native, env: world.env, note });
  const file = resolve(world.cwd, output ?? `${benchCase.system}-${benchCase.name}.tar`);
  await pack(benchCase, { file, k6, seed, choice, root: suite.root }, world);
  world.stdout.write(
    `${[`${file}: ${benchCase.system}, ${benchCase.environment}, ${benchCase.name}`, ...usesOf(benchCase, file)].join('\n')}\n`,
  );
  return exitCodes.pass;
}

/** @throws {UserError} they are several */
function onlyOne(cases: readonly Case[]): Case {
  if (cases.length === 1) return cases[0];
  const names = cases.map(({ environment, name }) => `  ${environment}/${name}`);
  throw new UserError(
    [
      `an archive holds one case, and these are ${cases.length}`,
      ...names.slice(0, 10),
      ...(names.length > 10 ? ['  …'] : []),
    ].join('\n'),
    {
      hint: 'Choose one with --scenario, --env and, of a sweep, --set name=value.',
    },
  );
}

async function pack(
  benchCase: Case,
  { file, k6, seed, choice, root }: { file: string; k6: Tool; seed: number; choice: ArchiveOptions; root: string },
  { env }: World,
) {
  const folder = makeTemporaryFolder('benchfolio-archive-');
  const runOptions = { seed, rounds: 1, profile: choice.profile ?? null };
  const run = { id: 'archive', time: new Date(), root, env, k6_version: k6.version };
  try {
    const header = {
      ...(await headerOf(run, runOptions)),
      command: caseCommandOf(benchCase, { ...choice, ...runOptions }),
    };
    const measured = await writeCase(folder, benchCase, {
      root,
      definition: definitionHash(benchCase, root),
      header,
      generator: generatorCores([]),
    });
    await packCase(measured, file, { k6: k6.path, root });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How an archive is used. */
function usesOf(benchCase: Case, file: string): string[] {
  const asksAddress = needsAddress(benchCase);
  const [url, variable] = asksAddress ? [' --url http://<host>:<port>', ' -e BASE_URL=http://<host>:<port>'] : ['', ''];
  const plain = benchCase.player === 'native' ? 'our k6' : 'plain k6';
  return [
    `On machine 2 of 4:  benchfolio generate ${quoted(file)} --part 2/4 --output part-2${url}`,
    'Then, here:         benchfolio merge part-1 part-2 part-3 part-4',
    `With ${`${plain}:`.padEnd(14)} k6 run${variable} ${quoted(file)}`,
  ];
}
