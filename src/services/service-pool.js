import { join } from 'node:path';
import { makeFolder } from '../io/files.js';
import { fill } from '../placeholders.js';
import { runSteps } from './build.js';
import { startServices } from './services.js';

/**
 * @typedef {import('../cases/index.js').Case} Case
 * @typedef {import('../run-context.js').Run} Run
 * @typedef {import('./services.js').Services} Services
 */

/**
 * Gives each case its services: started for it alone, or for each of its rounds (`restart = "round"`), or those of the case
 * before where the environment says `restart = "environment"`. The cases of such an environment come one after the other
 * (see orderOf).
 * @param {Run} run
 * @returns {{ get: (benchCase: Case, folder: string) => Promise<Services>, release: (benchCase: Case) => Promise<void>,
 *   end: () => Promise<void> }} folder: for their logs; get throws CaseFailure
 */
export function serviceKeeper(run) {
  const setups = environmentSetups(run);
  /** @type {{ environment: string, services: Services } | null} */
  let kept = null;
  const end = async () => {
    const ended = kept;
    kept = null;
    await ended?.services.stop();
  };
  return {
    async get(benchCase, folder) {
      const environment = nameOf(benchCase);
      if (kept && kept.environment === environment && areUp(kept.services)) return kept.services;
      await end();
      await setups(benchCase);
      const lasting = benchCase.restart === 'environment';
      const services = await startServices(benchCase, lasting ? join(run.folder, environment) : folder, run);
      kept = { environment, services };
      return services;
    },
    async release(benchCase) {
      if (benchCase.restart !== 'environment') await end();
    },
    end,
  };
}

/** A round that failed during a fault leaves its service down. @param {Services} services */
const areUp = ({ list, failure }) => !failure() && list.every(({ wanted }) => wanted);

/** @param {Case} benchCase */
const nameOf = (benchCase) => join(benchCase.system, benchCase.environment);

/**
 * Runs an environment's own setup once, before its services are started for the first time.
 * @param {Run} run
 * @returns {(benchCase: Case) => Promise<void>} throws CaseFailure, again for each case of an environment whose setup failed
 */
function environmentSetups(run) {
  /** @type {Map<string, Promise<void>>} */
  const done = new Map();
  return (benchCase) => {
    const environment = nameOf(benchCase);
    const setup = done.get(environment) ?? setUp(benchCase, join(run.folder, environment), run);
    done.set(environment, setup);
    return setup;
  };
}

/**
 * @param {Case} benchCase
 * @param {string} folder
 * @param {Run} run
 */
async function setUp(benchCase, folder, run) {
  if (benchCase.setup.length === 0) return;
  const values = run.valuesOf(benchCase);
  const place = {
    name: `the setup of environment "${benchCase.environment}"`,
    file: join(makeFolder(folder), 'setup.log'),
  };
  const steps = fill(benchCase.setup, values);
  await run.progress.step(`${benchCase.system}/${benchCase.environment}: setting up`, place.file, () =>
    runSteps(steps, { ...place, cwd: values.specDir, env: run.env }, benchCase, run),
  );
}
