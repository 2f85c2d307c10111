import { caseDifferences } from './case.js';
import { listed } from './difference.js';

/**
 * @import { Case } from '../../../spec/expand.js'
 * @import { Difference } from './difference.js'
 *
 * @typedef {object} Ruler what a commit measures, and how it judges
 * @property {readonly Case[]} cases of the systems that are compared
 * @property {Record<string, string>} programs the suite's own jq programs in reports/, and their text
 */

/**
 * A difference, and where: system null is the whole suite. accepted: why base accepts it; null: it does not
 * @typedef {Difference & { system: string | null, environment: string | null, case: string | null,
 *   accepted: string | null }} Change
 */

/**
 * Marks the changes that base's bench.toml accepts.
 * @param {ReturnType<typeof rulerDifferences>} differences
 * @param {readonly { change: string, reason: string }[]} accepts base's
 * @returns {Change[]}
 */
export function acceptChanges(differences, accepts) {
  const reasons = new Map(accepts.map(({ change, reason }) => [change, reason]));
  return differences.map((difference) => ({ ...difference, accepted: reasons.get(nameOf(difference)) ?? null }));
}

/** How a change is named in `accept`. @param {ReturnType<typeof rulerDifferences>[number]} difference */
const nameOf = ({ system, environment, case: name, subject }) =>
  system === null ? subject : `${system}/${environment}/${name}: ${subject}`;

/**
 * Lists how what head measures and expects differs from what base does. A change that makes its own check easier is no
 * proof that nothing is worse.
 * @param {Ruler} base
 * @param {Ruler} head
 * @returns {(Difference & { system: string | null, environment: string | null, case: string | null })[]} system null: of
 *   the whole suite; case null: of all cases of a system
 */
export function rulerDifferences(base, head) {
  const [from, to] = [byPlace(base.cases), byPlace(head.cases)];
  return [
    ...programDifferences(base.programs, head.programs).map((difference) => ({ ...nowhere, ...difference })),
    ...[...from].flatMap(([place, benchCase]) => {
      const other = to.get(place);
      const found = other ? caseDifferences(benchCase, other) : listed('case', [benchCase.name], []);
      return found.map((difference) => ({ ...placeOf(benchCase), ...difference }));
    }),
    ...[...to]
      .filter(([place]) => !from.has(place))
      .flatMap(([, benchCase]) =>
        listed('case', [], [benchCase.name]).map((difference) => ({ ...placeOf(benchCase), ...difference })),
      ),
  ];
}

const nowhere = { system: null, environment: null, case: null };

/** @param {Case} benchCase */
const placeOf = ({ system, environment, name }) => ({ system, environment, case: name });

/** @param {readonly Case[]} cases */
const byPlace = (cases) =>
  new Map(cases.map((benchCase) => [JSON.stringify(Object.values(placeOf(benchCase))), benchCase]));

/**
 * A program of the suite's own may say anything: only base's is trusted.
 * @param {Record<string, string>} base
 * @param {Record<string, string>} head
 * @returns {Difference[]}
 */
function programDifferences(base, head) {
  const names = [...new Set([...Object.keys(base), ...Object.keys(head)])].sort();
  const word = (/** @type {string | undefined} */ text, /** @type {string} */ none) =>
    text === undefined ? none : 'there';
  return names
    .filter((name) => base[name] !== head[name])
    .map((name) => ({
      subject: `program reports/${name}`,
      base: word(base[name], 'not there'),
      head: base[name] === undefined ? 'new' : head[name] === undefined ? 'gone' : 'another text',
      looser: true,
    }));
}
