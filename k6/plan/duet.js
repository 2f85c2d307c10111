import { readBlock, soloCase } from '../../src/spec/index.js';
import { scopeOf } from '../../src/spec/metrics.js';
import { parseSubMetric, subMetricName } from '../../src/spec/sub-metric.js';
import { refuse } from '../shared/refuse.js';

/**
 * @import { Case } from '../../src/spec/index.js'
 */

/**
 * A case as one block of a duet measures it, if the process is one: DUET=2+8, seconds of warm-up and of measuring. With
 * HEAD_URL every iteration goes there too; without, one side is measured alone.
 * @param {Case} benchCase
 * @param {Record<string, string>} env
 * @returns {Case}
 */
export function forDuet(benchCase, { DUET, HEAD_URL }) {
  if (!DUET && !HEAD_URL) return benchCase;
  const block = DUET ? readBlock(DUET) : null;
  if (block === null) refuse(`DUET is "${DUET ?? ''}", and must be like 2+8 (seconds of warm-up and of measuring)`);
  if (HEAD_URL && benchCase.cookies === 'user')
    refuse(
      `scenario ${benchCase.scenario} keeps cookies for good (cookies = "user"): two sides of one host would share them`,
    );
  return soloCase(benchCase, /** @type {{ warmup_s: number, seconds: number }} */ (block));
}

/**
 * The thresholds option with every sub-metric twice, once for each side.
 * @param {Record<string, string[]>} thresholds
 * @returns {Record<string, string[]>} without expressions: a duet judges by pairs, afterwards
 */
export function bySide(thresholds) {
  const names = Object.keys(thresholds).flatMap((name) => {
    const { metric, selector } = parseSubMetric(name);
    if (selector.phase === undefined || scopeOf(metric) !== 'request') return [name]; // it is of no side
    return ['base', 'head'].map((side) => subMetricName({ metric, selector: { ...selector, side } }));
  });
  return Object.fromEntries(names.map((name) => [name, []]));
}
