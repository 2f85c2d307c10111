// What a duet said of its records, `replay` says of the trial that is kept of them, look by look: one rule.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { jq } from '../../dist/base/tools/jq.js';
import { interimLooks } from '../../dist/records/interim-looks.js';
import { judge } from '../../dist/records/judge.js';
import { trialProblem } from '../../dist/records/schema.js';
import { mergeCompare } from '../../dist/suite/cases/compare.js';
import { schemaVersion } from '../../reports/schema/version.js';
import { normals } from '../support/draws.js';
import { engines, jqIn } from '../support/engines.js';
import { rawOf, readJson } from '../support/raw.js';

const folder = mkdtempSync(join(tmpdir(), 'benchfolio-trials-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const blocks = 12;
const draw = normals(41);
const percents = [90, 95, 99, 99.5, 100];

/**
 * Writes a record of drawn blocks.
 * @param {string} name of the file
 * @param {{ rounds: number, factor?: number, errors?: number }} how factor: by which times and CPU time are larger; errors: share
 *   of the requests
 * @returns {string} the file
 */
function recordFile(name, { rounds, factor = 1, errors = 0 }) {
  const record = readJson(join(rawOf('ok'), 'record.json'));
  const drawn = (/** @type {number} */ value) =>
    Array.from({ length: rounds }, () => value * factor * Math.exp(0.01 * draw()));
  for (const [metric, all] of Object.entries(record.metrics)) {
    const value = metric === 'errors_ratio' ? errors : (all.value ?? 1);
    const isShare = all.unit === 'ratio';
    Object.assign(all, {
      value,
      valid: true,
      reason: null,
      samples: isShare ? Array(rounds).fill(value) : drawn(value),
    });
    if (all.count !== null) all.count = 500 * rounds;
  }
  const tail = {
    p: percents,
    counts: Array(rounds).fill(500),
    values: Array.from({ length: rounds }, () => percents.map((p) => p * factor * Math.exp(0.002 * draw()))),
  };
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ ...record, rounds, requests: {}, services: {}, findings: [], tail }));
  return file;
}

for (const { what, solo = {}, load = {} } of [
  { what: 'nothing is worse' },
  { what: 'each request is slower', solo: { factor: 1.08 } },
  { what: 'there are new errors under load', load: { errors: 0.02 } },
])
  test(`replay says what the duet said where ${what}`, async () => {
    const of = (/** @type {string} */ side, /** @type {string} */ lane, /** @type {object} */ how) =>
      recordFile(`${what} ${side} ${lane}`, { rounds: blocks, ...how });
    const lanes = {
      load: { base: of('base', 'load', {}), head: of('head', 'load', load) },
      saturation: { base: of('base', 'saturation', {}), head: of('head', 'saturation', {}) },
    };
    const files = { base: of('base', 'solo', {}), head: of('head', 'solo', solo), ...lanes };
    const compare = mergeCompare([{ gate: ['cpu_ms_per_request', 'latency_ms_p50'], tolerance: 0.05 }]);
    const comparison = await judge(
      {
        schema: schemaVersion,
        run: null,
        time: '2026-03-01T12:00:00.000Z',
        command: null,
        folder: null,
        baseline: 'base',
        head: null,
        compare: null,
        cases: [
          {
            ...{ system: 'shop', environment: 'single', scenario: 'list', case: 'list', values: {}, series: [] },
            ...{ status: 'measured', reason: null, base_reason: null, baseline: 'base', compare },
            pair: { alpha_spent: 0.85, interleaved: null, apart: false },
            lanes: { ...lanes, warm_up: null, interleaved: null, falls: [] },
            head: files.head,
            base: files.base,
          },
        ],
      },
      join(folder, 'plan.json'),
    );
    const trial = {
      ...{ id: '20260301T101500Z-7-1', time: '2026-03-01T12:00:00.000Z', condition: 'aa', bursts: false, env: {} },
      ...{ blocks, timing: { warmup_s: 1, seconds: 4 }, seconds: 90, seed: 1, status: 'measured', reason: null },
      lanes: { load: { warmup_s: 1, seconds: 2 }, saturation: { users: 30, warmup_s: 1, seconds: 2 } },
      pair: { interleaved: null, apart: false, lanes_interleaved: null, falls: [] },
    };
    const named = [files.base, files.head, ...Object.values(lanes).flatMap(({ base, head }) => [base, head])];
    const kept = await jq('trial.json.jq', [join(rawOf('ok'), 'case.json'), ...named], { args: { files, trial } });
    assert.equal(trialProblem(kept), null);
    const file = join(folder, 'trial.json');
    writeFileSync(file, JSON.stringify(kept));
    const rule = { ...compare, interim_looks: interimLooks(blocks) };
    const [engine] = await engines();
    const program = `import "lib/calibrate/trials" as trials; import "lib/compare/verdicts" as verdicts;
      ${JSON.stringify(rule)} as $rule
      | inputs | trials::at_interim_looks($rule)[-1].evidence
      | { rows: .metrics, verdict: verdicts::of_case, decided: verdicts::is_decided }`;
    const replayed = JSON.parse(await jqIn(engine, [program, file]));
    const [said] = comparison.cases;
    assert.equal(replayed.verdict, said.verdict);
    assert.equal(replayed.decided, said.decided);
    const gated = said.metrics.filter((/** @type {any} */ row) => row.gated);
    assert.ok(gated.length >= 10, `${gated.length} rows`);
    assert.deepEqual(replayed.rows, gated);
  });
