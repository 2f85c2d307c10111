// What the declarative driver costs: requests per CPU second of the k6 process, against scripts written by hand. The k6
// processes of a comparison take turns on one core (driver/duet.js), so that the ratios hold on a busy machine too.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTool } from '../../dist/base/tools/find-tool.js';
import { limits } from '../../dist/suite/cases/tables.js';
import { duet } from './driver/duet.js';
import { writeOptions } from './driver/options.js';
import { printRatios } from './driver/ratios.js';
import { size } from './short.js';

/** @import { DriverSide } from './driver/duet.js' */

const folder = join(dirname(fileURLToPath(import.meta.url)), 'driver');
const spec = join(folder, 'spec.toml');
const repeats = Number(process.argv[2] ?? size(8, 1));
const seconds = size(3, 0.5); // of each side in a repeat

const made = mkdtempSync(join(tmpdir(), 'benchfolio-bench-'));
const bareOptions = join(made, 'bare.json');
const weightedOptions = join(made, 'weighted.json');
const { path: k6 } = await findTool('k6');
writeOptions(k6, { spec, scenario: 'bare', tags: { phase: 'steady', name: 'GET /' }, file: bareOptions });
writeOptions(k6, { spec, scenario: 'weighted', tags: { phase: 'steady' }, file: weightedOptions });

/** @param {string} name @param {string} script @param {string} [options] file @returns {DriverSide} */
const byHand = (name, script, options) => ({
  name,
  env: { GOGC: options ? '400' : '100' }, // 100: Go's own
  args: (port) => [
    '-e',
    `BASE_URL=http://127.0.0.1:${port}`,
    ...(options ? ['-c', options] : []),
    join(folder, script),
  ],
});

/** @param {string} scenario @returns {DriverSide} */
const driver = (scenario) => ({
  name: 'driver',
  env: { GOGC: '400' },
  args: (port) => [
    '-e',
    `SPEC=${spec}`,
    '-e',
    `SCENARIO=${scenario}`,
    '-e',
    `ANSWERS=${limits.answers}`, // as `benchfolio run` has it
    '-e',
    `BASE_URL=http://127.0.0.1:${port}`,
    join(folder, '..', '..', '..', 'k6', 'main.js'),
  ],
});

const comparisons = [
  {
    title: 'a bare GET, same GOGC, tags and metrics kept (aim: 0.95 or more of the shortest script)',
    sides: [
      byHand('shortest script', 'bare.js', bareOptions),
      byHand('with the name in it', 'named.js', bareOptions),
      driver('bare'),
    ],
  },
  {
    title:
      'a weighted list with expectations, same GOGC, tags and metrics kept (aim: 1.2 or more of groups and checks)',
    sides: [byHand('groups and checks', 'people.js', weightedOptions), driver('weighted')],
  },
  {
    title: 'a bare GET, as shipped (GOGC=400, few tags, no bodies, phases told apart) against k6 as it comes',
    sides: [byHand('shortest script', 'defaults.js'), driver('bare')],
  },
];

if (availableParallelism() < 2) console.log('One core only: the server shares it with k6.');
for (const { title, sides } of comparisons) {
  console.log(`driver, ${title}`);
  /** @type {number[][]} */
  const rounds = [];
  for (let i = 0; i < repeats; i += 1) rounds.push(await duet(k6, sides, seconds));
  printRatios(sides, rounds);
}
rmSync(made, { recursive: true });
