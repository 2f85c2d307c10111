/** @import { CaseThreshold } from '../../../suite/cases/thresholds.js' */
/** @import { Difference } from './difference.js' */

/**
 * Lists how head's thresholds differ from base's.
 * @param {readonly CaseThreshold[]} base
 * @param {readonly CaseThreshold[]} head
 * @returns {Difference[]}
 */
export function thresholdDifferences(base, head) {
  const [from, to] = [byKey(base), byKey(head)];
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((key) => {
    const [ofBase, other] = [from.get(key) ?? {}, to.get(key) ?? {}];
    // A limit that changes its level is one difference; else limits that fail and warnings are two things.
    const pairs =
      isSingle(ofBase) && isSingle(other)
        ? [[ofBase.fail ?? ofBase.warn, other.fail ?? other.warn]]
        : [
            [ofBase.fail, other.fail],
            [ofBase.warn, other.warn],
          ];
    return pairs.flatMap(([was, is]) => difference(key, was ?? null, is ?? null));
  });
}

/** Of one number: the strictest limit that fails, and the strictest warning. @typedef {{ fail?: CaseThreshold, warn?: CaseThreshold }} Levels */

/** @param {Levels} levels */
const isSingle = ({ fail, warn }) => !fail !== !warn;

/**
 * @param {string} key
 * @param {CaseThreshold | null} base
 * @param {CaseThreshold | null} head
 * @returns {Difference[]}
 */
function difference(key, base, head) {
  if (base === head || (base !== null && head !== null && textOf(base) === textOf(head))) return [];
  return [
    {
      subject: `threshold ${key}`,
      base: base === null ? 'not there' : textOf(base),
      head: head === null ? 'gone' : textOf(head),
      looser: head === null || (base !== null && isLooser(base, head)),
    },
  ];
}

/**
 * What is limited, and on which side. An upper and a lower limit of the same number are two thresholds.
 * @param {CaseThreshold} threshold
 */
function keyOf({ metric, selector, aggregation, op }) {
  const tags = Object.keys(selector)
    .sort()
    .map((name) => `${name}:${selector[name]}`);
  return `${metric}${tags.length > 0 ? `{${tags.join(',')}}` : ''} ${aggregation} ${op.startsWith('>') ? 'at least' : 'at most'}`;
}

/** @param {readonly CaseThreshold[]} thresholds @returns {Map<string, Levels>} */
function byKey(thresholds) {
  /** @type {Map<string, Levels>} */
  const found = new Map();
  for (const threshold of thresholds) {
    const key = keyOf(threshold);
    const levels = found.get(key) ?? {};
    const known = levels[threshold.level];
    if (known === undefined || isLooser(threshold, known)) levels[threshold.level] = threshold;
    found.set(key, levels);
  }
  return found;
}

/** @param {CaseThreshold} base @param {CaseThreshold} head */
function isLooser(base, head) {
  const weaker = base.level === 'fail' && head.level === 'warn';
  const moved = head.op.startsWith('>') ? head.value < base.value : head.value > base.value;
  const other = /^[=!]/.test(head.op) && (head.op !== base.op || head.value !== base.value);
  // "<=" for "<" looks like nothing, and is not a difference that anybody can measure
  return weaker || moved || other || head.min_samples > base.min_samples;
}

/** @param {CaseThreshold} threshold */
const textOf = ({ op, value, level, min_samples }) =>
  `${op} ${value}${level === 'warn' ? ', a warning' : ''}, from ${min_samples} samples`;
