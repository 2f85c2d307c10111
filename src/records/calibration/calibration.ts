import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Trial as KeptTrial } from '../../../reports/schema/types.d.ts';
import { UserError } from '../../base/errors.js';
import { jqOver } from '../../base/tools/jq.js';
import type { World } from '../../base/world.js';
import { mergeCompare } from '../../suite/cases/compare.js';
import { readSpec, type Suite } from '../../suite/suite.js';
import { interimLooks } from '../interim-looks.js';
import { readTrials, trialsFolder } from './trials.js';

/** How trials are judged, where it is not as the spec says. */
type Rule = { tolerance?: number; alpha?: number; gate?: string[]; blocks?: number };

/**
 * Trials of one kind, and what was said of them. found: trials in which the change was; power: of what is found, when head is made
 * slower by more and more
 */
export type Condition = {
  is_aa: boolean;
  name: string;
  effect: string | null;
  condition: string;
  others: string;
  trials: number;
  judged: { verdicts: Record<'pass' | 'fail' | 'inconclusive' | 'invalid' | 'error', number>; found: number };
  power: { change: number; found: Record<string, number> }[] | null;
};

/** How sure the duets of a system are, as reports/calibration.json.jq prints it. */
export type Calibration = {
  rule: { gate: string[]; tolerance: number };
  sessions: { to: string }[];
  conditions: Condition[];
  head: string;
  summary: string;
  tables: { title: string; head: string[]; rows: string[][] }[];
};

/**
 * What the trials of a system say of duets. Those of an earlier definition or timing do not count: another duet.
 * @throws {UserError} there is no trial, a file is none, the spec is not TOML, or no trial can be judged by that rule
 */
export async function calibrationOf(
  suite: Suite,
  system: string,
  { blocks, ...rule }: Rule = {},
): Promise<Calibration> {
  const spec = readSpec(suite, system);
  const kept = readTrials(suite, system);
  const sorted = kept.toSorted((trial, other) => trial.time.localeCompare(other.time));
  const last = sorted.findLast(({ base }) => base !== null) ?? sorted.at(-1);
  if (!last) {
    throw new UserError(`there is no trial of "${system}" in ${trialsFolder(suite, system)}`, {
      hint: `Measure some: benchfolio calibrate ${system}`,
    });
  }
  const used = kept.filter((trial) => sameDuet(trial, last));
  const { gate, tolerance, tolerances, alpha, guardrails } = mergeCompare([
    suite.bench.compare,
    spec.compare,
    spec.scenarios[last.scenario]?.compare,
  ]);
  refuseUnknown(rule.gate ?? [], last, system);
  if (blocks !== undefined && blocks > last.blocks) {
    throw new UserError(`trials of "${system}" have ${last.blocks} blocks, and ${blocks} are asked for`);
  }
  const overrides = {
    ...rule,
    gate: rule.gate && [...new Set(rule.gate)],
    ...(rule.tolerance !== undefined && { tolerances: {} }),
  };
  const given = Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
  const args = {
    rule: {
      gate,
      tolerance,
      tolerances,
      alpha,
      guardrails,
      ...given,
      interim_looks: interimLooks(blocks ?? last.blocks),
    },
    left_out: kept.length - used.length,
  };
  return jqOver('calibration.json.jq', used, { args });
}

/** How the trials of a duet are measured. base: null in a trial that ended before its first block. */
type Method = Pick<KeptTrial, 'definition' | 'blocks' | 'timing' | 'lanes'> & {
  base?: KeptTrial['base'];
  pair: Pick<KeptTrial['pair'], 'swapped_cores' | 'kept_awake'>;
};

/**
 * Whether a trial is of a duet: what was measured, for how long, and on which cores. A trial that ended before its first block
 * counts whatever it says of cores, since nothing had begun to swap them: else its error would be counted nowhere.
 */
export const sameDuet = (trial: Method, duet: Method) =>
  isDeepStrictEqual(settingsOf(trial), settingsOf(duet)) &&
  (trial.base === null || isDeepStrictEqual(coresOf(trial), coresOf(duet)));

/** The age lane is one window after all others, which are the same without it. */
const settingsOf = ({ definition, blocks, timing, lanes }: Method) => ({
  definition,
  blocks,
  timing,
  lanes: lanes && { ...lanes, age: null },
});

const coresOf = ({ pair }: Method) => ({ swapped: pair.swapped_cores ?? false, awake: pair.kept_awake ?? false });

function refuseUnknown(gate: string[], { base }: KeptTrial, system: string) {
  const unknown = gate.find((name) => base && !(name in base.metrics));
  if (unknown === undefined || base === null) return;
  throw new UserError(`trials of "${system}" have no metric "${unknown}"`, {
    hint: `They have ${Object.keys(base.metrics).join(', ')}.`,
  });
}

/**
 * Prints it.
 * @throws {UserError} there is no trial
 */
export async function printCalibration(
  suite: Suite,
  system: string,
  { json = false, markdown = false, ...rule }: Rule & { json?: boolean; markdown?: boolean },
  world: Pick<World, 'stdout'>,
): Promise<void> {
  const calibration = await calibrationOf(suite, system, rule);
  if (json) {
    world.stdout.write(`${JSON.stringify(calibration, null, 2)}\n`);
    return;
  }
  const program = markdown ? 'calibration.md.jq' : 'calibration.txt.jq';
  world.stdout.write(await jqOver(program, [calibration], { raw: true, reports: join(suite.root, 'reports') }));
}
