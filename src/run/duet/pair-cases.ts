import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { ageCase, definitionOf, loadCase, parameterNames, saturationCase, soloCase } from '../../suite/cases/cases.js';
import { ageSeconds, type LaneSettings, warmUpLook_s } from '../../suite/cases/duet-settings.js';
import type { Case } from '../../suite/cases/expand.js';
import { checkSuite } from '../../suite/check/check.js';
import { readSpec, systemNames } from '../../suite/suite.js';
import { type DuetSide, hasNoBenchmark } from './sides.js';

/**
 * A case as both sides run it. Scenario, data and scripts are head's: the ruler is one. How a side is built and started
 * is its own spec's matter.
 * solo: what k6 sends to both sides; base, head: the same with what each side starts; lanes: null: only solo is measured;
 * obstacle: why base cannot be started; alone: base has no benchmark at all yet, so head is measured for its own numbers
 */
export type PairedCase = {
  solo: Case;
  base: Case;
  head: Case;
  lanes: Lanes | null;
  obstacle: string | null;
  alone: boolean;
};

type CaseOfSides = Record<'base' | 'head', Case>;

/** warm_up: of sides that take long to get warm; null: one user alone warms them up; age: null: it is not measured */
type Lanes = {
  warm_up: CaseOfSides | null;
  load: CaseOfSides;
  saturation: CaseOfSides;
  age: CaseOfSides | null;
};

/**
 * Pairs head's cases with how base starts the same system.
 * @param cases of head
 * @param given set: values of parameters that were asked for, on both sides
 */
export function pairCases(
  cases: readonly Case[],
  {
    base,
    head,
    block,
    lanes,
    set = {},
  }: {
    base: DuetSide;
    head: DuetSide;
    block: { warmup_s: number; seconds: number };
    lanes: LaneSettings | null;
    set?: Record<string, string>;
  },
): PairedCase[] {
  const starts = startsOf(base, set);
  return cases.map((benchCase) => {
    const own = startedElsewhere(base) ?? starts(benchCase);
    const obstacle = typeof own === 'string' ? own : null;
    const sides = (lane: Case) => ({
      base: { ...lane, ...(typeof own === 'string' ? {} : own), side: 'base' as const },
      head: { ...lane, ...startedElsewhere(head), side: 'head' as const },
    });
    const solo = soloCase(benchCase, block);
    const alone = hasNoBenchmark(base);
    const pair = { solo, ...sides(solo), lanes: null, obstacle, alone };
    // What somebody else runs may be in use: it is not loaded to its limit.
    if (lanes === null || alone || [pair.base, pair.head].some(({ services }) => services.length === 0)) return pair;
    const { warm_up, load, saturation, age } = lanes;
    const look = warm_up && saturationCase(benchCase, { ...warm_up, warmup_s: 0, seconds: warmUpLook_s });
    const long = age && { ...age, seconds: ageSeconds(age, benchCase.duration_s) };
    return {
      ...pair,
      lanes: {
        warm_up: look && sides(look),
        load: sides(loadCase(benchCase, load)),
        saturation: takingTurns(sides(saturationCase(benchCase, saturation)), saturation.turn_s),
        age: long && sides(ageCase(benchCase, long)),
      },
    };
  });
}

/** Not where one side is measured after the other anyway, nor of a script, whose users are its own. */
const takingTurns = ({ base, head }: CaseOfSides, turn_s: number): CaseOfSides =>
  base.interleaved !== null || base.script !== null
    ? { base, head }
    : { base: { ...base, turns: { turn_s, place: 0 } }, head: { ...head, turns: { turn_s, place: 1 } } };

/** What a side does not start that is an address. */
const startedElsewhere = ({ url }: DuetSide) =>
  url ? { services: [], setup: [], reuse: [], after_ready: [], url } : null;

/**
 * Cases of a scenario that differ only in their load, a rate or a number of users, are one in a duet, which has its own:
 * measured once, the budget is for fewer metrics.
 * @param rankOf its place among base's cases: the first of them stands for the others
 * @returns pairs: in their order; alike: those that are not measured, and the case that stands for each
 */
export function withoutAlike(
  pairs: PairedCase[],
  rankOf: (benchCase: Case) => number,
): { pairs: PairedCase[]; alike: { benchCase: Case; as: Case }[] } {
  const first: Map<string, PairedCase> = new Map();
  const alike = [];
  for (const pair of [...pairs].sort((a, b) => rankOf(a.solo) - rankOf(b.solo))) {
    const { system, environment, scenario } = pair.solo;
    // base may be started with a swept value that head's services do not take any more
    const key = JSON.stringify([
      system,
      environment,
      scenario,
      definitionOf(pair.solo),
      definitionOf(pair.base),
      pair.obstacle,
    ]);
    const known = first.get(key);
    if (known) alike.push({ benchCase: pair.solo, as: known.solo });
    else first.set(key, pair);
  }
  const measured = new Set(first.values());
  return { pairs: pairs.filter((pair) => measured.has(pair)), alike };
}

/**
 * How a side starts a system, by its own spec; as head does where it has none.
 * @returns a text: why it cannot
 */
function startsOf(
  side: DuetSide,
  set: Record<string, string>,
): (
  benchCase: Case,
) => Pick<Case, 'services' | 'setup' | 'reuse' | 'after_ready' | 'url' | 'network' | 'restart'> | string {
  const known: Map<string, ReturnType<ReturnType<typeof startsOf>>> = new Map();
  return (benchCase) => {
    const key = `${benchCase.system} ${benchCase.environment} ${JSON.stringify(benchCase.parameters)}`;
    if (!known.has(key)) known.set(key, startOf(side, benchCase, set));
    return known.get(key) as ReturnType<ReturnType<typeof startsOf>>;
  };
}

/** @param benchCase head's */
function startOf(side: DuetSide, benchCase: Case, set: Record<string, string>) {
  const where = join(side.root, benchCase.spec_dir);
  const { suite } = side;
  if (suite === null) {
    return hasNoBenchmark(side)
      ? `${side.label} has no benchmark yet: there is nothing to compare with until this is merged`
      : `the benchmark of ${side.label} cannot be read: ${side.problem?.message}`;
  }
  try {
    if (!systemNames(suite).includes(benchCase.system))
      return `${side.label} has no ${benchCase.spec_dir}: there is nothing to start`;
    // A service may be started with parameters: what was asked for and what is swept are head's, where base knows them.
    const names = parameterNames(readSpec(suite, benchCase.system));
    const values = Object.entries({ ...set, ...benchCase.values }).filter(([name]) => names.has(name));
    const given = Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
    const { cases } = checkSuite(suite, [benchCase.system], {
      profiles: [benchCase.profile],
      set: given,
      memory: Infinity,
    });
    const there = cases.filter(({ environment }) => environment === benchCase.environment);
    const own = there.find(({ name }) => name === benchCase.name) ?? there[0] ?? benchCase;
    const { services, setup, reuse, after_ready, url, network, restart } = own;
    return { services, setup, reuse, after_ready, url, network, restart };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return `${where} of ${side.label} cannot be read: ${error.message}`;
  }
}
