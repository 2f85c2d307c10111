// Measures trials of the systems that have [calibrate], unattended: half an hour of each in turn, then what was kept is committed, with README's table. A
// trial is kept when it ends, so a stop at any moment loses the one that runs, and the next call goes on.
//
//   node test/make/calibration.js 3h      # make calibration BUDGET=3h; nothing else may run on the machine meanwhile
import { spawnSync } from 'node:child_process';
import { parseDuration } from '../../dist/suite/cases/cases.js';
import { loadSuite, readSpec, systemNames } from '../../dist/suite/suite.js';
import { root } from '../support/cli.js';

const session_s = 30 * 60;
const until = performance.now() + 1000 * parseDuration(process.argv[2] ?? '3h');
const suite = loadSuite(root);
const systems = systemNames(suite).filter((name) => readSpec(suite, name).calibrate);

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

for (let turn = 0; ; turn += 1) {
  const left_s = (until - performance.now()) / 1000;
  if (left_s < session_s / 2) break;
  const system = systems[turn % systems.length];
  run(process.execPath, [
    'dist/cli/bin.js',
    'calibrate',
    system,
    '--budget',
    `${Math.floor(Math.min(session_s, left_s))}s`,
  ]);
  run('env', ['RENEW=1', process.execPath, '--test', '--test-reporter=dot', 'test/docs/calibration.test.js']);
  run('git', ['add', '--', `reports/calibrations/${system}`]);
  run('git', [
    'commit',
    '--quiet',
    '--message',
    `calibrations: keep trials of ${system}`,
    '--',
    'reports/calibrations',
    'README.md',
  ]);
}
