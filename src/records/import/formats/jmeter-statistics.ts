import { FileProblem, short } from '../round/file-problem.js';
import { distributionOf, finding, findingsOf, type Round, withExpected } from '../round/round.js';
import { count, holdsShape, mapOf } from '../round/shape.js';
import { findingsOfJmeter } from './jmeter-jtl.js';

/** JMeter 5.2 and older have no median; 3.x no sent bytes */
type Row = {
  sampleCount: number;
  errorCount: number;
  meanResTime: number;
  minResTime: number;
  maxResTime: number;
  medianResTime?: number;
  pct1ResTime: number;
  pct2ResTime: number;
  pct3ResTime: number;
  throughput: number;
  receivedKBytesPerSec: number;
  sentKBytesPerSec?: number;
};

const schema = mapOf({
  type: 'object',
  required: [
    'sampleCount',
    'errorCount',
    'meanResTime',
    'minResTime',
    'maxResTime',
    'pct1ResTime',
    'pct2ResTime',
    'pct3ResTime',
    'throughput',
    'receivedKBytesPerSec',
  ],
  properties: Object.fromEntries(
    [
      'sampleCount',
      'errorCount',
      'meanResTime',
      'minResTime',
      'maxResTime',
      'medianResTime',
      'pct1ResTime',
      'pct2ResTime',
      'pct3ResTime',
      'throughput',
      'receivedKBytesPerSec',
      'sentKBytesPerSec',
    ].map((name) => [name, count]),
  ),
});

/** statistics.json of JMeter's report (jmeter -e -o report): one table of numbers a label, and "Total". */
export function readStatistics(value: unknown): Round {
  holdsShape(value, { ...schema, required: ['Total'] }, 'JMeter');
  const { Total: total, ...labels } = value as Record<string, Row>;
  if (total.sampleCount === 0) throw new FileProblem('has no samples');
  if (total.throughput === 0)
    throw new FileProblem(`has ${total.sampleCount} samples at 0/s: it does not say how long the run was`);
  const seconds = total.sampleCount / total.throughput;
  const known = Object.entries(labels).filter(([, row]) => row.sampleCount > 0);
  const sum = known.reduce((all, [, row]) => all + row.sampleCount, 0);
  return {
    tool: 'JMeter',
    time: null,
    seconds,
    counts: countsOf(total, 'Total'),
    latency: latencyOf(total),
    requests: Object.fromEntries(
      known.map(([name, row]) => [name, { counts: countsOf(row, name), latency: latencyOf(row) }]),
    ),
    groups: {},
    findings: findingsOf(
      ...findingsOfJmeter(
        'The percentiles are taken to be 90, 95 and 99, which jmeter.properties can change and this file does not say; of more than 20,000 samples they are those of the last 20,000.',
      ),
      sum > 0 &&
        sum !== total.sampleCount &&
        finding(
          'jmeter-transactions',
          'info',
          `Labels have ${sum} samples, the total ${total.sampleCount}: the file does not say which of them are transaction controllers, sums of other requests.`,
        ),
    ),
  };
}

function countsOf(row: Row, name: string) {
  if (row.errorCount > row.sampleCount)
    throw new FileProblem(`says that ${row.errorCount} of ${row.sampleCount} samples of "${short(name)}" failed`);
  const seconds = row.throughput > 0 ? row.sampleCount / row.throughput : null;
  const bytes = (kilobytes: number | undefined) =>
    kilobytes === undefined || seconds === null ? null : kilobytes * 1024 * seconds;
  return withExpected({
    requests: row.sampleCount,
    errors: row.errorCount,
    received_bytes: bytes(row.receivedKBytesPerSec),
    sent_bytes: bytes(row.sentKBytesPerSec),
  });
}

const latencyOf = (row: Row) =>
  distributionOf(row.sampleCount, row.meanResTime, [
    [0, row.minResTime],
    [50, row.medianResTime],
    [90, row.pct1ResTime],
    [95, row.pct2ResTime],
    [99, row.pct3ResTime],
    [100, row.maxResTime],
  ]);
