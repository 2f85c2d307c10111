import { join } from 'node:path';
import { makeFolder } from '../../base/io/files.js';
import type { Case } from '../../suite/cases/expand.js';
import { fill } from '../../suite/run-placeholders.js';
import type { Run } from '../run-context.js';
import { runSteps } from './build-services.js';

/**
 * Runs an environment's own setup once, before its services are started for the first time.
 * @param side of a duet: each has its own folder to fill
 * @returns throws CaseFailure, again for each case of an environment whose setup failed
 */
export function environmentSetups(run: Run, side: 'base' | 'head' | null = null): (benchCase: Case) => Promise<void> {
  const done: Map<string, Promise<void>> = new Map();
  return (benchCase) => {
    const environment = join(benchCase.system, benchCase.environment);
    const setup = done.get(environment) ?? setUp(benchCase, join(run.folder, environment), run, side);
    done.set(environment, setup);
    return setup;
  };
}

async function setUp(benchCase: Case, folder: string, run: Run, side: 'base' | 'head' | null) {
  if (benchCase.setup.length === 0) return;
  const values = run.valuesOf(benchCase);
  const step = {
    name: `the setup of environment "${benchCase.environment}"`,
    file: join(makeFolder(folder), `${side === null ? '' : `${side}.`}setup.log`),
  };
  const steps = fill(benchCase.setup, values);
  const title = `${benchCase.system}/${benchCase.environment}: setting up${side === null ? '' : ` ${side}`}`;
  await run.progress.step(title, step.file, () =>
    runSteps(steps, { ...step, cwd: values.specDir, env: run.env }, benchCase, run),
  );
}
