import { join } from 'node:path';
import { endCommand, showExit, startCommand } from '../../base/process/command.js';
import { openLog } from '../../base/process/log.js';
import { findTool } from '../../base/tools/find-tool.js';
import { k6Environment } from '../generator/k6.js';
import { keepAwake } from './keep-awake.js';
import { swapCores } from './swap-cores.js';

/** @import { Running } from '../../base/process/command.js' */
/** @import { Run } from '../run-context.js' */
/** @import { Target } from './measure-block.js' */
/** @import { PairedCase } from './pair-cases.js' */
/** @import { Helped } from '../../suite/cases/duet-settings.js' */

/**
 * A command of our k6 that works beside the blocks with one user (k6/native/cores.go), so that both sides find the same cores.
 * @typedef {'swap-cores' | 'keep-awake'} HelperName
 * @typedef {{ not: string, env?: NodeJS.ProcessEnv, args: (sides: string[]) => string[] }} HelperCommand not: what is so without it;
 *   args: given the pids of each side's services, with commas
 */

/**
 * - begin: in a block; what ends them, and their processes
 * - planned: whether one is to work in the blocks
 * - worked: whether it did in every block so far
 * @typedef {{ begin: (targets: readonly Target[], folder: string, run: Run) => Promise<{ running: Running[], end: () => Promise<void> }>,
 *   planned: (name: HelperName) => boolean, worked: (name: HelperName) => boolean }} BlockHelpers
 */

/** Milliseconds that a program has to end which waits for nothing else. */
const ending_ms = 1000;

/**
 * @param {PairedCase} pair
 * @param {Helped} enabled as bench.toml says
 * @returns {Promise<BlockHelpers>} those that can work beside this case, with this k6
 */
export async function helpersOf(pair, enabled) {
  /** @type {Record<HelperName, HelperCommand | null>} */
  const commands = {
    'swap-cores': swapCores(pair, enabled.swapCores),
    'keep-awake': keepAwake(pair, enabled.keepAwake),
  };
  const k6 = await findTool('k6', { native: true });
  const helpers = k6.native
    ? Object.entries(commands).flatMap(([name, command]) => (command ? [helperOf(k6.path, name, command)] : []))
    : [];
  return {
    planned: (name) => helpers.some((helper) => helper.name === name),
    worked: (name) => helpers.some((helper) => helper.name === name && helper.worked()),
    async begin(targets, folder, run) {
      const sides = targets.map(({ services }) => services.list.map(({ running }) => running.pid).join(','));
      const begun = await Promise.all(helpers.map((helper) => helper.begin(sides, folder, run)));
      return {
        running: begun.map(({ running }) => running),
        async end() {
          await Promise.all(begun.map(({ end }) => end()));
        },
      };
    },
  };
}

/** @param {string} k6 @param {string} name @param {HelperCommand} command */
function helperOf(k6, name, { not, env, args }) {
  let begun = false;
  let failed = false;
  return {
    name,
    worked: () => begun && !failed,
    /** @param {string[]} sides @param {string} folder @param {Run} run */
    async begin(sides, folder, run) {
      const log = openLog(join(folder, `${name}.log`));
      const argv = [k6, 'x', 'benchfolio', name, ...args(sides)];
      const running = await startCommand(
        { name, argv, cwd: folder, env: { ...k6Environment(run.env), ...env }, log },
        run,
      );
      begun = true;
      const end = async () => {
        const { exit } = running; // before it was asked to
        await endCommand(running, 'SIGTERM', ending_ms);
        log.close();
        if (!exit || exit.code === 0 || failed) return;
        failed = true;
        const why = new RegExp(`benchfolio ${name}: (.*?)"?$`, 'm').exec(log.tail())?.[1] ?? `k6 ${showExit(exit)}`;
        run.progress.note(`${not}: ${why}`);
      };
      return { running, end };
    },
  };
}
