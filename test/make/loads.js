// Measures the write-ups' loads, as far as two cores carry them, unattended: each scenario that the profile two-cores sets, in
// each environment of processes. A case is kept when it ends and committed with its scenario, so a stop at any moment loses
// the one that runs, and the next call goes on.
//
//   node test/make/loads.js 2026-11 3h    # make loads VERSION=2026-11 BUDGET=3h; nothing else may run meanwhile
import { spawnSync } from 'node:child_process';
import { parseDuration, resolveExtends } from '../../dist/suite/cases/cases.js';
import { loadSuite, readSpec, systemNames } from '../../dist/suite/suite.js';
import { root } from '../support/cli.js';

const profile = 'two-cores';
const [version = '2026-11', budget = '3h', ...chosen] = process.argv.slice(2);
const until = performance.now() + 1000 * parseDuration(budget);
const suite = loadSuite(root);

/** What the profile measures of a system. @param {string} system */
function placesOf(system) {
  const { profiles = {}, scenarios, environments } = readSpec(suite, system);
  const here = Object.entries(resolveExtends(environments, () => {}))
    .filter(([, one]) => !one.confirm && !one.services.some((/** @type {any} */ { container }) => container))
    .map(([name]) => name);
  return Object.keys(profiles[profile]?.scenarios ?? {}).flatMap((scenario) =>
    here
      .filter((environment) => scenarios[scenario].environments?.includes(environment) ?? true)
      .map((environment) => ({ system, scenario, environment })),
  );
}

/** @param {string} command @param {string[]} args @returns {number} its exit code */
const run = (command, args) => spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status ?? 1;

const folder = `reports/versions/${version}`;
const open = [];
for (const place of (chosen.length ? chosen : systemNames(suite)).flatMap(placesOf)) {
  const { system, scenario, environment } = place;
  const left_s = Math.floor((until - performance.now()) / 1000);
  const options = ['--scenario', scenario, '--env', environment, '--profile', profile, '--rounds', '3'];
  const how = ['--version', version, '--missing', '--budget', `${Math.max(1, left_s)}s`];
  const code = run(process.execPath, ['dist/cli/bin.js', 'run', system, ...options, ...how]);
  if (code === 130) process.exit(code);
  if (code !== 0) open.push(`${system}, ${scenario}, ${environment}: exit code ${code}`);
  run('git', ['add', '--', folder]);
  if (run('git', ['diff', '--cached', '--quiet', '--', folder]) === 0) continue;
  run('git', [
    'commit',
    '--quiet',
    '--message',
    `reports: keep ${scenario} of ${system}, ${environment}`,
    '--',
    folder,
  ]);
}
if (open.length) {
  process.stdout.write(`Not all is kept:\n${open.join('\n')}\n`);
  process.exitCode = 3;
}
