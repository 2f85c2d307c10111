import { join } from 'node:path';
import { exitCodes, UserError } from '../../base/errors.js';
import { makeFolder, writeWhole } from '../../base/io/files.js';
import { removeTree } from '../../base/io/remove-tree.js';
import { startGuard } from '../../base/process/guard.js';
import { listenForInterrupt } from '../../base/process/interrupt.js';
import { removeOfEnded } from '../../base/process/labelled-containers.js';
import { portPool } from '../../base/process/ports.js';
import { type Engine, findEngine } from '../../base/tools/container-engine.js';
import { findTool } from '../../base/tools/find-tool.js';
import type { World } from '../../base/world.js';
import { nameOfTime, startedFile } from '../../records/runs.js';
import type { Case } from '../../suite/cases/expand.js';
import { benchDir, type Suite } from '../../suite/suite.js';
import { findKubectl } from '../cluster/kubectl.js';
import type { Run, Watcher } from '../run-context.js';
import { deleteOldRuns, deleteOldScratch, reportDead, scratch } from './leftovers.js';
import { takeLock } from './lock.js';
import { type Player, wantsNative } from './player.js';
import { progressOn } from './progress.js';

/** What the process ends with after Ctrl-C, as a shell would have it: 128 and the number of SIGINT. */
export const interruptedCode = 130;

/**
 * Opens a run: takes the lock, ends what a dead run left behind, makes the folder, sets the watchdog, listens for
 * signals.
 * @param given memory_bytes: what a k6 process may take; cases: that are to be measured; player: that was asked for; watcher:
 *   learns what happens
 * @returns native: its k6 has the native player in it; close: ends what is left and gives the lock back
 * @throws {UserError} another run is at work; a tool is missing
 */
export async function openSession(
  suite: Suite,
  {
    memory_bytes,
    cases,
    player,
    watcher,
  }: { memory_bytes: number; cases: readonly Case[]; player?: Player; watcher?: Watcher },
  world: World,
): Promise<{ run: Run; native: boolean; close: () => void }> {
  if (process.platform !== 'linux') {
    throw new UserError('`run` needs Linux: it samples and ends services by /proc', { code: exitCodes.error });
  }
  // jq is needed at the end only: better to know before an hour has passed.
  if (cases.some(({ generators }) => generators)) findKubectl(world.env);
  const shaped = cases.some(({ network }) => network);
  const [k6, toxiproxy, , engine] = await Promise.all([
    findTool('k6', { native: wantsNative(cases, player) }),
    shaped ? findTool('toxiproxy') : null,
    findTool('jq'),
    engineFor(cases, world.env),
  ]);
  const bench = benchDir(suite);
  const progress = progressOn(world.stderr, watcher);
  const time = new Date();
  const id = `${nameOfTime(time)}-${process.pid}`;
  const lock = takeLock(bench, id);
  try {
    reportDead(bench, lock.dead, progress.note, world.env);
    const folder = makeFolder(join(bench, 'runs', id));
    await writeWhole(startedFile(bench), `${id}\n`);
    deleteOldRuns(bench);
    deleteOldScratch(bench);
    const guard = startGuard(id, folder);
    const interrupt = listenForInterrupt({
      first: () => progress.note('stopping: rounds that are complete are kept (once more: kill at once)'),
      later: () => {
        guard.killAll();
        lock.release();
        process.exit(interruptedCode);
      },
    });
    return {
      run: {
        id,
        time,
        folder,
        root: suite.root,
        env: world.env,
        k6: k6.path,
        k6_version: k6.version,
        toxiproxy: toxiproxy?.path ?? null,
        engine,
        memory_bytes,
        guard,
        interrupt,
        progress,
        ports: portPool(),
        secrets: [],
        seeded: new Map(),
        valuesOf: (benchCase, ports = {}) => ({
          env: world.env,
          specDir: join(suite.root, benchCase.spec_dir),
          runDir: makeFolder(join(folder, scratch)),
          ports,
        }),
      },
      native: k6.native,
      close() {
        guard.killAll();
        removeOfEnded(folder, id);
        guard.close();
        interrupt.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * What runs the containers of these cases.
 * @returns null: they have none
 * @throws {UserError} there is no engine that answers
 */
export const engineFor = async (
  cases: readonly Pick<Case, 'services'>[],
  env: NodeJS.ProcessEnv,
): Promise<Engine | null> =>
  cases.some(({ services }) => services.some(({ container }) => container)) ? findEngine(env) : null;

/** Deletes the files that services wrote for themselves, unless one of the cases failed: the reason may be in them. */
export function deleteScratch(run: Run, cases: readonly { status: string }[]) {
  if (cases.some(({ status }) => status === 'error')) return;
  const folder = join(run.folder, scratch);
  if (!removeTree(folder)) run.progress.note(`${folder} stays: some of it is another user's`);
}
