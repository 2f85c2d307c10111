// How long the reduction of an hour takes (aim: under a second), in every jq that is here.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { root } from '../support/cli.js';
import { engines, jqIn } from '../support/engines.js';
import { longCase } from '../support/long-case.js';
import { size } from './short.js';

const hour = size(3600, 60);
const cases = [
  { what: 'an hour in one round', raw: { rounds: 1, seconds: hour } },
  { what: 'an hour in three rounds', raw: { rounds: 3, seconds: hour / 3 } },
  { what: 'an hour in three rounds, 50 requests by name', raw: { rounds: 3, seconds: hour / 3, names: 50 } },
];

for (const { what, raw } of cases) {
  const folder = longCase(raw);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6;
  for (const engine of await engines()) {
    const times = [];
    let bytes = 0;
    for (let i = 0; i < size(3, 1); i += 1) {
      // the fastest of three: others use the machine too
      const began = performance.now();
      bytes = Buffer.byteLength(await jqIn(engine, ['-f', join(root, 'reports', 'record.json.jq'), ...files]));
      times.push(performance.now() - began);
    }
    const best = (Math.min(...times) / 1000).toFixed(2);
    const sizes = `${megabytes.toFixed(1)} MB raw, record ${(bytes / 1000).toFixed(1)} kB`;
    console.log(`reduce  ${what}: ${best} s in ${engine.name} (${sizes})`);
  }
  rmSync(folder, { recursive: true, force: true });
}
