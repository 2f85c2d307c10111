import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judge } from '../../dist/records/judge.js';
import { schemaVersion } from '../../reports/schema/version.js';
import { rawOf, readJson } from './raw.js';

/**
 * A case of a comparison that is made for a test: base and head are records of a duet, judged by the real programs.
 * @typedef {{ system?: string, name: string, worse?: Record<string, number>, errors?: number, noise?: number, missed?: string,
 *   finding?: string, status?: string, reason?: string, base_reason?: string, unmeasured?: boolean,
 *   uncompared?: boolean, changes?: object[], gate?: string[] }} MadeCase worse: by which factor a metric is; errors: share of head's requests; noise: how much blocks differ
 */

const blocks = 12;
const gated = ['cpu_ms_per_request', 'latency_ms_p50', 'latency_ms_p95'];

const shared = {
  id: 'colocated',
  level: 'info',
  metrics: [],
  text: 'k6 and the services shared the cores of one machine: each takes time from the other.',
};

/** Blocks differ, and always in the same way. @param {number} i @param {number} noise */
const wobble = (i, noise) => 1 + noise * Math.sin(2.4 * i + 0.7);

/** @param {MadeCase} made @param {boolean} isHead */
function recordOf({ system = 'shop', name, worse = {}, errors, noise = 0.004, missed, finding, gate }, isHead) {
  const record = readJson(join(rawOf('ok'), 'record.json'));
  for (const metric of gated) {
    const { value } = record.metrics[metric];
    const factor = isHead ? (worse[metric] ?? 1) : 1;
    const samples = Array.from({ length: blocks }, (_, i) => value * factor * (isHead ? wobble(i, noise) : 1));
    Object.assign(record.metrics[metric], { value: value * factor, samples });
  }
  for (const metric of Object.values(record.metrics)) {
    if (metric.samples.length !== blocks) metric.samples = Array.from({ length: blocks }, () => metric.value);
  }
  if (isHead && errors !== undefined) {
    const samples = Array.from({ length: blocks }, (_, i) => errors * wobble(i, 0.1));
    Object.assign(record.metrics.errors_ratio, { value: errors, samples });
  }
  const thresholds = record.thresholds
    .filter((/** @type {any} */ { level }) => level === 'fail')
    .map((/** @type {any} */ one) =>
      isHead && missed === one.metric ? { ...one, outcome: 'missed', observed: 123.456 } : one,
    );
  const findings = isHead && finding ? [{ id: 'errors', level: 'error', text: finding, metrics: [] }] : [shared];
  const compare = gate ? { ...record.compare, gate } : record.compare;
  return { ...record, system, case: name, scenario: name.split(',')[0], rounds: blocks, thresholds, findings, compare };
}

/**
 * Judges cases as a duet of main and the pull request's commit.
 * @param {MadeCase[]} cases
 * @param {{ id?: string, time?: string, baseline?: string, head?: string, commits?: { base: string | null, head: string | null },
 *   command?: string, notes?: string[], sharing?: number }} [names] sharing: how many cases share alpha, where some are not there yet
 * @returns {Promise<any>} the comparison
 */
