import { relative } from 'node:path';
import { counted, formatCount, formatDuration, formatInUnit, formatNumber } from '../../base/format.js';
import { limits } from '../../suite/cases/tables.js';
import type { LiveFigures, Progress, Shown, Watcher } from '../run-context.js';
import { scheduleOf } from './eta.js';

/** A step that takes longer than this shows that it goes on, and where. */
const long_ms = 5000;

/**
 * On a terminal, one line is redrawn each second below those that stay; elsewhere there is a line for each round.
 * @param watcher gets the same as data
 */
export function progressOn(
  stream: NodeJS.WritableStream & { isTTY?: boolean; columns?: number },
  watcher: Watcher = () => {},
): Progress {
  const drawing = stream.isTTY === true;
  // The terminal may be gone (SIGHUP), or the reader (`| head`): a run goes on without it.
  stream.on('error', () => {});
  let cases: readonly Shown[] = [];
  let rounds = 0;
  let unit = 'round';
  let schedule = scheduleOf([], 0);
  /** loaded: seconds of load in the round, as far as k6 says */
  let at = { index: 0, round: 0, since: 0, rate: '', loaded: null as number | null };

  const clear = () => void (drawing && stream.write('\r\x1b[K'));
  const line = (text: string) => {
    clear();
    stream.write(`${drawing ? wrapped(text, (stream.columns || 80) - 1) : text}\n`);
  };
  const draw = (text: string) => {
    if (!drawing) return;
    clear();
    stream.write(text.slice(0, (stream.columns || 80) - 1));
  };
  const nameOf = ({ system, environment, name }: Shown) => `${system}/${environment}/${name}`;
  const label = () => `[${at.index + 1}/${cases.length}] ${nameOf(cases[at.index])}`;
  const roundsOf = () => cases[at.index].blocks?.length ?? rounds;
  const roundText = () => `${unit} ${at.round} of ${roundsOf()}`;
  const spent = () => (performance.now() - at.since) / 1000;
  const left = () => {
    const seconds = schedule.left(spent(), at.loaded);
    return seconds === null ? '' : `, ${showLeft(seconds)} left`;
  };

  const note = (text: string) => {
    line(text);
    watcher({ type: 'note', text });
  };

  return {
    note,
    async step(title, log, work) {
      note(title);
      const since = performance.now();
      const took = () => formatDuration(Math.round((performance.now() - since) / 1000));
      const logPath = relative(process.cwd(), log);
      const show = () => {
        if (drawing) draw(`${title}: ${took()} so far, log: ${logPath}`);
        else line(`${title}: it takes its time, and writes to ${logPath}`);
      };
      const timers = [
        setTimeout(() => {
          show();
          if (drawing) timers.push(setInterval(show, 1000));
        }, long_ms),
      ];
      try {
        return await work();
      } finally {
        for (const timer of timers) clearTimeout(timer);
        clear();
        if (performance.now() - since > long_ms) line(`${title}: ended after ${took()}`);
      }
    },
    begin(list, count, seed, { unit: called = 'round', mayEndSooner = false } = {}) {
      [cases, rounds, schedule, unit] = [list, count, scheduleOf(list, count), called];
      const seconds = schedule.left();
      const long = seconds === null ? '' : `: ${mayEndSooner ? 'at most ' : ''}${showLeft(seconds)}`;
      const order = list.length > 1 ? ` each, in random order (seed ${seed})` : '';
      line(`${counted(list.length, 'case')}, ${counted(count, unit)}${order}${long}`);
      watcher({ type: 'begin', cases: list.map(nameOf) });
    },
    beginCase(index) {
      at = { index, round: 0, since: performance.now(), rate: '', loaded: null };
      schedule.begin(index);
      if (drawing) draw(`${label()}: starting${left()}`);
      else line(`${label()}: starting`);
      watcher({ type: 'case', index });
    },
    beginRound(round) {
      if (at.round === 0) schedule.startTook(spent());
      at = { ...at, round, since: performance.now(), rate: '', loaded: null };
      draw(`${label()}: ${roundText()}${left()}`);
      watcher({ type: 'round', text: roundText() });
    },
    iterations(complete, seconds, live) {
      const rate = formatNumber(complete / Math.max(seconds, 0.1));
      at.rate = `, ${rate} iterations/s`;
      at.loaded = seconds;
      const whole = schedule.round();
      watcher({ type: 'second', complete, seconds, whole, left_s: schedule.left(spent(), seconds), live });
      if (!drawing) return;
      const time = `, ${formatCount(seconds)}${whole === null ? '' : ` of ${formatCount(whole)}`} s`;
      const rest = `, ${rate}/s${figuresText(live())}${left()}`;
      const room = (stream.columns || 80) - 1;
      const said = `${roundText()}${time}${rest}`;
      const named = [label(), cases[at.index].name].map((name) => `${name}: ${said}`);
      // the time left stands at the end: what is before it makes room
      const shorter = [said, `${roundText()}${rest}`, rest.slice(2)];
      draw([...named, ...shorter].find(({ length }) => length <= room) ?? left().slice(2));
    },
    endRound() {
      schedule.roundTook(spent());
      at = { ...at, since: performance.now(), loaded: null };
      const text = `${label()}: ${roundText()} done${at.rate}${left()}`;
      if (drawing) draw(text);
      else line(text);
    },
    endCase(outcome, more = []) {
      schedule.endTook(spent());
      line([`${label()}: ${outcome}`, ...more].join('\n    '));
      watcher({ type: 'outcome', index: at.index, text: [outcome, ...more].join('\n') });
    },
    result: (text) => watcher({ type: 'result', text }),
    end: clear,
  };
}

/** A terminal would break within words. What is indented stays so. */
const wrapped = (text: string, width: number) =>
  text
    .split('\n')
    .map((line) => {
      const indent = /^ */.exec(line)?.[0] ?? '';
      const room = width - indent.length;
      const broken = new RegExp(`(?=.{${room + 1}})(\\S.{0,${room - 1}}) +`, 'g');
      return indent + line.slice(indent.length).replace(broken, `$1\n${indent}`);
    })
    .join('\n');

/** @returns what is known of it: ", p95 1.42 ms, 3 errors" */
function figuresText({ p95_ms, requests, errors, dropped }: LiveFigures): string {
  if (requests === 0) return '';
  const p95 = p95_ms === null ? '' : `, p95 ${formatInUnit(p95_ms, 'ms')}`;
  const saturated = dropped > limits.dropped_ratio * (requests + dropped) ? ' (saturated)' : '';
  return `${p95}, ${counted(errors, 'error')}, ${formatCount(dropped)} dropped${saturated}`;
}

/** @returns no more exact than it is known: "about 40 s", "about 7 min" */
function showLeft(seconds: number): string {
  const step = seconds < 20 ? 1 : seconds < 90 ? 5 : seconds < 300 ? 15 : 60;
  return `about ${formatDuration(Math.max(1, Math.round(seconds / step) * step))}`;
}
