// From a repository of somebody's to a first number of an address that does something: init and run, for real.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { folderOf, root, spawnBenchfolio } from '../support/cli.js';
import { makeQuiet } from '../support/quiet.js';

/** What the workflow sets up, and what git ignores, besides our own. @type {Record<string, { sets: RegExp, ignores: string[] }>} */
const samples = {
  node: { sets: /setup-node@/, ignores: ['node_modules/'] },
  python: { sets: /setup-python@.*python-version: "3\.x"/, ignores: ['/.venv', '/__pycache__'] },
  go: { sets: /setup-go@.*go-version-file: "go\.mod"/, ignores: ['/bench-app'] },
};

describe('init and run of a service in', { concurrency: 1 }, () => {
  for (const [name, { sets, ignores }] of Object.entries(samples)) {
    test(name, async () => {
      const folder = await folderOf({});
      cpSync(join(root, 'test', 'fixtures', 'services', name), folder, { recursive: true });
      execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });
      const written = await spawnBenchfolio(['init', 'shop'], { cwd: folder });
      assert.equal(written.code, 0, written.stderr);
      const read = (/** @type {string} */ file) => readFileSync(join(folder, file), 'utf8');
      assert.match(read('.github/workflows/benchmark.yml'), sets);
      const ignored = read('.gitignore').split('\n');
      for (const line of ignores) assert.ok(ignored.includes(line), `${line} is not in ${ignored}`);
      const spec = read('specs/shop/spec.toml');
      assert.match(spec, /ready = ".*\/healthz"/);
      writeFileSync(
        join(folder, 'specs/shop/spec.toml'),
        spec
          .replace('duration = "8s"', 'duration = "3s"')
          // one for each iteration: none is dropped for want of a user, however long the machine stands still
          .replace('preAllocatedVUs = 100', 'preAllocatedVUs = 300')
          .replace('[scenarios.steady]', '[scenarios.steady]\nsaturation = "expected"'),
      );
      makeQuiet(folder);
      const { code, stdout, stderr } = await spawnBenchfolio(['run', '--quick', '--rounds', '1'], { cwd: folder });
      // A second of the quick profile has too few samples for the threshold that init writes, on any machine. One that was kept busy
      // meanwhile has sent less than was due.
      const [, isSaturated] = [...stdout.matchAll(/shop local\s+steady .* (saturated)$/gm)][0] ?? [];
      assert.equal(code, isSaturated ? 0 : 3, stdout + stderr);
      assert.match(stdout, /p\(95\)<500 (is not judged: \d+ observations, 400 are\s+needed|\(saturated)/);
      const runs = join(folder, '.bench', 'runs');
      const record = JSON.parse(
        readFileSync(join(runs, readdirSync(runs)[0], 'shop/local/steady/record.json'), 'utf8'),
      );
      assert.deepEqual(Object.keys(record.requests), ['GET /orders']);
      assert.ok(record.metrics.latency_ms_p50.value > 0);
      const left = execFileSync('git', ['status', '--porcelain', '--ignored'], { cwd: folder, encoding: 'utf8' });
      assert.doesNotMatch(
        left,
        /^\?\? (?!\.github|\.gitignore|bench\.toml|reports|specs|server|package|app\.py|requirements|go\.mod|main\.go)/m,
      );
    });
  }
});