export async function comparisonOf(cases, names = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'benchfolio-comparison-'));
  try {
    const { baseline = 'main (0123456789)', head = 'the working tree', time = '2026-11-21T12:00:00.000Z' } = names;
    const planned = cases.map((made, i) => {
      const write = (/** @type {boolean} */ isHead) => {
        const file = join(folder, `${i}-${isHead ? 'head' : 'base'}.json`);
        writeFileSync(file, JSON.stringify(recordOf(made, isHead)));
        return file;
      };
      const {
        system = 'shop',
        name,
        status = 'measured',
        reason = null,
        base_reason = null,
        unmeasured,
        uncompared,
        changes = [],
      } = made;
      const isMeasured = status === 'measured' && !unmeasured;
      return {
        system,
        environment: 'single',
        case: name,
        scenario: name.split(',')[0],
        values: {},
        status,
        reason,
        base_reason,
        head: isMeasured ? write(true) : null,
        base: isMeasured && base_reason === null && !uncompared ? write(false) : null,
        series: [],
        changes,
        ...(uncompared ? { baseline: null } : { baseline, pair: { alpha_spent: 1, interleaved: null } }),
      };
    });
    const { id = '20261121T120000Z-1', command = 'npx benchfolio duet main shop --seed 1' } = names;
    return await judge(
      {
        schema: schemaVersion,
        run: id,
        time,
        command,
        folder: `.bench/runs/${id}`,
        baseline,
        head,
        ...(names.commits && { commits: names.commits }),
        compare: null,
        notes: names.notes ?? [],
        ...(names.sharing && { sharing: names.sharing }),
        cases: planned,
      },
      join(folder, 'plan.json'),
      { root: folder },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const slower = { cpu_ms_per_request: 1.3, latency_ms_p50: 1.25 };
const evil = 'x\\|@admin #1 GH-2 <img src=x> ![](http://evil.example) [a](http://evil.example) --> `b` $x$ \u202e';

/** What a pull request may loosen of the benchmark, each a change of its own. @type {[string, string, string][]} */
const loosened = [
  ['window', '5 s to 30 s', '25 s to 30 s'],
  ['load', '{"rate":100}', '{"rate":1}'],
  ['error_cap', '0.01', '0.5'],
  ['gate latency_ms_p50', 'there', 'gone'],
  ['tolerance', '0.05', '0.5'],
  ['expectation of request list', 'status 200, json ok', 'status 200, 500'],
  ['request create', 'there', 'gone'],
  ['share of request find', '30 %', '1 %'],
  ['threshold http_req_duration p(95) at most', '< 50, from 100 samples', 'gone'],
  ['sampled service app', 'there', 'gone'],
  ['saturation', 'error', 'expected'],
];
const looser = loosened.map(([subject, base, head]) => ({ subject, base, head, looser: true, accepted: null }));

/** What a pull request may look like; each has its comment in fixtures/comments. @type {Record<string, MadeCase[]>} */
export const situations = {
  pass: [
    { name: 'list' },
    { name: 'order,rate=100' },
    { name: 'search', status: 'todo', reason: 'nobody wrote it yet' },
  ],
  worse: [
    { name: 'list' },
    { name: 'order,rate=100', worse: slower },
    { name: 'order,rate=200', worse: { latency_ms_p95: 1.5 } },
    { name: 'search', missed: 'http_req_duration' },
  ],
  better: [{ name: 'list', worse: { cpu_ms_per_request: 0.8 } }, { name: 'order,rate=100' }],
  unclear: [{ name: 'list', noise: 0.3 }, { name: 'order,rate=100' }],
  invalid: [{ name: 'list' }, { name: 'order,rate=100', finding: '37 % of the requests failed.' }],
  errors: [{ name: 'list', errors: 0.0057 }, { name: 'order,rate=100' }],
  'failed-base': [
    { name: 'list' },
    { name: 'order,rate=100', base_reason: 'base: service "app" was not ready within 10s' },
  ],
  'failed-head': [
    { name: 'list' },
    { name: 'order,rate=100', status: 'error', reason: 'service "app" ended with code 1' },
    { name: 'search', unmeasured: true, reason: 'interrupted before it began' },
  ],
  'no-baseline': [
    { name: 'list', uncompared: true },
    { name: 'order,rate=100', uncompared: true, missed: 'memory_bytes' },
  ],
  many: Array.from({ length: 200 }, (_, i) => ({
    name: `order,payload=${i}`,
    ...(i % 10 === 9 && { worse: slower }),
    ...(i % 10 === 8 && { noise: 0.3 }),
    ...(i % 10 === 7 && { missed: 'http_req_duration' }),
  })),
  loosened: [{ name: 'list', changes: looser }, { name: 'order,rate=100' }],
  accepted: [
    {
      name: 'list',
      changes: [
        { ...looser[2], accepted: 'the old cap was for another machine' },
        { subject: 'tolerance', base: '0.05', head: '0.01', looser: false, accepted: null },
      ],
    },
  ],
  hostile: [
    { name: `${evil} 1`, worse: slower },
    { name: `${evil} 2`, status: 'error', reason: `${evil} ${'a'.repeat(100_000)}` },
    { name: `${evil} 3`, missed: 'http_req_duration' },
    { name: `${evil} 4`, finding: evil },
    { name: `${evil} 5`, changes: [{ subject: evil, base: evil, head: evil, looser: true, accepted: evil }] },
  ],
};

/** The names around the cases of a situation. @type {Record<string, Parameters<typeof comparisonOf>[1]>} */
export const namesOf = {
  loosened: { notes: ['The working tree has changes that are not committed: they are not measured, 89abcdef is.'] },
  hostile: { baseline: evil, head: evil, notes: [evil], command: `npx benchfolio duet '${evil}'` },
};
