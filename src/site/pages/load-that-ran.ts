import type { BenchRecord } from '../../../reports/schema/types.d.ts';
import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import { counted, formatAs, formatDuration, withUnit } from '../../base/format.js';
import type { ScenarioSummary } from '../collect/systems.js';
import { valueText } from '../model/series.js';

/**
 * How much load a scenario made, in words, from the records that are shown: a spec has placeholders and the values of its
 * profiles, and what ran had one of them. Where nothing was measured, what the spec says.
 * @param records of the scenario
 * @returns load: "target rate 1,000 to 10,000 iterations/s, peak users 1,000; 30 s measured in each of 3 rounds"; swept:
 *   "users 5, 20, 80"
 */
export function loadThatRan(
  { load, sweep }: Pick<ScenarioSummary, 'load' | 'sweep'>,
  records: readonly BenchRecord[],
  names: MetricNames,
): { load: string; swept: string[] } {
  if (records.length === 0) return { load: load && `not measured yet; the spec says: ${load}`, swept: sweep };
  const sizes = ['rate_target_rps', 'users_max'].flatMap((name) => rangeOf(name, records, names) ?? []);
  const lengths = [...new Set(records.map(measuredTime))];
  return {
    load: [sizes.join(', '), lengths.length === 1 ? lengths[0] : ''].filter(Boolean).join('; '),
    swept: sweptIn(records),
  };
}

function rangeOf(name: string, records: readonly BenchRecord[], names: MetricNames): string | null {
  const found = records.flatMap(({ metrics }) => metrics[name] ?? []);
  const values = found.flatMap(({ value }) => value ?? []);
  if (values.length === 0) return null;
  const print = names.printOf(name, found[0].unit, values);
  const ends = [...new Set([Math.min(...values), Math.max(...values)].map((value) => formatAs(value, print)))];
  return `${names.titleOf(name)} ${withUnit(ends.join(' to '), print.unit)}`;
}

function measuredTime({ window, rounds }: BenchRecord) {
  const seconds = window.seconds / Math.max(rounds, 1);
  const each = rounds > 1 ? ` in each of ${counted(rounds, 'round')}` : '';
  return `${formatDuration(seconds)} measured${each}`;
}

/** The values of each parameter that has several, in the order of the records. */
function sweptIn(records: readonly BenchRecord[]): string[] {
  const keys = [...new Set(records.flatMap(({ values }) => Object.keys(values)))];
  return keys.flatMap((key) => {
    const values = new Set(records.flatMap(({ values: all }) => (key in all ? valueText(all[key]) : [])));
    return values.size > 1 ? [`${key} ${[...values].join(', ')}`] : [];
  });
}
