import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/io/files.js';
import { removeTree } from '../../base/io/remove-tree.js';
import { runCommand } from '../../base/process/command.js';
import { CaseFailure } from '../../base/process/failure.js';
import { openLog } from '../../base/process/log.js';
import { readsParameters } from '../../suite/cases/cases.js';
import { fill } from '../../suite/run-placeholders.js';
import { fillFolder, keepFolder, refuseMounted } from './containers/container-folders.js';

/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { Run } from '../run-context.js' */
/** @import { Services } from './services.js' */

/**
 * @typedef {Case['reuse'][number]} Reused filled
 *
 * Which part of a start is done.
 * - setup: of the services; does: which steps of after_ready
 * - ready: what steps of an earlier start captured
 * - seeded: what was kept of it, and goes into this one; null: nothing
 * @typedef {{ setup: boolean, does: (step: Case['after_ready'][number]) => boolean, ready: Record<string, unknown>,
 *   seeded: Seeded | null }} Part
 *
 * What the folders that starts share begin with.
 * - fillFolders: puts it in place for processes; fill: into the container of a service, which does not run yet
 * @typedef {{ fillFolders: () => Promise<void>, fill: (service: string, id: string) => Promise<void> }} Seeded
 */

/** @type {Part} */
export const wholeStart = { setup: true, does: () => true, ready: {}, seeded: null };

/**
 * What a start begins with whose case reuses folders: the first time in a run they are filled by a start of their own, which is
 * ended before they are copied, so that what is copied is whole and every start that is measured begins alike.
 * @param {Case} benchCase
 * @param {(part: Part) => Promise<Services>} begin starts its services
 * @param {Run} run
 * @returns {Promise<Part>}
 * @throws {CaseFailure} they cannot be filled or copied; again for each case that is filled alike
 */
export function seededFor(benchCase, begin, run) {
  const { services, after_ready, reuse, url, hosts, setup } = benchCase;
  const steps = after_ready.filter(({ once }) => once);
  const { specDir, runDir } = run.valuesOf(benchCase);
  const parameters = readsParameters(benchCase) ? benchCase.parameters : null; // of templates
  const filledBy = JSON.stringify([specDir, runDir, setup, url, hosts, services, parameters, steps, reuse]);
  const key = shortened(filledBy);
  const known = /** @type {Promise<Part>} */ (run.seeded.get(key) ?? seed(benchCase, { begin, key }, run));
  run.seeded.set(key, known);
  known.catch(() => {}); // who waits for it has its error
  return known;
}

/**
 * @param {Case} benchCase
 * @param {{ begin: (part: Part) => Promise<Services>, key: string }} how
 * @param {Run} run
 * @returns {Promise<Part>}
 */
async function seed(benchCase, { begin, key }, run) {
  run.progress.note(`${benchCase.system}/${benchCase.environment}: filling what its starts reuse`);
  const values = run.valuesOf(benchCase);
  const folders = /** @type {Reused[]} */ (fill(benchCase.reuse, values));
  const target = { store: makeFolder(join(values.runDir, `.reuse-${key}`)), run };
  const services = await begin({ ...wholeStart, does: ({ once }) => once, seeded: emptied(folders, target) });
  const failure = services.failure();
  await services.stop(async () => {
    if (failure) throw failure;
    refuseKilled(services);
    for (const [i, folder] of folders.entries()) await keep(folder, services, `${i}`, target);
  });
  return {
    setup: false,
    does: ({ once }) => !once,
    ready: services.ready,
    seeded: {
      async fillFolders() {
        for (const [i, { service, path }] of folders.entries()) {
          if (service === null) await replace(path, join(target.store, `${i}`), target);
        }
      },
      async fill(name, id) {
        for (const [i, { service, path }] of folders.entries()) {
          if (service === name) await fillFolder({ service, id, path }, join(target.store, `${i}`), run);
        }
      },
    },
  };
}

/**
 * What the start that fills folders begins with: what was there before the first of them in the run, such as what the setup of
 * the environment made. What the load of a case before has left is not part of it.
 * @param {readonly Reused[]} folders
 * @param {{ store: string, run: Run }} where
 * @returns {Seeded}
 */
const emptied = (folders, { store, run }) => ({
  async fillFolders() {
    for (const { service, path } of folders) {
      if (service !== null) continue;
      const key = `before ${path}`;
      const before = join(dirname(store), `.reuse-before-${shortened(path)}`);
      const known = run.seeded.get(key) ?? (existsSync(path) ? copy(path, before, { store, run }) : Promise.resolve());
      run.seeded.set(key, known);
      await known;
      if (existsSync(before)) await replace(path, before, { store, run });
      else removeFolder(path);
    }
  },
  async fill(name, id) {
    for (const { service, path } of folders) if (service === name) await refuseMounted({ service, id, path }, run);
  },
});

/** A name for a text of any length. @param {string} text */
const shortened = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Who is killed may not have written all that it knows. @param {Services} services */
function refuseKilled({ list }) {
  const killed = list.find((service) => service.killed);
  if (!killed) return;
  throw new CaseFailure(`${killed.title} did not end in time, and was killed: what it keeps may not be whole`, {
    log: killed.running.log,
    hint: 'Give it more: stop_timeout = "1m", or another stop_signal.',
  });
}

/** @param {string} path @param {string} copied @param {{ store: string, run: Run }} target */
async function replace(path, copied, target) {
  removeFolder(path);
  makeFolder(dirname(path));
  await copy(copied, path, target);
}

/** @param {string} path @throws {CaseFailure} */
function removeFolder(path) {
  if (!removeTree(path)) throw new CaseFailure(`${path} cannot be replaced: some of it is another user's`);
}

/**
 * @param {Reused} folder
 * @param {Services} services that have ended
 * @param {string} name of its copy
 * @param {{ store: string, run: Run }} where
 */
async function keep({ service, path }, services, name, { store, run }) {
  if (service === null) {
    if (existsSync(path)) return copy(path, join(store, name), { store, run });
    throw new CaseFailure(`there is no ${path} to reuse: no \`setup\`, service or step has made it`);
  }
  const running = services.list.find((candidate) => candidate.name === service)?.running;
  if (!running || !('container' in running)) throw new CaseFailure(`service "${service}" runs in no container`);
  await keepFolder({ service, id: running.container.id, path }, join(store, name), run);
}

/**
 * With owners and times, shared with the original where the file system can.
 * @param {string} from
 * @param {string} to
 * @param {{ store: string, run: Run }} where
 */
const copy = (from, to, { store, run }) =>
  runCommand(
    {
      name: `copying ${from}`,
      argv: ['cp', '-a', '--reflink=auto', from, to],
      cwd: '/',
      env: run.env,
      log: openLog(join(store, 'copying.log')),
    },
    run,
  );
