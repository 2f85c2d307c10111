import { counted, formatAs, formatDuration, withUnit } from '../../base/format.js';
import { valueText } from '../model/series.js';

/** @import { BenchRecord } from '../../../reports/schema/types.d.ts' */
/** @import { MetricNames } from '../../../site/assets/js/metric-names.js' */
/** @import { ScenarioSummary } from '../collect/systems.js' */

/**
 * How much load a scenario made, in words, from the records that are shown: a spec has placeholders and the values of its profiles, and
 * what ran had one of them. Where nothing was measured, what the spec says.
 * @param {Pick<ScenarioSummary, 'load' | 'sweep'>} scenario
 * @param {readonly BenchRecord[]} records of the scenario
 * @param {MetricNames} names
 * @returns {{ load: string, swept: string[] }} load: "target rate 1,000 to 10,000 iterations/s, peak users 1,000; 30 s measured in each
 *   of 3 rounds"; swept: "users 5, 20, 80"
 */
export function loadThatRan({ load, sweep }, records, names) {
  if (records.length === 0) return { load: load && `not measured yet; the spec says: ${load}`, swept: sweep };
  const sizes = ['rate_target_rps', 'users_max'].flatMap((name) => rangeOf(name, records, names) ?? []);
  const lengths = [...new Set(records.map(measuredTime))];
  return {
    load: [sizes.join(', '), lengths.length === 1 ? lengths[0] : ''].filter(Boolean).join('; '),
    swept: sweptIn(records),
  };
}

/** @param {string} name @param {readonly BenchRecord[]} records @param {MetricNames} names @returns {string | null} */
function rangeOf(name, records, names) {
  const found = records.flatMap(({ metrics }) => metrics[name] ?? []);
  const values = found.flatMap(({ value }) => value ?? []);
  if (values.length === 0) return null;
  const print = names.printOf(name, found[0].unit, values);
  const ends = [...new Set([Math.min(...values), Math.max(...values)].map((value) => formatAs(value, print)))];
  return `${names.titleOf(name)} ${withUnit(ends.join(' to '), print.unit)}`;
}

/** @param {BenchRecord} record */
function measuredTime({ window, rounds }) {
  const seconds = window.seconds / Math.max(rounds, 1);
  const each = rounds > 1 ? ` in each of ${counted(rounds, 'round')}` : '';
  return `${formatDuration(seconds)} measured${each}`;
}

/** The values of each parameter that has several, in the order of the records. @param {readonly BenchRecord[]} records @returns {string[]} */
function sweptIn(records) {
  const keys = [...new Set(records.flatMap(({ values }) => Object.keys(values)))];
  return keys.flatMap((key) => {
    const values = new Set(records.flatMap(({ values: all }) => (key in all ? valueText(all[key]) : [])));
    return values.size > 1 ? [`${key} ${[...values].join(', ')}`] : [];
  });
}
