import type { CaseThreshold } from '../../../suite/cases/thresholds.js';
import type { Difference } from './difference.js';

/** Lists how head's thresholds differ from base's. */
export function thresholdDifferences(base: readonly CaseThreshold[], head: readonly CaseThreshold[]): Difference[] {
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

/** Of one number: the strictest limit that fails, and the strictest warning. */
type Levels = { fail?: CaseThreshold; warn?: CaseThreshold };

const isSingle = ({ fail, warn }: Levels) => !fail !== !warn;

function difference(key: string, base: CaseThreshold | null, head: CaseThreshold | null): Difference[] {
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

/** What is limited, and on which side. An upper and a lower limit of the same number are two thresholds. */
function keyOf({ metric, selector, aggregation, op }: CaseThreshold) {
  const tags = Object.keys(selector)
    .sort()
    .map((name) => `${name}:${selector[name]}`);
  return `${metric}${tags.length > 0 ? `{${tags.join(',')}}` : ''} ${aggregation} ${op.startsWith('>') ? 'at least' : 'at most'}`;
}

function byKey(thresholds: readonly CaseThreshold[]): Map<string, Levels> {
  const found: Map<string, Levels> = new Map();
  for (const threshold of thresholds) {
    const key = keyOf(threshold);
    const levels = found.get(key) ?? {};
    const known = levels[threshold.level];
    if (known === undefined || isLooser(threshold, known)) levels[threshold.level] = threshold;
    found.set(key, levels);
  }
  return found;
}

function isLooser(base: CaseThreshold, head: CaseThreshold) {
  const weaker = base.level === 'fail' && head.level === 'warn';
  const moved = head.op.startsWith('>') ? head.value < base.value : head.value > base.value;
  const other = /^[=!]/.test(head.op) && (head.op !== base.op || head.value !== base.value);
  // "<=" for "<" looks like nothing, and is not a difference that anybody can measure
  return weaker || moved || other || head.min_samples > base.min_samples;
}

const textOf = ({ op, value, level, min_samples }: CaseThreshold) =>
  `${op} ${value}${level === 'warn' ? ', a warning' : ''}, from ${min_samples} samples`;
