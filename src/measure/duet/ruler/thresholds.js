/**
 * @import { CaseThreshold } from '../../../spec/thresholds.js'
 * @import { Difference } from './difference.js'
 */

/**
 * Lists how head's thresholds differ from base's.
 * @param {readonly CaseThreshold[]} base
 * @param {readonly CaseThreshold[]} head
 * @returns {Difference[]}
 */
export function thresholdDifferences(base, head) {
  const [from, to] = [byKey(base), byKey(head)];
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((key) => {
    const [one, other] = [from.get(key) ?? null, to.get(key) ?? null];
    if (one !== null && other !== null && textOf(one) === textOf(other)) return [];
    const looser = other === null || (one !== null && isLooser(one, other));
    return [
      {
        subject: `threshold ${key}`,
        base: one === null ? 'not there' : textOf(one),
        head: other === null ? 'gone' : textOf(other),
        looser,
      },
    ];
  });
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

/** Of several on the same number the strictest counts. @param {readonly CaseThreshold[]} thresholds */
function byKey(thresholds) {
  /** @type {Map<string, CaseThreshold>} */
  const found = new Map();
  for (const threshold of thresholds) {
    const key = keyOf(threshold);
    const known = found.get(key);
    if (known === undefined || isLooser(threshold, known)) found.set(key, threshold);
  }
  return found;
}

/** @param {CaseThreshold} base @param {CaseThreshold} head */
function isLooser(base, head) {
  const weaker = base.level === 'fail' && head.level === 'warn';
  const moved = head.op.startsWith('>') ? head.value < base.value : head.value > base.value;
  const other = /^[=!]/.test(head.op) && (head.op !== base.op || head.value !== base.value);
  // "<=" for "<" looks like nothing, and is no difference that anybody can measure
  return weaker || moved || other || head.min_samples > base.min_samples;
}

/** @param {CaseThreshold} threshold */
const textOf = ({ op, value, level, min_samples }) =>
  `${op} ${value}${level === 'warn' ? ', a warning' : ''}, from ${min_samples} samples`;
