import type { Block, Shown } from '../run-context.js';

/**
 * Seconds that a run takes beside its loads, as long as none of its cases has shown how long: a case until its services are
 * ready, and until they have ended; its first round, which tries each request, and its others, in which k6 starts and ends (the
 * last of it after its load); after the last, reducing a case, and judging and printing all. A block of a duet starts services
 * itself: each time until they are ready, and their share of ending all of them.
 */
const beside = { start: 1, end: 0.3, side: 1.8, first: 2, later: 0.7, last: 0.3, reduce: 0.1, conclude: 1.5 };

/** How many times slower a machine is taken for that takes longer to start and end k6. */
const slowest = 4;

/** Of a case, beside its loads. */
type Part = 'start' | 'end' | 'side' | 'first' | 'later';

/**
 * Estimates the time left. A case that ends when its iterations are done takes as long as its last round took; what comes on
 * top of loads takes as long as it mostly took so far, each part by itself: a first round takes longer than those after it. A
 * case counts once, however many rounds it had, so that one that is odd says nothing of the others; what is left of itself takes
 * as long as its own parts did.
 * @param rounds of each that has no blocks
 * @returns startTook: of a case, until its first round; endTook: from its last round on; left: seconds, where `spent` have
 *   passed since the last of these calls, and the load of the round has lasted `loaded` (null: it has not begun, however long
 *   that takes); round: seconds of the load under way; null: not known
 */
export function scheduleOf(
  cases: readonly Pick<Shown, 'duration_s' | 'blocks'>[],
  rounds: number,
): {
  begin: (index: number) => void;
  startTook: (seconds: number) => void;
  roundTook: (seconds: number) => void;
  endTook: (seconds: number) => void;
  left: (spent?: number, loaded?: number | null) => number | null;
  round: () => number | null;
} {
  const lengths: (number | null)[] = cases.map(({ duration_s }) => duration_s);
  /** By the number of the case. */
  const took: Record<Part, Map<number, number[]>> = {
    start: new Map(),
    end: new Map(),
    side: new Map(),
    first: new Map(),
    later: new Map(),
  };
  const add = (part: Part, seconds: number) =>
    void took[part].set(current, [...(took[part].get(current) ?? []), seconds]);
  const mostly = (part: Part) => medianOf([...took[part].values()].flatMap((own) => medianOf(own) ?? []));
  const expected = (part: Part, index = -1) => medianOf(took[part].get(index) ?? []) ?? mostly(part) ?? beside[part];
  let current = -1;
  let started = false;
  let ended = true;
  let done = 0;

  /** Reducing needs the CPU, as k6 does when it starts. */
  const slowness = () => Math.min(slowest, Math.max(1, expected('later') / beside.later));

  /**
   * @param round counted from 0
   * @returns seconds of a block beside its loads, but for starts
   */
  const generatorsOf = (index: number, round: number): number =>
    (cases[index].blocks?.[round].loads.length ?? 0) * expected('later', index) +
    (round === 0 ? Math.max(0, expected('first', index) - expected('later', index)) : 0);

  /**
   * @param round counted from 0
   * @returns seconds of a block
   */
  function blockOf(index: number, round: number): number {
    const { starts, loads } = (cases[index].blocks as Block[])[round];
    return sum(loads) + starts * expected('side', index) + generatorsOf(index, round);
  }

  /** What is done of the part under way: never more than what it was to take. */
  function passed(spent: number, loaded: number | null) {
    if (current < 0) return spent;
    const { blocks } = cases[current];
    if (blocks) return started && done < blocks.length ? Math.min(spent, blockOf(current, done)) : 0;
    if (!started) return Math.min(spent, expected('start'));
    if (ended) return 0;
    if (done === rounds) return Math.min(spent, expected('end'));
    if (cases[current].duration_s === null) return Math.min(spent, lengths[current] ?? spent);
    const extra = expected(done === 0 ? 'first' : 'later', current);
    const { last } = beside;
    if (loaded === null) return Math.min(spent, Math.max(0, extra - last));
    return Math.max(0, extra - last) + Math.min(loaded, lengths[current] ?? loaded);
  }

  function leftOf(index: number): number | null {
    const { blocks } = cases[index];
    const length = lengths[index];
    if (index < current || (index === current && ended)) return 0;
    const isCurrent = index === current;
    if (blocks) return sum(blocks.map((_, round) => (isCurrent && round < done ? 0 : blockOf(index, round))));
    if (length === null) return null;
    const before = isCurrent && started ? 0 : expected('start');
    const toGo = isCurrent ? rounds - done : rounds;
    const isFirst = !isCurrent || done === 0;
    // a length that was measured has it
    const extra = cases[index].duration_s === null ? 0 : toGo * expected('later', index);
    const tries = isFirst && toGo > 0 && extra > 0 ? expected('first', index) - expected('later', index) : 0;
    return before + toGo * length + extra + tries + expected('end');
  }

  return {
    begin(index) {
      [current, started, ended, done] = [index, false, false, 0];
    },
    startTook(seconds) {
      if (!cases[current].blocks) add('start', seconds);
      started = true;
    },
    roundTook(seconds) {
      const { duration_s, blocks } = cases[current];
      if (blocks) {
        const { starts, loads } = blocks[done];
        if (starts > 0) {
          add('side', Math.max(0, seconds - sum(loads) - generatorsOf(current, done)) / starts);
        }
      } else if (duration_s === null) lengths[current] = seconds;
      else add(done === 0 ? 'first' : 'later', Math.max(0, seconds - duration_s));
      done += 1;
    },
    endTook(seconds) {
      // one that failed shows nothing of the others: part of a round may be in this
      if (done === rounds && !cases[current].blocks) add('end', seconds);
      ended = true;
    },
    left(spent = 0, loaded = null) {
      const each = cases.map((_, index) => leftOf(index));
      if (each.includes(null)) return null;
      const after = (beside.conclude + cases.length * beside.reduce) * slowness();
      return sum(each as number[]) + after - passed(spent, loaded);
    },
    round() {
      const { blocks } = cases[current];
      if (!blocks) return lengths[current] ?? null;
      const loads = new Set(blocks[done]?.loads);
      return loads.size === 1 ? [...loads][0] : null; // which of them it is, is not known
    },
  };
}

/** Of two, the lower one: what is odd takes longer. */
function medianOf(all: readonly number[]): number | null {
  const sorted = [...all].sort((a, b) => a - b);
  return all.length === 0 ? null : sorted[Math.ceil(all.length / 2) - 1];
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
