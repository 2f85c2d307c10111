import { counted, formatCount, formatDuration, formatNumber } from '../format.js';
import { scheduleOf } from './eta.js';

/** @import { Progress, Shown } from '../run-context.js' */

/**
 * On a terminal, one line is redrawn each second below those that stay; elsewhere there is a line for each round.
 * @param {NodeJS.WritableStream & { isTTY?: boolean, columns?: number }} stream
 * @returns {Progress}
 */
export function progressOn(stream) {
  const drawing = stream.isTTY === true;
  // The terminal may be gone (SIGHUP), or the reader (`| head`): a run goes on without it.
  stream.on('error', () => {});
  /** @type {readonly Shown[]} */
  let cases = [];
  let rounds = 0;
  let unit = 'round';
  let schedule = scheduleOf([], 0);
  let at = { index: 0, round: 0, since: 0, rate: '' };

  const clear = () => void (drawing && stream.write('\r\x1b[K'));
  const line = (/** @type {string} */ text) => {
    clear();
    stream.write(`${text}\n`);
  };
  const draw = (/** @type {string} */ text) => {
    if (!drawing) return;
    clear();
    stream.write(text.slice(0, (stream.columns ?? 80) - 1));
  };
  const label = () => {
    const { system, environment, name } = cases[at.index];
    return `[${at.index + 1}/${cases.length}] ${system}/${environment}/${name}`;
  };
  const left = (/** @type {number} */ spent) => {
    const seconds = schedule.left();
    return seconds === null || seconds === 0 ? '' : `, ${showLeft(seconds - spent)} left`;
  };

  return {
    note: line,
    begin(list, count, seed, called = 'round') {
      [cases, rounds, schedule, unit] = [list, count, scheduleOf(list, count), called];
      const seconds = schedule.left();
      const long = seconds === null ? '' : `: ${showLeft(seconds)}`;
      const order = list.length > 1 ? ` each, in random order (seed ${seed})` : '';
      line(`${counted(list.length, 'case')}, ${counted(count, unit)}${order}${long}`);
    },
    beginCase(index) {
      at = { index, round: 0, since: performance.now(), rate: '' };
      schedule.begin(index);
      if (drawing) draw(`${label()}: starting`);
      else line(`${label()}: starting`);
    },
    beginRound(round) {
      at = { ...at, round, since: performance.now(), rate: '' };
      draw(`${label()}: ${unit} ${round} of ${rounds}`);
    },
    iterations(complete, seconds) {
      const whole = schedule.round();
      at.rate = `, ${formatNumber(complete / Math.max(seconds, 0.1))} iterations/s`;
      const time = `${formatCount(seconds)}${whole === null ? '' : ` of ${formatCount(whole)}`} s`;
      draw(`${label()}: ${unit} ${at.round} of ${rounds}, ${time}${at.rate}${left(seconds)}`);
    },
    endRound() {
      schedule.roundTook((performance.now() - at.since) / 1000);
      const text = `${label()}: ${unit} ${at.round} of ${rounds} done${at.rate}${left(0)}`;
      if (drawing) draw(text);
      else line(text);
    },
    endCase: (outcome, more = []) => line([`${label()}: ${outcome}`, ...more].join('\n    ')),
    end: clear,
  };
}

/** @param {number} seconds @returns {string} no more exact than it is known: "about 40 s", "about 7 min" */
function showLeft(seconds) {
  const step = seconds < 90 ? 5 : 60;
  return `about ${formatDuration(Math.max(1, Math.round(seconds / step) * step))}`;
}
