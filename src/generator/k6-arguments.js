import { join } from 'node:path';
import { packageRoot } from '../tools/find.js';

/**
 * How k6 is told which case to run: the script it starts with, and its `-e` variables.
 * @param {import('../spec/index.js').Case} benchCase
 * @param {string} root the suite's
 * @returns {{ script: string, variables: Record<string, string | number | boolean> }} script: absolute
 */
export function entryOf(benchCase, root) {
  return {
    script:
      benchCase.script === null ? join(packageRoot, 'k6', 'main.js') : join(root, benchCase.spec_dir, benchCase.script),
    variables: {
      SPEC: join(root, benchCase.spec_dir, 'spec.toml'),
      ENVIRONMENT: benchCase.environment,
      SCENARIO: benchCase.scenario,
      ...(benchCase.profile === null ? {} : { PROFILE: benchCase.profile }),
      ...benchCase.parameters,
    },
  };
}
