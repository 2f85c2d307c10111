import { join } from 'node:path';
import { exitCodes, UserError } from '../../base/errors.js';
import { makeFolder, writeWhole } from '../../base/io/files.js';
import { removeTree } from '../../base/io/remove-tree.js';
import { startGuard } from '../../base/process/guard.js';
import { listenForInterrupt } from '../../base/process/interrupt.js';
import { removeOfEnded } from '../../base/process/labelled-containers.js';
import { portPool } from '../../base/process/ports.js';
import { findEngine } from '../../base/tools/container-engine.js';
import { findTool } from '../../base/tools/find-tool.js';
import { nameOfTime, startedFile } from '../../records/runs.js';
import { benchDir } from '../../suite/suite.js';
import { findKubectl } from '../cluster/kubectl.js';
import { deleteOldRuns, deleteOldScratch, reportDead, scratch } from './leftovers.js';
import { takeLock } from './lock.js';
import { wantsNative } from './player.js';
import { progressOn } from './progress.js';

/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { Run, Watcher } from '../run-context.js' */
/** @import { Suite } from '../../suite/suite.js' */
/** @import { Engine } from '../../base/tools/container-engine.js' */
/** @import { World } from '../../base/world.js' */
/** @import { Player } from './player.js' */

/** What the process ends with after Ctrl-C, as a shell would have it: 128 and the number of SIGINT. */
export const interruptedCode = 130;

/**
 * Opens a run: takes the lock, ends what a dead run left behind, makes the folder, sets the watchdog, listens for
 * signals.
 * @param {Suite} suite
 * @param {{ memory_bytes: number, cases: readonly Case[], player?: Player,
 *   watcher?: Watcher }} given memory_bytes: what a k6 process may take; cases: that are to be measured;
 *   player: that was asked for; watcher: learns what happens
 * @param {World} world
 * @returns {Promise<{ run: Run, native: boolean, close: () => void }>} native: its k6 has the
 *   native player in it; close: ends what is left and gives the lock back
 * @throws {UserError} another run is at work; a tool is missing
 */
export async function openSession(suite, { memory_bytes, cases, player, watcher }, world) {
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
 * @param {readonly Pick<Case, 'services'>[]} cases
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Engine | null>} null: they have none
 * @throws {UserError} there is no engine that answers
 */
export const engineFor = async (cases, env) =>
  cases.some(({ services }) => services.some(({ container }) => container)) ? findEngine(env) : null;

/**
 * Deletes the files that services wrote for themselves, unless one of the cases failed: the reason may be in them.
 * @param {Run} run
 * @param {readonly { status: string }[]} cases
 */
export function deleteScratch(run, cases) {
  if (cases.some(({ status }) => status === 'error')) return;
  const folder = join(run.folder, scratch);
  if (!removeTree(folder)) run.progress.note(`${folder} stays: some of it is another user's`);
}
