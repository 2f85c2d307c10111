import { schemaVersion } from '../../../reports/schema/version.js';
import { randomFrom } from './random.js';

/** What comes of the first metric of the first cases; null: no comparison is possible. */
const wanted = ['same', 'worse', 'unclear', 'better', null];

const gate = ['cpu_ms_per_request', 'latency_ms_p50', 'latency_ms_p95'];

/**
 * A made-up comparison of fresh records with a kept version: one case worse, one unclear, one not possible.
 * @param {any[]} records
 * @param {string} baseline a version
 */
export function syntheticComparison(records, baseline) {
  const cases = records.map((record, i) => caseOf(record, baseline, i < wanted.length ? wanted[i] : 'same'));
  const { version: run, time } = records[0];
  const metrics = gate.length * records.length;
  return {
    schema: schemaVersion,
    run,
    time,
    command: 'benchfolio run alpha',
    folder: `.bench/runs/${run}`,
    verdict: 'fail',
    exit: 1,
    baseline,
    head: null,
    cases,
    budget: { alpha: 0.01, metrics, each: 0.01 / metrics },
  };
}

/**
 * @param {any} record
 * @param {string} baseline
 * @param {string | null} wanted the verdict of its first metric; null: not possible
 */
function caseOf(record, baseline, wanted) {
  const { system, environment, scenario, values, thresholds, findings } = record;
  const middle = { same: 1.004, worse: 1.14, unclear: 1.03, better: 0.9 };
  const ratio = wanted ? middle[/** @type {keyof typeof middle} */ (wanted)] : 1;
  const random = randomFrom(record.case);
  const metrics = wanted
    ? gate.map((metric, i) => {
        const r = i === 0 ? ratio : 1 + (random() - 0.5) * 0.01;
        const half = wanted === 'unclear' && i === 0 ? 0.05 : 0.008;
        const head = record.metrics[metric].value;
        return {
          metric,
          unit: 'ms',
          direction: 'lower',
          gated: true,
          scale: 'ratio',
          base: head / r,
          head,
          ratio: r,
          low: r * (1 - half),
          high: r * (1 + half),
          tolerance: 0.02,
          session_sd: 0.1,
          verdict: i === 0 ? wanted : 'same',
          may_be_worse: wanted === 'unclear',
          mde: half,
          reason: null,
        };
      })
    : [];
  const verdict = wanted === 'worse' ? 'fail' : wanted === 'unclear' || !wanted ? 'inconclusive' : 'pass';
  return {
    system,
    environment,
    scenario,
    case: record.case,
    title: record.title,
    values,
    status: 'measured',
    verdict,
    reason: verdict === 'pass' ? null : `cpu_ms_per_request is ${wanted ?? 'not comparable: another machine'}`,
    comparison: {
      possible: Boolean(wanted),
      reason: wanted ? null : 'the baseline was measured on another machine',
      kind: 'sessions',
      baseline,
      session_sd: 0.1,
      session_sd_source: 'assumed',
    },
    metrics,
    measured: null,
    rounds: record.rounds,
    command: record.command,
    definition: record.definition,
    thresholds,
    findings,
    record: null,
    base_record: null,
  };
}
