import { join } from 'node:path';
import { endCommand, type Running, showExit, startCommand } from '../../base/process/command.js';
import { openLog } from '../../base/process/log.js';
import { findTool } from '../../base/tools/find-tool.js';
import type { Helped } from '../../suite/cases/duet-settings.js';
import { k6Environment } from '../generator/k6.js';
import type { Run } from '../run-context.js';
import { keepAwake } from './keep-awake.js';
import type { PairedCase } from './pair-cases.js';
import { swapCores } from './swap-cores.js';
import type { Target } from './with-sides.js';

/**
 * A command of our k6 that works beside the blocks with one user (k6/native/cores.go), so that both sides find the same cores.
 */
export type HelperName = 'swap-cores' | 'keep-awake';

/** not: what is so without it; args: given the pids of each side's services, with commas */
export type HelperCommand = { not: string; env?: NodeJS.ProcessEnv; args: (sides: string[]) => string[] };

/**
 * - begin: in a block; what ends them, and their processes
 * - planned: whether one is to work in the blocks
 * - worked: whether it did in every block so far
 */
export type BlockHelpers = {
  begin: (
    targets: readonly Target[],
    folder: string,
    run: Run,
  ) => Promise<{ running: Running[]; end: () => Promise<void> }>;
  planned: (name: HelperName) => boolean;
  worked: (name: HelperName) => boolean;
};

/** Milliseconds that a program has to end which waits for nothing else. */
const ending_ms = 1000;

/**
 * @param enabled as bench.toml says
 * @returns those that can work beside this case, with this k6
 */
export async function helpersOf(pair: PairedCase, enabled: Helped): Promise<BlockHelpers> {
  const commands: Record<HelperName, HelperCommand | null> = {
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

function helperOf(k6: string, name: string, { not, env, args }: HelperCommand) {
  let begun = false;
  let failed = false;
  return {
    name,
    worked: () => begun && !failed,
    async begin(sides: string[], folder: string, run: Run) {
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
