import type { Running } from '../../base/process/command.js';
import { signalProcess } from '../../base/process/processes.js';
import { parseDuration } from '../../suite/cases/cases.js';

/**
 * k6's line of a scenario: "short   [  27% ] 5/5 VUs  1.1s/4s  50.00 iters/s". Its time begins when the load does, that
 * of the line "running (…)" before a script's setup().
 */
const scenarioLine = /\[ *\d+% \].*? (\d[\ddhm.]*s)\/[\ddhm.]+s(?: |$)/;

/** Seconds by which k6 may have rounded it up or down. */
const rounding_s = 0.05;

/** Milliseconds between two askings: no part of the rounding, so that several lines fall on its different sides. */
const asking_ms = 37;

/** So many answers tell the start to within `asking_ms`. */
const enough = 12;

/**
 * Finds out when the load began, from what k6 prints.
 * @returns read: gets each line as it comes; began: epoch milliseconds, null as long as it has not; ask: k6 prints once a
 *   second only, and is made to do so more often at first
 */
export function loadClock(): {
  read: (line: string, now?: number) => void;
  began: () => number | null;
  ask: (k6: Running) => void;
} {
  let began: number | null = null;
  let lines = 0;
  return {
    read(line, now = Date.now()) {
      const [, spent] = line.match(scenarioLine) ?? [];
      if (spent === undefined) return;
      lines += 1;
      // It began no later than this; a line that comes late, or was rounded down, says less.
      const latest = now - (parseDuration(spent) - rounding_s) * 1000;
      began = Math.min(began ?? latest, latest);
    },
    began: () => began,
    ask(k6) {
      // On a signal that its terminal was resized k6 prints its progress at once; who does not know it ignores it.
      const timer = setInterval(() => {
        if (k6.exit || lines >= enough) clearInterval(timer);
        else signalProcess(k6.pid, 'SIGWINCH');
      }, asking_ms);
      timer.unref();
    },
  };
}
