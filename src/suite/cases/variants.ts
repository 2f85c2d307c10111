import { parseDuration } from './durations.js';
import { constantRate, constantUsers, executors, loadOf, sharedIterations } from './executors.js';
import type { Case } from './expand.js';
import { highestRate, isChanging } from './load.js';

/**
 * A case as it is measured, where that is not as its spec says: all that changes one is here, and what measures it, or
 * reads what was measured, takes it as it is.
 */

/**
 * Makes a case last as long as is said, and measures it to its end: k6's option, the load, the seconds and the window say the same.
 */
function lasting(benchCase: Case, duration_s: number): Case {
  const k6 = { ...benchCase.k6, duration: `${duration_s}s` };
  return {
    ...benchCase,
    k6,
    load: loadOf(k6),
    window: { ...benchCase.window, to_s: duration_s },
    duration_s,
  };
}

/**
 * A case of constant load cut into consecutive k6 processes that share its window, so that none outgrows the memory: each
 * warms up, and then measures its share of the window. They begin at different places of shared rows.
 * @returns as each of them measures it
 */
export function inParts(benchCase: Case, parts: number): Case {
  if (parts === 1) return benchCase;
  const { from_s, to_s } = benchCase.window;
  return { ...lasting(benchCase, from_s + (Number(to_s) - from_s) / parts), parts };
}

/**
 * A case as the solo lane of a duet measures it: one user sends what the scenario sends, one after the other and
 * without pauses. With several users who wait for their answers on shared cores, the slower side gathers a queue and
 * its difference is amplified; with one, a time is the time of one request.
 */
export function soloCase(benchCase: Case, { warmup_s, seconds }: { warmup_s: number; seconds: number }): Case {
  const alone = {
    ...benchCase,
    k6: constantUsers(1),
    window: { from_s: warmup_s, to_s: null },
    requests: withoutPauses(benchCase),
    ...ofNoLane,
    thresholds: [],
    instances: 1,
    saturation: 'error' as const,
  };
  return lasting(alone, warmup_s + seconds);
}

/** What is meant for a run of the scenario: lanes of a duet are too short for it. */
const ofNoLane = { faults: [], queries: [], per_user: false, prometheus: null };

/** Users who still wait when the time of a lane is up wait no longer: a service that is too slow must not hold up a duet. */
const gracefulStop = '5s';

/** What the load lane waits at the most for users to connect, in seconds. */
const mostConnecting_s = 3;

/**
 * Users of an open load take turns: each connects when it is first its turn, which costs more than a request. With 1,000 of them at
 * 1,000/s on two sides of a machine with two cores, the p95 of the first two seconds was up to 800 ms, of the later ones 2 to 70 ms.
 * @returns seconds until all have, in quarters, at the most what a lane waits for them
 */
function connecting_s({ rate, timeUnit = '1s', preAllocatedVUs = 0 }: Case['k6']): number {
  if (rate === undefined) return 0;
  const all_s = (1.25 * preAllocatedVUs * parseDuration(timeUnit)) / rate;
  return Math.min(mostConnecting_s, Math.floor(4 * all_s) / 4);
}

/**
 * A case as the load lane of a duet measures it: under the scenario's own load, with its pauses. There is no time for
 * stages or for so many iterations: a load that changes is constant at its highest.
 * @param timing warmup_s: once all users have connected
 */
export function loadCase(benchCase: Case, timing: { warmup_s: number; seconds: number }): Case {
  const k6 = { ...highest(benchCase), gracefulStop };
  const from_s = connecting_s(k6) + timing.warmup_s;
  const window = { from_s, to_s: null };
  const thresholds = benchCase.thresholds.map((threshold) => {
    const not_judged = whyNotJudged(threshold, benchCase.load);
    return not_judged === null ? threshold : { ...threshold, not_judged };
  });
  return lasting({ ...benchCase, ...ofNoLane, thresholds, lane: 'load', k6, window }, from_s + timing.seconds);
}

/** A case as the age lane of a duet measures it: as the load lane does, for a long time. Thresholds are for that one. */
export const ageCase = (benchCase: Case, timing: { warmup_s: number; seconds: number }): Case => ({
  ...loadCase(benchCase, timing),
  lane: 'age',
  thresholds: [],
});

/**
 * A threshold says what the declared load must meet: under another load, or of what a lane has not, it says nothing.
 * @returns null: the load lane judges it
 */
function whyNotJudged({ source, aggregation }: Case['thresholds'][number], load: Case['load']): string | null {
  if (isChanging(load)) return 'the load changes, and the load lane has the highest';
  if (source === 'query') return 'a duet asks no Prometheus';
  if (source === 'record') return 'a duet has no faults, and users are not measured by themselves';
  return aggregation === 'count' ? 'a count depends on how long is measured' : null;
}

