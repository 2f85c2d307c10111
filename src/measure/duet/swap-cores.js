import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { k6Environment } from '../../generator/k6.js';
import { endCommand, showExit, startCommand } from '../../process/command.js';
import { openLog } from '../../process/log.js';
import { findTool } from '../../tools/find.js';

/** @import { Running } from '../../process/command.js' */
/** @import { Run } from '../../run-context.js' */
/** @import { Target } from './measure-block.js' */
/** @import { PairedCase } from './pair-cases.js' */

/**
 * Has base and head swap cores: the cores of a machine that others share are not equally fast, and the system
 * leaves a process where it is for a whole block, which then compares cores (k6/native/swap).
 *
 * - begin: in a block; what ends it
 * - swapped: whether they did in every block so far
 * @typedef {{ begin: (targets: readonly Target[], folder: string, run: Run) => Promise<() => Promise<void>>,
 *   swapped: () => boolean }} Swapper
 */

/** Milliseconds that a program has to end which waits for nothing else. */
const ending_ms = 1000;

/**
 * @param {PairedCase} pair
 * @param {boolean} wanted as bench.toml says
 * @returns {Promise<Swapper | null>} null: not wanted, or these sides cannot: they are containers or run elsewhere, have cores of
 *   their own, or are measured one after the other
 */
export async function swapperOf({ base, head, solo }, wanted) {
  const sides = [base.services, head.services];
  const ours = sides.every((services) => services.length > 0 && services.every(isFree));
  if (!wanted || process.platform !== 'linux' || availableParallelism() < 2 || solo.interleaved !== null || !ours)
    return null;
  const k6 = await findTool('k6', { native: true });
  return k6.native ? swapper(k6.path, solo.window.from_s) : null;
}

/** @param {PairedCase['head']['services'][number]} service */
const isFree = ({ container, cpus }) => !container && !cpus;

/** @param {string} k6 @param {number} after_s */
function swapper(k6, after_s) {
  let begun = false;
  let failed = false;
  /** @type {Swapper} */
  const swapping = {
    swapped: () => begun && !failed,
    async begin(targets, folder, run) {
      const log = openLog(join(folder, 'swap-cores.log'));
      const pids = targets.map(({ services }) => services.list.map(({ running }) => running.pid).join(','));
      const running = await startCommand(
        {
          name: 'swap-cores',
          argv: [k6, 'x', 'benchfolio', 'swap-cores', '--after', `${after_s}s`, ...pids],
          cwd: folder,
          env: { ...k6Environment(run.env), GOMAXPROCS: '1' },
          log,
        },
        run,
      );
      begun = true;
      return async () => {
        const exit = running.exit; // before it was asked to
        await endCommand(running, 'SIGTERM', ending_ms);
        log.close();
        if (!exit || exit.code === 0 || failed) return;
        failed = true;
        run.progress.note(`base and head do not swap cores: ${whyNot(running, exit)}`);
      };
    },
  };
  return swapping;
}

/** @param {Running} running @param {NonNullable<Running['exit']>} exit */
const whyNot = ({ log }, exit) => /benchfolio swap-cores: (.*?)"?$/m.exec(log.tail())?.[1] ?? `k6 ${showExit(exit)}`;
