// What each second of a load had is read while it runs (src/run/generator/live-figures.ts) and afterwards (reports/lib/reduce/histograms.jq
// and timeline.jq): both are held to one table, and so is what the native player writes (k6/native/tally/seconds_test.go).
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { liveFigures } from '../../dist/run/generator/live-figures.js';
import { root } from '../support/cli.js';
import { engines, jqIn } from '../support/engines.js';
import { scratchFolder } from '../support/scratch.js';

/**
 * What a second had. p50: of the latency, in milliseconds.
 * @typedef {{ requests: number, failed: number, dropped: number, p50: number | null, users: number }} Second
 */

const file = join(root, 'k6', 'native', 'vectors', 'seconds.json');

/** @type {{ what: string, file: string, lines: Record<string, unknown>[], seconds: Second[] }[]} */
const vectors = JSON.parse(readFileSync(file, 'utf8'));

/** A bucket is 1/256 of its value wide. @param {number | null} p50 */
const near = (p50) => (p50 === null ? null : Math.round(p50 * 10) / 10);

for (const { what, file: name, lines, seconds } of vectors)
  test(`while it runs: ${what}`, () => {
    const folder = scratchFolder('seconds');
    const live = liveFigures({ folder, folders: [folder], native: name === 'histograms.ndjson' });
    let before = { requests: 0, failed: 0, dropped: 0 };
    /** @type {Omit<Second, 'users'>[]} */
    const seen = [];
    for (const line of lines) {
      appendFileSync(join(folder, name), `${JSON.stringify(line)}\n`);
      const { requests, errors, dropped, p50_ms } = live();
      if (!('users' in line) && line.event !== 'snapshot') continue;
      const own = {
        requests: requests - before.requests,
        failed: errors - before.failed,
        dropped: dropped - before.dropped,
      };
      seen.push({ ...own, p50: own.requests === 0 ? null : near(p50_ms) });
      before = { requests, failed: errors, dropped };
    }
    assert.deepEqual(
      seen,
      seconds.map(({ users, ...second }) => second),
    );
  });

for (const engine of await engines())
  test(`when it is over, in ${engine.name}`, async () => {
    const program = `import "lib/reduce/histograms" as histograms; import "lib/reduce/timeline" as timeline;
      [input[] | if .file == "timeline.ndjson" then [.lines | timeline::rows({})[]]
        else [foreach .lines[] as $line ({}; histograms::step($line); .out | select(.) | select(.total | not))] end
        | map({ requests, failed, dropped, p50, users })]`;
    const read = JSON.parse(await jqIn(engine, [program, file]));
    assert.deepEqual(
      read.map((/** @type {Second[]} */ rows) => rows.map((row) => ({ ...row, p50: near(row.p50) }))),
      vectors.map(({ seconds }) => seconds),
    );
  });
