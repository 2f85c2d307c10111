import { join } from 'node:path';
import { environmentSetups } from './environment-setup.js';
import { startServices } from './services.js';

/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { Run } from '../run-context.js' */
/** @import { Services } from './services.js' */

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