/** @returns a constant load as high as this one gets */
function highest({ k6, load }: Case): Case['k6'] {
  if (k6.duration !== undefined) return k6;
  const rate = highestRate(load);
  if (rate === null) return constantUsers(load.users);
  const { preAllocatedVUs, maxVUs, timeUnit = '1s' } = k6;
  const users = { preAllocatedVUs, ...(maxVUs !== undefined && { maxVUs }) };
  return constantRate({ rate: Math.round(rate * parseDuration(timeUnit)), timeUnit, ...users });
}

/**
 * A case as the saturation probe of a duet measures it: some tens of users who send what the scenario sends as fast as it
 * is answered, so that a lock, a pool or a lost core shows in the throughput.
 */
export function saturationCase(
  benchCase: Case,
  { users, warmup_s, seconds }: { users: number; warmup_s: number; seconds: number },
): Case {
  const saturated = {
    ...benchCase,
    ...ofNoLane,
    thresholds: [],
    lane: 'saturation' as const,
    k6: { ...constantUsers(users), gracefulStop },
    window: { from_s: warmup_s, to_s: null },
    requests: withoutPauses(benchCase),
    saturation: 'expected' as const,
  };
  return lasting(saturated, warmup_s + seconds);
}

/**
 * A case as the saturation probe measures it, by so many users and for so long.
 * @param saturated as it measures it, whose requests were tried
 */
export const byUsers = (saturated: Case, { users, seconds }: { users: number; seconds: number }): Case =>
  lasting({ ...saturated, smoke: false, k6: { ...constantUsers(users), gracefulStop } }, seconds);

/**
 * A case as both sides are warmed up with before a block of a duet: by so many iterations without pauses.
 * @param saturated as the saturation probe measures it, whose requests were tried
 */
export function byIterations(
  saturated: Case,
  { users, iterations, most_s }: { users: number; iterations: number; most_s: number },
): Case {
  const k6 = { ...sharedIterations({ vus: users, iterations }), maxDuration: `${most_s}s`, gracefulStop };
  const window = { ...saturated.window, from_s: 0, to_s: null };
  return { ...saturated, smoke: false, k6, load: loadOf(k6), window, duration_s: null };
}

const withoutPauses = ({ requests }: Case) => requests?.map((request) => ({ ...request, think: null })) ?? null;

/**
 * The load of a scenario.
 * @param benchCase one that has an executor
 * @returns null: its load is not one number
 */
export const loadParameterOf = ({ k6 }: Case): 'rate' | 'vus' | null => executors[k6.executor].parameter ?? null;

/**
 * The load of a case, as it is.
 * @returns iterations a second, or users
 */
export const loadNow = ({ load }: Case): number => load.segments[0].from;

/** More users need memory, and k6 is slow with them. */
const mostUsers = 5000;

/** What a request may take when no threshold says. */
const usualLimit_s = 1;

/**
 * A case under another load than the spec's, for a time of its own. An open load gets users for twice the time that its
 * thresholds allow a request: where these are not enough, the thresholds are missed, or would be.
 * @param probe load: iterations a second, or users; seconds: measured, after the time that the spec takes to get warm
 */
export function underLoad(benchCase: Case, { load, seconds }: { load: number; seconds: number }): Case {
  const k6 = optionsFor(benchCase, load);
  return lasting({ ...benchCase, k6, saturation: 'error', faults: [] }, benchCase.window.from_s + seconds);
}

function optionsFor(benchCase: Case, load: number): Case['k6'] {
  const { maxVUs, timeUnit, ...k6 } = benchCase.k6;
  if (benchCase.load.kind === 'closed') return { ...k6, vus: Math.max(1, Math.round(load)) };
  const per_s = unitOf(load);
  return {
    ...k6,
    rate: Math.max(1, Math.round(load * per_s)),
    timeUnit: `${per_s}s`,
    preAllocatedVUs: usersFor(benchCase, load),
  };
}

/** k6 takes whole numbers: of fewer a second, so many in ten or a hundred. */
const unitOf = (load: number) => [1, 10, 100].find((by) => load * by >= 200) ?? 100;

function usersFor({ thresholds, requests, k6 }: Case, load: number) {
  const limits = thresholds
    .filter(({ metric, level, op }) => metric === 'http_req_duration' && level === 'fail' && op.startsWith('<'))
    .map(({ value }) => value / 1000);
  const limit_s = (limits.length ? Math.max(...limits) : usualLimit_s) * Math.max(1, requests?.length ?? 1);
  return Math.min(mostUsers, Math.max(k6.preAllocatedVUs ?? 1, Math.ceil(load * limit_s * 2)));
}
