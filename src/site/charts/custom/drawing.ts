import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { VegaLite } from '../../../suite/vega-lite/rules.js';
import { Rejected } from '../../collect/spec-problem.js';

/**
 * Draws the charts that specs bring with them. Such a file is somebody's program: it is compiled and drawn in a process
 * that is ended when it takes too long or too much memory, so that nothing in it can stop the build. (In a thread, one
 * large array would end all of ours.)
 * vega: the compiled chart, for the browser
 */
type OwnDrawing = { vega: string; svg: string };

/** largest: bytes of a picture */
type Limits = { seconds: number; megabytes: number; largest: number };

const defaultLimits: Limits = { seconds: 30, megabytes: 512, largest: 1_000_000 };
const program = fileURLToPath(new URL('./process.js', import.meta.url));

/** One process draws them all, one after the other: loading Vega takes longer than drawing. */
export function ownDrawer(limits: Partial<Limits> = {}) {
  const within = { ...defaultLimits, ...limits };
  let child: ChildProcess | null = null;
  let before: Promise<unknown> = Promise.resolve();

  async function drawn(chart: VegaLite, data: string): Promise<OwnDrawing> {
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
     * @param chart Vega-Lite, themed
     * @param data JSON
     * @throws {Rejected} it cannot be drawn
     */
    draw(chart: VegaLite, data: string): Promise<OwnDrawing> {
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

/** A build that fails on the way does not wait for an idle process, which ends with ours. */
function hold(child: ChildProcess, on: boolean) {
  for (const handle of [child, child.channel]) handle?.[on ? 'ref' : 'unref']();
}

/** @returns gone: the process has ended */
const answerOf = (
  child: ChildProcess,
  task: { chart: VegaLite; data: string },
  { seconds, megabytes }: Limits,
): Promise<OwnDrawing | { problem: string; gone?: true }> =>
  new Promise((resolve) => {
    const end = (answer: OwnDrawing | { problem: string; gone?: true }) => {
      child.off('message', end).off('exit', ended).off('error', failed);
      resolve(answer);
    };
    // The process ends itself when it is late; V8 aborts without memory.
    const ended = (code: number | null, signal: string | null) =>
      end({
        gone: true,
        problem:
          signal === 'SIGKILL'
            ? `it is not drawn within ${seconds} s`
            : `it takes more than ${megabytes} MB of memory (${signal ?? `exit ${code}`})`,
      });
    const failed = ({ message }: Error) => end({ problem: message, gone: true });
    child.on('message', end).on('exit', ended).on('error', failed);
    child.send(task);
  });
