import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/io/files.js';
import { removeTree } from '../../base/io/remove-tree.js';
import { runCommand } from '../../base/process/command.js';
import { CaseFailure } from '../../base/process/failure.js';
import { openLog } from '../../base/process/log.js';
import { readsParameters } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';
import { fill } from '../../suite/run-placeholders.js';
import type { Run } from '../run-context.js';
import { fillFolder, keepFolder, refuseMounted } from './containers/container-folders.js';
import type { Services } from './services.js';

/** Filled. */
type Reused = Case['reuse'][number];

/**
 * Which part of a start is done.
 * - setup: of the services; does: which steps of after_ready
 * - ready: what steps of an earlier start captured
 * - seeded: what was kept of it, and goes into this one; null: nothing
 */
export type Part = {
  setup: boolean;
  does: (step: Case['after_ready'][number]) => boolean;
  ready: Record<string, unknown>;
  seeded: Seeded | null;
};

/**
 * What the folders that starts share begin with.
 * - fillFolders: puts it in place for processes; fill: into the container of a service, which does not run yet
 */
type Seeded = { fillFolders: () => Promise<void>; fill: (service: string, id: string) => Promise<void> };

export const wholeStart: Part = { setup: true, does: () => true, ready: {}, seeded: null };

/**
 * What a start begins with whose case reuses folders: the first time in a run they are filled by a start of their own, which is
 * ended before they are copied, so that what is copied is whole and every start that is measured begins alike.
 * @param begin starts its services
 * @throws {CaseFailure} they cannot be filled or copied; again for each case that is filled alike
 */
export function seededFor(benchCase: Case, begin: (part: Part) => Promise<Services>, run: Run): Promise<Part> {
  const { services, after_ready, reuse, url, hosts, setup } = benchCase;
  const steps = after_ready.filter(({ once }) => once);
  const { specDir, runDir } = run.valuesOf(benchCase);
  const parameters = readsParameters(benchCase) ? benchCase.parameters : null; // of templates
  const filledBy = JSON.stringify([specDir, runDir, setup, url, hosts, services, parameters, steps, reuse]);
  const key = shortened(filledBy);
  const known = (run.seeded.get(key) ?? seed(benchCase, { begin, key }, run)) as Promise<Part>;
  run.seeded.set(key, known);
  known.catch(() => {}); // who waits for it has its error
  return known;
}

async function seed(
  benchCase: Case,
  { begin, key }: { begin: (part: Part) => Promise<Services>; key: string },
  run: Run,
): Promise<Part> {
  run.progress.note(`${benchCase.system}/${benchCase.environment}: filling what its starts reuse`);
  const values = run.valuesOf(benchCase);
  const folders = fill(benchCase.reuse, values) as Reused[];
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
 */
const emptied = (folders: readonly Reused[], { store, run }: { store: string; run: Run }): Seeded => ({
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

/** A name for a text of any length. */
const shortened = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Who is killed may not have written all that it knows. */
function refuseKilled({ list }: Services) {
  const killed = list.find((service) => service.killed);
  if (!killed) return;
  throw new CaseFailure(`${killed.title} did not end in time, and was killed: what it keeps may not be whole`, {
    log: killed.running.log,
    hint: 'Give it more: stop_timeout = "1m", or another stop_signal.',
  });
}

async function replace(path: string, copied: string, target: { store: string; run: Run }) {
  removeFolder(path);
  makeFolder(dirname(path));
  await copy(copied, path, target);
}

/** @throws {CaseFailure} */
function removeFolder(path: string) {
  if (!removeTree(path)) throw new CaseFailure(`${path} cannot be replaced: some of it is another user's`);
}

/**
 * @param services that have ended
 * @param name of its copy
 */
async function keep(
  { service, path }: Reused,
  services: Services,
  name: string,
  { store, run }: { store: string; run: Run },
) {
  if (service === null) {
    if (existsSync(path)) return copy(path, join(store, name), { store, run });
    throw new CaseFailure(`there is no ${path} to reuse: no \`setup\`, service or step has made it`);
  }
  const running = services.list.find((candidate) => candidate.name === service)?.running;
  if (!running || !('container' in running)) throw new CaseFailure(`service "${service}" runs in no container`);
  await keepFolder({ service, id: running.container.id, path }, join(store, name), run);
}

/** With owners and times, shared with the original where the file system can. */
const copy = (from: string, to: string, { store, run }: { store: string; run: Run }) =>
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
