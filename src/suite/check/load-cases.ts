import { UserError } from '../../base/errors.js';
import type { Output } from '../../base/world.js';
import type { Case } from '../cases/expand.js';
import { hintText } from '../nearest.js';
import { type Suite, systemNames } from '../suite.js';
import { type Checked, checkSuite } from './check-suite.js';
import { countProblems } from './print-problems.js';

type Selection = {
  /** all by default */
  systems?: string[];
  /** or 'all'; by default each scenario's first */
  environment?: string;
  /** one, or several */
  scenario?: string | string[];
  profile?: string | null;
  set?: Record<string, string>;
  /** bytes that k6 may take, in place of bench.toml's */
  memory?: number;
  /** what sends declared requests, in place of bench.toml's */
  player?: 'native' | 'javascript';
  /** that each case is measured, in place of bench.toml's */
  rounds?: number;
  /** where the warnings go, with their lines, and the error will be shown */
  stream?: Output;
};

/**
 * The cases to run, from specs that have been checked.
 * @returns in the order of the systems and their specs; at least one
 * @throws {UserError} code 2, with all that is wrong
 */
export function loadCases(suite: Suite, selection: Selection = {}): Case[] {
  const { systems = systemNames(suite), environment, scenario, profile = null, set, stream } = selection;
  const { memory, player, rounds } = selection;
  const scenarios = scenario === undefined ? null : [scenario].flat();
  const choose = (cases: Case[]) =>
    cases.filter(
      (benchCase) =>
        (scenarios === null || scenarios.includes(benchCase.scenario)) &&
        (environment === 'all' ||
          benchCase.environment === (environment ?? firstEnvironment(cases, benchCase.scenario))),
    );
  const checked = checkSuite(suite, systems, { profiles: [profile], set, choose, memory, player, rounds, here: true });
  refuseErrors(checked, stream);
  stream?.write(checked.render(stream, ['warn']));
  // A name that chooses nothing is a slip, whatever others choose.
  const empty = scenarios?.find((name) => checked.cases.every((benchCase) => benchCase.scenario !== name));
  if (!checked.cases.length || empty !== undefined) {
    refuseEmpty(suite, { systems, environment, scenario: empty ?? scenarios?.[0], profile });
  }
  return checked.cases;
}

/**
 * Ends what needs more than what is wrong here.
 * @param stream where the error will be shown
 * @throws {UserError} code 2, with all that is wrong, if anything is
 */
export function refuseErrors({ ok, problems, render }: Checked, stream?: Output) {
  if (!ok) throw new UserError(`${countProblems(problems)}\n\n${render(stream).trimEnd()}`);
}

const firstEnvironment = (cases: Case[], scenario: string) =>
  cases.find((benchCase) => benchCase.scenario === scenario)?.environment;

/** Says which name chose nothing. */
function refuseEmpty(
  suite: Suite,
  {
    systems,
    environment,
    scenario,
    profile,
  }: { systems: string[]; environment?: string; scenario?: string; profile: string | null },
): never {
  if (!systems.length) {
    throw new UserError(`there is no spec in ${suite.root}/specs`, {
      hint: 'A system is a folder in specs/ with a spec.toml.',
    });
  }
  const { cases } = checkSuite(suite, systems, { profiles: [profile] });
  const where = `in ${systems.map((name) => `specs/${name}/spec.toml`).join(', ')}`;
  for (const [kind, got] of [
    ['scenario', scenario],
    ['environment', environment],
  ] as const) {
    const known = new Set(cases.map((benchCase) => benchCase[kind]));
    if (got === undefined || known.has(got)) continue;
    throw new UserError(`there is no ${kind} "${got}" ${where}`, { hint: hintText({ got, known }) ?? undefined });
  }
  throw new UserError(`the scenario "${scenario}" does not run in the environment "${environment}"`);
}
