// `make bench`: each file beside this one measures one thing and prints it; one after the other, for they share the cores.
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
  const { status } = spawnSync(process.execPath, [join(folder, program)], { stdio: 'inherit' });
  if (status !== 0) failed += 1;
}
process.exitCode = failed ? 1 : 0;
