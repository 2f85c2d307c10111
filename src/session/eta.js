/**
 * Seconds that a case takes beside its rounds' own: its services' start and end, and k6's start for each round.
 * Only for the estimate of the time left.
 */
const beside = { case_s: 1, round_s: 0.5 };

/**
 * Estimates the time left. A case that ends when its iterations are done takes as long as its last round took.
 * @param {readonly { duration_s: number | null }[]} cases
 * @param {number} rounds of each
 * @returns {{ begin: (index: number) => void, roundTook: (seconds: number) => void, left: () => number | null,
 *   round: () => number | null }} left: seconds, from the end of the last round on; round: seconds that one takes;
 *   null: cannot be told
 */
export function scheduleOf(cases, rounds) {
  /** @type {(number | null)[]} */
  const lengths = cases.map(({ duration_s }) => duration_s);
  let current = 0;
  let done = 0;
  return {
    begin(index) {
      current = index;
      done = 0;
    },
    roundTook(seconds) {
      lengths[current] = seconds;
      done += 1;
    },
    left() {
      let seconds = 0;
      for (const [index, length] of lengths.entries()) {
        if (index < current) continue;
        if (length === null) return null;
        const toGo = index === current ? rounds - done : rounds;
        seconds += toGo * (length + beside.round_s) + (index === current ? 0 : beside.case_s);
      }
      return seconds;
    },
    round: () => lengths[current] ?? null,
  };
}
