// `make bench`: each file that is called *.bench.js measures one thing and prints it; one after the other, for they share the
// cores. --short: each as little as it can (short.js).
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const programs = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.js'))
  .sort();
let failed = 0;
for (const program of programs) {
  const { status, stdout } = spawnSync(process.execPath, [join(folder, program)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    env: { ...process.env, ...(process.argv.includes('--short') && { BENCH_SHORT: '1' }) },
  });
  process.stdout.write(stdout);
  const hasFigures = /\d/.test(stdout) || / is not on PATH| are not both on PATH|there is no Prometheus/.test(stdout);
  if (status === 0 && hasFigures) continue;
  console.log(`${program} ${status === 0 ? 'printed no figure' : `ended with ${status}`}`);
  failed += 1;
}
process.exitCode = failed ? 1 : 0;
