import type { BenchRecord } from '../../../reports/schema/types.d.ts';
import { encoded } from './hdr-histogram.js';
import { stepsOf } from './steps.js';

/** A record that has a distribution. */
export type Measured = BenchRecord & { distribution: NonNullable<BenchRecord['distribution']> };

/** What a record can be written as. */
export const exportFormats: Record<string, (records: readonly Measured[]) => string> = { hdr: hdrLog, openmetrics };

/** A log of HdrHistogram, version 1.3: an interval for each record, with its case as tag, in nanoseconds. */
function hdrLog(records: readonly Measured[]) {
  const inOrder = records.toSorted((a, b) => a.time.localeCompare(b.time));
  const lines = inOrder.map((record) => {
    const { distribution, time, window } = record;
    const steps = stepsOf(distribution).map(({ ms, count }) => ({ value: Math.max(1, Math.round(ms * 1e6)), count }));
    const tag = [record.system, record.environment, record.case].join('/').replaceAll(/[\s,]+/g, ';');
    const start = (Date.parse(time) / 1000).toFixed(3);
    return `Tag=${tag},${start},${window.seconds.toFixed(3)},${distribution.max.toFixed(3)},${encoded(steps)}\n`;
  });
  const first = Date.parse(inOrder[0].time);
  return [
    '#[Logged by benchfolio: from the quantiles of each record; what lies between two of them is the greater]\n',
    '#[Histogram log format version 1.3]\n',
    `#[StartTime: ${(first / 1000).toFixed(3)} (seconds since epoch), ${new Date(first).toISOString()}]\n`,
    '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"\n',
    ...lines,
  ].join('');
}

const name = 'benchfolio_latency_seconds';

/** OpenMetrics 1.0: a histogram for each record, at the time when it was measured. */
function openmetrics(records: readonly Measured[]) {
  return [
    `# HELP ${name} Latency of all requests in the measured window.\n# TYPE ${name} histogram\n# UNIT ${name} seconds\n`,
    ...records.map(seriesOf),
    '# EOF\n',
  ].join('');
}

function seriesOf({ system, environment, case: of, version, time, distribution, metrics }: Measured) {
  const labels = Object.entries({ system, environment, case: of, ...(version !== null && { version }) })
    .map(([key, value]) => `${key}="${value.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`)
    .join(',');
  const at = (Date.parse(time) / 1000).toFixed(3);
  let sum = 0;
  const buckets = stepsOf(distribution).map(({ ms, count }) => {
    sum += count;
    return `${name}_bucket{${labels},le="${decimal(ms / 1000)}"} ${sum} ${at}\n`;
  });
  const mean = metrics.latency_ms_mean?.value;
  return [
    ...buckets,
    `${name}_bucket{${labels},le="+Inf"} ${distribution.count} ${at}\n`,
    ...(mean == null ? [] : [`${name}_sum{${labels}} ${decimal((mean * distribution.count) / 1000)} ${at}\n`]),
    `${name}_count{${labels}} ${distribution.count} ${at}\n`,
  ].join('');
}

/** Without an exponent, and always with a point. */
function decimal(value: number) {
  const text = Number(value.toPrecision(7)).toString();
  const plain = text.includes('e') ? Number(text).toFixed(12).replace(/0+$/, '') : text;
  return plain.includes('.') ? plain.replace(/\.$/, '.0') : `${plain}.0`;
}
