import { join } from 'node:path';
import type { Case } from '../../suite/cases/expand.js';
import type { Run } from '../run-context.js';
import { environmentSetups } from './environment-setup.js';
import { type Services, startServices } from './services.js';

/**
 * Gives each case its services: started for it alone, or for each of its rounds (`restart = "round"`), or those of the case
 * before where the environment says `restart = "environment"`. The cases of such an environment come one after the other
 * (see orderOf).
 * @returns folder: for their logs; get throws CaseFailure
 */
export function serviceKeeper(run: Run): {
  get: (benchCase: Case, folder: string) => Promise<Services>;
  release: (benchCase: Case) => Promise<void>;
  end: () => Promise<void>;
} {
  const setups = environmentSetups(run);
  let kept: { environment: string; services: Services } | null = null;
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

/** A round that failed during a fault leaves its service down. */
const areUp = ({ list, failure }: Services) => !failure() && list.every(({ wanted }) => wanted);

const nameOf = (benchCase: Case) => join(benchCase.system, benchCase.environment);
