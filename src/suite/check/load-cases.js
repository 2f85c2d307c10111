import { UserError } from '../../base/errors.js';
import { hintText } from '../nearest.js';
import { systemNames } from '../suite.js';
import { checkSuite } from './check-suite.js';
import { countProblems } from './print-problems.js';

/** @import { Case } from '../cases/expand.js' */
/** @import { Suite } from '../suite.js' */
/** @import { Output } from '../../base/world.js' */
/** @import { Checked } from './check-suite.js' */

/**
 * @typedef {object} Selection
 * @property {string[]} [systems] all by default
 * @property {string} [environment] or 'all'; by default each scenario's first
 * @property {string | string[]} [scenario] one, or several
 * @property {string | null} [profile]
 * @property {Record<string, string>} [set]
 * @property {number} [memory] bytes that k6 may take, in place of bench.toml's
 * @property {'native' | 'javascript'} [player] what sends declared requests, in place of bench.toml's
 * @property {number} [rounds] that each case is measured, in place of bench.toml's
 * @property {Output} [stream] where the warnings go, with their lines, and the error will be shown
 */

/**
 * The cases to run, from specs that have been checked.
 * @param {Suite} suite
 * @param {Selection} [selection]
 * @returns {Case[]} in the order of the systems and their specs; at least one
 * @throws {UserError} code 2, with all that is wrong
 */
export function loadCases(suite, selection = {}) {
  const { systems = systemNames(suite), environment, scenario, profile = null, set, stream } = selection;
  const { memory, player, rounds } = selection;
  const scenarios = scenario === undefined ? null : [scenario].flat();
  /** @param {Case[]} cases */
  const choose = (cases) =>
    cases.filter(
      (benchCase) =>
        (scenarios === null || scenarios.includes(benchCase.scenario)) &&
        (environment === 'all' ||
          benchCase.environment === (environment ?? firstEnvironment(cases, benchCase.scenario))),
    );
  const checked = checkSuite(suite, systems, { profiles: [profile], set, choose, memory, player, rounds, here: true });
  refuseErrors(checked, stream);
  stream?.write(checked.render(stream, ['warn']));
  // A name that chooses nothing is a slip, whatever others choose.
  const empty = scenarios?.find((name) => checked.cases.every((benchCase) => benchCase.scenario !== name));
  if (!checked.cases.length || empty !== undefined) {
    refuseEmpty(suite, { systems, environment, scenario: empty ?? scenarios?.[0], profile });
  }
  return checked.cases;
}

/**
 * Ends what needs more than what is wrong here.
 * @param {Checked} checked
 * @param {Output} [stream] where the error will be shown
 * @throws {UserError} code 2, with all that is wrong, if anything is
 */
export function refuseErrors({ ok, problems, render }, stream) {
  if (!ok) throw new UserError(`${countProblems(problems)}\n\n${render(stream).trimEnd()}`);
}

/** @param {Case[]} cases @param {string} scenario */
const firstEnvironment = (cases, scenario) => cases.find((benchCase) => benchCase.scenario === scenario)?.environment;

/**
 * Says which name chose nothing.
 * @param {Suite} suite
 * @param {{ systems: string[], environment?: string, scenario?: string, profile: string | null }} selection
 * @returns {never}
 */
function refuseEmpty(suite, { systems, environment, scenario, profile }) {
  if (!systems.length) {
    throw new UserError(`there is no spec in ${suite.root}/specs`, {
      hint: 'A system is a folder in specs/ with a spec.toml.',
    });
  }
  const { cases } = checkSuite(suite, systems, { profiles: [profile] });
  const where = `in ${systems.map((name) => `specs/${name}/spec.toml`).join(', ')}`;
  for (const [kind, got] of /** @type {const} */ ([
    ['scenario', scenario],
    ['environment', environment],
  ])) {
    const known = new Set(cases.map((benchCase) => benchCase[kind]));
    if (got === undefined || known.has(got)) continue;
    throw new UserError(`there is no ${kind} "${got}" ${where}`, { hint: hintText({ got, known }) ?? undefined });
  }
  throw new UserError(`the scenario "${scenario}" does not run in the environment "${environment}"`);
}
