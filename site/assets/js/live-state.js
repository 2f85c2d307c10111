/**
 * What is known of a run under way. The process that measures keeps one, and each page that shows it another: both apply the
 * same events, so a page that comes later gets the first, and then what happens.
 *
 * - cases: what is measured, in order; outcome: '' until it has one
 * - at: which of them is measured now; -1: none yet
 * - round: "round 2 of 3"
 * - whole: seconds of its load; left_s: of the run; null: not known
 * - seconds: of the load under way
 * - notes: the last ones
 * - result: what the run found, as the terminal has it; ended: how it ended, in a word; '': not yet
 *
 * @typedef {{ name: string, outcome: string }} LiveCase
 * @typedef {{ t: number, responses: number, errors: number, dropped: number, p50_ms: number | null, p95_ms: number | null,
 *   cores: Record<string, number> }} LiveSecond t: seconds since the load began; responses, errors, dropped: a second, responses
 *   without errors; cores: CPU in use
 * @typedef {{ title: string, cases: LiveCase[], at: number, round: string, whole: number | null, left_s: number | null,
 *   seconds: LiveSecond[], last: Totals, notes: string[], result: string, ended: string }} LiveState
 * @typedef {{ t: number, complete: number, requests: number, errors: number, dropped: number }} Totals since the load began
 *
 * @typedef {{ type: 'begin', cases: string[] } | { type: 'case', index: number } | { type: 'round', text: string }
 *   | { type: 'second', seconds: number, complete: number, whole: number | null, left_s: number | null, figures: Figures }
 *   | { type: 'outcome', index: number, text: string } | { type: 'note', text: string } | { type: 'result', text: string }
 *   | { type: 'end', text: string } | { type: 'state', state: LiveState }} LiveEvent
 * @typedef {{ requests: number, errors: number, dropped: number, p50_ms: number | null, p95_ms: number | null,
 *   cores: Record<string, number> }} Figures requests, errors, dropped: since the load began
 */

/** More would be drawn again each second, and not be seen. */
const most = { seconds: 600, notes: 20 };

/** @returns {Totals} */
const nothing = () => ({ t: 0, complete: 0, requests: 0, errors: 0, dropped: 0 });

/** @param {string} title of the suite @returns {LiveState} */
export const stateOf = (title) => ({
  title,
  cases: [],
  at: -1,
  round: '',
  whole: null,
  left_s: null,
  seconds: [],
  last: nothing(),
  notes: [],
  result: '',
  ended: '',
});

/**
 * @param {LiveState} state
 * @param {LiveEvent} event
 * @returns {LiveState}
 */
export function applied(state, event) {
  switch (event.type) {
    case 'state':
      return event.state;
    case 'begin':
      return { ...state, cases: event.cases.map((name) => ({ name, outcome: '' })), at: -1 };
    case 'case':
      return { ...withoutLoad(state), at: event.index, round: '' };
    case 'round':
      return { ...state, round: event.text, last: nothing() }; // the figures of the last one stay until there are others
    case 'second':
      return withSecond(state, event);
    case 'outcome':
      return {
        ...state,
        cases: state.cases.map((one, index) => (index === event.index ? { ...one, outcome: event.text } : one)),
      };
    case 'note':
      return { ...state, notes: [...state.notes, event.text].slice(-most.notes) };
    case 'result':
      return { ...state, result: event.text };
    case 'end':
      return { ...state, ended: event.text, left_s: null };
  }
}

/** @param {LiveState} state @returns {LiveState} */
const withoutLoad = (state) => ({ ...state, whole: null, seconds: [], last: nothing() });

/** @param {LiveState} state @param {Extract<LiveEvent, { type: 'second' }>} event @returns {LiveState} */
function withSecond(state, { seconds: t, complete, whole, left_s, figures }) {
  // A round of several loads, as a block of a duet, begins again at 0.
  const begins = state.last.t === 0 || t < state.last.t;
  const { last, seconds } = begins ? { last: nothing(), seconds: [] } : state;
  const took = t - last.t;
  if (took <= 0) return { ...state, whole, left_s };
  const { requests, errors, dropped, p50_ms, p95_ms, cores } = figures;
  const rate = (/** @type {number} */ now, /** @type {number} */ then) => Math.max(0, now - then) / took;
  // Where requests are not counted yet, as in pods, iterations are known.
  const responses = requests > 0 ? rate(requests - errors, last.requests - last.errors) : rate(complete, last.complete);
  const second = {
    t,
    responses,
    errors: rate(errors, last.errors),
    dropped: rate(dropped, last.dropped),
    p50_ms,
    p95_ms,
    cores,
  };
  return {
    ...state,
    whole,
    left_s,
    seconds: [...seconds, second].slice(-most.seconds),
    last: { t, complete, requests, errors, dropped },
  };
}

/**
 * The seconds of a load as the datasets of timeline.vl.json, and what its lines are.
 * @param {readonly LiveSecond[]} seconds
 * @returns {{ data: Record<'spans' | 'load' | 'latency' | 'cpu', Record<string, unknown>[]>, key: { slot: string | number,
 *   text: string }[] }}
 */
export function timelineOf(seconds) {
  const names = [...new Set(seconds.flatMap(({ cores }) => Object.keys(cores)))];
  const loads = /** @type {const} */ ([
    ['responses', 'answered as expected', 1],
    ['errors', 'errors', 'limit'],
    ['dropped', 'dropped', 'base'],
  ]);
  const shown = loads.filter(([key], i) => i === 0 || seconds.some((second) => second[key] > 0));
  const latencies = /** @type {const} */ ([
    ['p50_ms', 'p50'],
    ['p95_ms', 'p95'],
  ]);
  const slotOfCpu = (/** @type {number} */ i) => ((i + latencies.length) % 8) + 1;
  return {
    data: {
      spans: [],
      load: shown.flatMap(([key, who]) =>
        seconds.map((second) => ({
          slot: loads.findIndex(([one]) => one === key) + 1,
          who,
          t: second.t,
          rps: second[key],
        })),
      ),
      latency: latencies.flatMap(([key, who], i) =>
        seconds.flatMap((second) => (second[key] ? [{ slot: i + 1, who, t: second.t, latency: second[key] }] : [])),
      ),
      cpu: names.flatMap((who, i) =>
        seconds.flatMap(({ t, cores }) =>
          cores[who] === undefined ? [] : [{ slot: slotOfCpu(i), who, t, cores: cores[who] }],
        ),
      ),
    },
    key: [
      ...shown.slice(1).map(([, text, slot]) => ({ slot, text })),
      ...latencies.map(([, text], i) => ({ slot: i + 1, text: `${text} latency` })),
      ...names.map((who, i) => ({ slot: slotOfCpu(i), text: `${who} CPU` })),
    ],
  };
}
