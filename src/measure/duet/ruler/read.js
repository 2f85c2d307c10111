import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSuite } from '../../../check/index.js';
import { UserError } from '../../../errors.js';
import { parameterNames } from '../../../spec/index.js';
import { loadSuite, readSpec, systemNames } from '../../../suite.js';

/**
 * @import { Case } from '../../../spec/expand.js'
 * @import { Ruler } from './index.js'
 *
 * @typedef {object} Chosen as for a run: environment 'all', or one by name, or each scenario's first
 * @property {readonly string[]} systems
 * @property {string} [env]
 * @property {string} [scenario]
 * @property {string | null} [profile]
 * @property {Record<string, string>} [set]
 */

/**
 * Reads what a side of a duet measures of the chosen systems, and how it judges.
 * @param {string} root the side's suite
 * @param {Chosen} chosen what it does not have is left out
 * @returns {Ruler}
 * @throws {UserError} its suite cannot be read
 */
export function readRuler(root, { systems, env, scenario, profile = null, set = {} }) {
  const suite = loadSuite(root);
  const cases = systems
    .filter((system) => systemNames(suite).includes(system))
    .flatMap((system) => {
      const known = parameterNames(readSpec(suite, system));
      const values = Object.fromEntries(Object.entries(set).filter(([name]) => known.has(name)));
      const checked = checkSuite(suite, [system], { profiles: [profile], set: values, memory: Infinity });
      if (checked.ok) return checked.cases;
      throw new UserError(`${join(root, 'specs', system, 'spec.toml')} has errors`, { hint: checked.render() });
    });
  return {
    cases: cases.filter((benchCase) => isChosen(benchCase, cases, { env, scenario })),
    programs: programsIn(root),
  };
}

/**
 * @param {Case} benchCase
 * @param {readonly Case[]} all
 * @param {{ env?: string, scenario?: string }} chosen
 */
function isChosen({ system, scenario: name, environment }, all, { env, scenario }) {
  if (scenario !== undefined && scenario !== name) return false;
  if (env === 'all' || env === environment) return true;
  const first = all.find((other) => other.system === system && other.scenario === name);
  return env === undefined && environment === first?.environment;
}

/**
 * The suite's own programs: they override ours.
 * @param {string} root
 * @returns {Record<string, string>} by path in reports/
 */
function programsIn(root) {
  const folder = join(root, 'reports');
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jq'));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
