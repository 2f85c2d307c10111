import { join } from 'node:path';
import { packageRoot } from '../tools/find.js';

/**
 * How k6 is told which case to run: the script it starts with, and its `-e` variables.
 * @param {import('../spec/index.js').Case} one
 * @param {string} root the suite's
 * @returns {{ script: string, variables: Record<string, string | number | boolean> }} script: absolute
 */
export function entryOf(one, root) {
  return {
    script: one.script === null ? join(packageRoot, 'k6', 'main.js') : join(root, one.spec_dir, one.script),
    variables: {
      SPEC: join(root, one.spec_dir, 'spec.toml'),
      ENVIRONMENT: one.environment,
      SCENARIO: one.scenario,
      ...(one.profile === null ? {} : { PROFILE: one.profile }),
      ...one.parameters,
    },
  };
}
