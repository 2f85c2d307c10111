import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Rejected } from '../../collect/spec-problem.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { VegaLite } from '../../../suite/vega-lite/rules.js' */

/**
 * Draws the charts that specs bring with them. Such a file is somebody's program: it is compiled and drawn in a process
 * that is ended when it takes too long or too much memory, so that nothing in it can stop the build. (In a thread, one
 * large array would end all of ours.)
 *
 * @typedef {{ vega: string, svg: string }} OwnDrawing vega: the compiled chart, for the browser
 * @typedef {{ seconds: number, megabytes: number, largest: number }} Limits largest: bytes of a picture
 */

/** @type {Limits} */
const defaultLimits = { seconds: 30, megabytes: 512, largest: 1_000_000 };
const program = fileURLToPath(new URL('./process.js', import.meta.url));

/**
 * One process draws them all, one after the other: loading Vega takes longer than drawing.
 * @param {Partial<Limits>} [limits]
 */
export function ownDrawer(limits = {}) {
  const within = { ...defaultLimits, ...limits };
  /** @type {ChildProcess | null} */
  let child = null;
  /** @type {Promise<unknown>} */
  let before = Promise.resolve();

  /** @param {VegaLite} chart @param {string} data @returns {Promise<OwnDrawing>} */
  async function drawn(chart, data) {
    // No environment: a chart has no need of it.
    child ??= fork(program, [String(within.seconds)], {
      execArgv: [`--max-old-space-size=${within.megabytes}`],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    hold(child, true);
    const answer = await answerOf(child, { chart, data }, within);
    hold(child, false);
    if ('gone' in answer) child = null;
    if ('problem' in answer) throw new Rejected(answer.problem);
    if (answer.svg.length > within.largest)
      throw new Rejected(`its picture has ${answer.svg.length} bytes, and may have ${within.largest}`);
    return answer;
  }

  return {
    /**
     * @param {VegaLite} chart Vega-Lite, themed
     * @param {string} data JSON
     * @returns {Promise<OwnDrawing>}
     * @throws {Rejected} it cannot be drawn
     */
    draw(chart, data) {
      const result = before.then(() => drawn(chart, data));
      before = result.catch(() => {});
      return result;
    },
    async close() {
      await before;
      child?.kill('SIGKILL');
      child = null;
    },
  };
}

/** A build that fails on the way does not wait for an idle process, which ends with ours. @param {ChildProcess} child @param {boolean} on */
function hold(child, on) {
  for (const handle of [child, child.channel]) handle?.[on ? 'ref' : 'unref']();
}

/**
 * @param {ChildProcess} child
 * @param {{ chart: VegaLite, data: string }} task
 * @param {Limits} limits
 * @returns {Promise<OwnDrawing | { problem: string, gone?: true }>} gone: the process has ended
 */
const answerOf = (child, task, { seconds, megabytes }) =>
  new Promise((resolve) => {
    const end = (/** @type {OwnDrawing | { problem: string, gone?: true }} */ answer) => {
      child.off('message', end).off('exit', ended).off('error', failed);
      resolve(answer);
    };
    // The process ends itself when it is late; V8 aborts without memory.
    const ended = (/** @type {number | null} */ code, /** @type {string | null} */ signal) =>
      end({
        gone: true,
        problem:
          signal === 'SIGKILL'
            ? `it is not drawn within ${seconds} s`
            : `it takes more than ${megabytes} MB of memory (${signal ?? `exit ${code}`})`,
      });
    const failed = (/** @type {Error} */ { message }) => end({ problem: message, gone: true });
    child.on('message', end).on('exit', ended).on('error', failed);
    child.send(task);
  });
