import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { packageRoot } from '../../base/tools/find-tool.js';
import { type Calibration, calibrationOf } from '../../records/calibration/calibration.js';
import { trialFiles, trialsFolder } from '../../records/calibration/trials.js';
import { benchDir, type Suite } from '../../suite/suite.js';
import { cached, digestOf, judgingPrograms } from './cached.js';

/**
 * What trials say of duets, by system; of those that have trials.
 * @param refuse gets trials that cannot be read
 */
export async function readCalibrations(
  suite: Suite,
  systems: string[],
  refuse: (file: string, message: string) => void,
): Promise<Map<string, Calibration>> {
  const found: Map<string, Calibration> = new Map();
  for (const system of systems) {
    const files = trialFiles(suite, system);
    if (!files.length) continue;
    try {
      found.set(system, await calibrated(suite, system, files));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      refuse(trialsFolder(suite, system), error.message);
    }
  }
  return found;
}

/**
 * Judging hundreds of trials takes seconds: what was judged of the same trials, spec and programs is taken as it was.
 * @param trials files
 */
async function calibrated(suite: Suite, system: string, trials: string[]) {
  const settings = [
    join(suite.root, 'bench.toml'),
    join(suite.root, 'specs', system, 'spec.toml'),
    join(packageRoot, 'dist', 'records', 'interim-looks.js'), // a part of the rule that is outside of reports/
  ];
  const key = await digestOf([...trials, ...settings, ...judgingPrograms()]);
  return cached(join(benchDir(suite), 'cache', 'calibrations', `${system}.json`), key, () =>
    calibrationOf(suite, system),
  );
}
