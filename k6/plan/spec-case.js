import { defaultEnvironment, expandCases, parameterNames, parseToml } from '../../dist/suite/cases/cases.js';
import { refuse } from '../shared/refuse.js';
import { folderOf, readFile } from './files.js';

/** @import { Case } from '../../dist/suite/cases/expand.js' */

/**
 * Makes a case as `benchfolio run` does, for plain k6: of SPEC and SCENARIO, and ENVIRONMENT, PROFILE and parameters by
 * name.
 * @param {Record<string, string>} env
 * @returns {{ benchCase: Case, folder: string }} folder: the spec's
 */
export function readSpecCase(env) {
  if (!env.SPEC) refuse('no spec: add -e SPEC=specs/<system>/spec.toml');
  const { content, path } = readFile(env.SPEC, { what: 'the spec' });
  const folder = folderOf(path);
  const spec = parseToml(content);
  const scenario = scenarioOf(spec, env.SCENARIO);
  const environment =
    env.ENVIRONMENT ||
    defaultEnvironment(spec, scenario) ||
    refuse(`scenario ${scenario} runs in no environment of the spec`);
  const given = [...parameterNames(spec)].filter((name) => name in env);
  const set = Object.fromEntries(given.map((name) => [name, env[name]]));
  const system = folder.slice(folder.lastIndexOf('/') + 1);
  const cases = expandCases({ spec, system, profile: env.PROFILE || null, set, environment, scenario });
  return { benchCase: chosen(cases, scenario, environment), folder };
}

/** @param {Record<string, any>} spec @param {string | undefined} scenario @returns {string} */
function scenarioOf(spec, scenario) {
  const known = Object.keys(spec.scenarios ?? {});
  if (scenario && known.includes(scenario)) return scenario;
  if (!scenario && known.length === 1) return known[0];
  const problem = scenario ? `there is no scenario "${scenario}" in` : 'which scenario of';
  return refuse(`${problem} ${__ENV.SPEC}? Add -e SCENARIO=<name>: ${known.join(', ') || 'it has none'}`);
}

/**
 * @param {Case[]} cases
 * @param {string} scenario
 * @param {string} environment
 * @returns {Case}
 */
function chosen(cases, scenario, environment) {
  const [first] = cases;
  if (!first) refuse(`scenario ${scenario} does not run in environment ${environment}: add -e ENVIRONMENT=<name>`);
  if (first.status) refuse(`scenario ${scenario} is ${first.status}: ${first.reason ?? 'no reason given'}`);
  if (cases.length > 1) {
    const values = Object.entries(first.values)
      .map(([name, value]) => `-e ${name}=${value}`)
      .join(' ');
    console.warn(`benchfolio: ${scenario} is swept; of its ${cases.length} cases this is the first, by ${values}`);
  }
  return first;
}
