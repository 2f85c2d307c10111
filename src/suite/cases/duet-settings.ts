import { parseDuration } from './durations.js';
import type { Path } from './error.js';
import type { TomlTable } from './toml.js';

/** Where bench.toml does not say. Most duets end at an interim look, long before the last block. */
const defaults = { blocks: 24, budget: '5m', warmup: 'auto', duration: '4s', swap_cores: true, keep_awake: true };

/** How long one user loads a side before its window, where bench.toml has no time for it. A second takes away the start. */
const warmup_s = 1;

/** For how long one user shows, after the lanes of the first block, what an iteration costs by then; in seconds. */
export const afterLanes_s = 2;

/** How long both sides are looked at to see when they are warm, in seconds: two JVMs on two cores compile for 17 s. */
export const warmUpLook_s = 20;

/** Of a head that has no base to be compared with: they show its numbers, and that its benchmark works. */
export const blocksAlone = 3;

/**
 * Of the load lane and the saturation probe, which follow in each block. Of fewer blocks Student's t makes an interval much wider,
 * of shorter windows the noise does.
 */
const laneDefaults = { warmup: '750ms', duration: '2s', users: 30, saturation: '2s' };

/**
 * Of the saturation probe: at the same time, two sides take the CPU from each other, and which of them gets more stays so for as long
 * as a block is.
 */
const turn_s = 0.25;

/**
 * Of the age lane, whose window is as long as the scenario, within these bounds: of less, what grows does not show; of more, a duet
 * takes longer than anybody waits.
 */
const ageDefaults = { warmup_s: 3, least_s: 30, most_s: 120 };

/**
 * How the load lane and the saturation probe are measured.
 * warm_up: of a service that takes long to get warm, by so many users at first; null: the one user alone warms it up
 * saturation: turn_s: of each side, one after the other
 * age: seconds: null: as long as the scenario; null: it is not measured
 */
export type LaneSettings = {
  warm_up: { users: number } | null;
  load: { warmup_s: number; seconds: number };
  saturation: { users: number; warmup_s: number; seconds: number; turn_s: number };
  age: { warmup_s: number; seconds: number | null } | null;
};

/** What helps both sides to the same cores, in the blocks with one user. */
export type Helped = { swapCores: boolean; keepAwake: boolean };

/**
 * How long a duet is, and how its sides get their cores.
 * @param bench bench.toml
 * @returns blocks: at the most; budget_s: what a case may take, in seconds; helped: where it can be done; lanes: null: only solo is measured
 */
export function settingsOf({ duet }: TomlTable): {
  blocks: number;
  budget_s: number;
  timing: { warmup_s: number; seconds: number };
  helped: Helped;
  lanes: LaneSettings | null;
} {
  const { blocks, budget, warmup, duration, swap_cores, keep_awake, load, age } = { ...defaults, ...duet };
  const isFound = warmup === 'auto';
  return {
    blocks,
    budget_s: parseDuration(budget),
    timing: { warmup_s: isFound ? warmup_s : parseDuration(warmup), seconds: parseDuration(duration) },
    helped: { swapCores: swap_cores, keepAwake: keep_awake },
    lanes: load === false ? null : laneSettingsOf(load, { age, isFound }),
  };
}

/** k6 plays nothing that is shorter, in seconds. */
const shortest_s = 1;

/**
 * Finds loads that k6 would refuse once everything is built and started.
 * @param bench bench.toml
 */
export function shortLoads(bench: TomlTable): { path: Path; message: string }[] {
  const { timing, lanes } = settingsOf(bench);
  const load = Object(bench.duet?.load);
  const loads: [Path, { warmup_s: number; seconds: number | null } | null | undefined][] = [
    [['duet', 'duration' in (bench.duet ?? {}) ? 'duration' : 'warmup'], timing],
    [['duet', 'load', 'duration' in load ? 'duration' : 'warmup'], lanes?.load],
    [['duet', 'load', 'saturation' in load ? 'saturation' : 'warmup'], lanes?.saturation],
    [['duet', 'age'], lanes?.age],
  ];
  return loads.flatMap(([path, given]) => {
    if (!given || given.seconds === null || given.warmup_s + given.seconds >= shortest_s) return [];
    const total = Math.round(1000 * (given.warmup_s + given.seconds));
    return [{ path, message: `a load of ${total} ms with its warm-up is too short: k6 plays no less than a second` }];
  });
}

/**
 * How long the window of the age lane is.
 * @param duration_s the scenario's own; null: unknown
 * @returns seconds
 */
export const ageSeconds = ({ seconds }: { seconds: number | null }, duration_s: number | null): number =>
  seconds ?? Math.min(ageDefaults.most_s, Math.max(ageDefaults.least_s, duration_s ?? 0));

/** @param given isFound: what it takes to warm a side up */
function laneSettingsOf(
  load: TomlTable | undefined,
  { age: long, isFound }: { age: string | false | undefined; isFound: boolean },
): LaneSettings {
  const { warmup, duration, users, saturation } = { ...laneDefaults, ...load };
  const warmup_s = parseDuration(warmup);
  return {
    warm_up: isFound ? { users } : null,
    load: { warmup_s, seconds: parseDuration(duration) },
    saturation: { users, warmup_s, seconds: parseDuration(saturation), turn_s },
    age:
      long === false
        ? null
        : { warmup_s: ageDefaults.warmup_s, seconds: long === undefined ? null : parseDuration(long) },
  };
}
