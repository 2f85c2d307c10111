// Runs the quick profile of every system, one after the other, and looks at what really runs meanwhile:
//
//   node test/make/systems.js [--smoke] [--unjudged] [system…]
//
// --smoke: one case of each, the cheapest. Ends with 1 unless every run ends with 0, in five minutes at the most, with
// valid records, and every service of what was measured was among the processes. --unjudged, for a machine of any speed: what
// the numbers are does not count, nor how long it takes; there must be a record of each case, the exit code that goes with its
// verdict, and nothing left.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasMarker, linkOrEmpty, pids, readOrNull, readProcess } from '../../dist/base/process/processes.js';
import { recordProblem } from '../../dist/records/schema.js';
import { expandCases, parseToml } from '../../dist/suite/cases/cases.js';
import { systemNames } from '../../dist/suite/suite.js';
import { benchfolio, root } from '../support/cli.js';

const limit_s = 300;
/** The cheapest case for itself says little, and a busy machine can make it say nothing: then all of its rounds, twice. */
const smokeRounds = [['--rounds', '1'], [], []];

/** @typedef {{ system: string, exit: number | null, seconds: number, records: number, wrong: string[], services: string }} SystemOutcome */

/**
 * What the services of a run are, by the log that each writes to: its name, and the programs.
 * @param {string} run the end of its id
 * @param {Map<string, Set<string>>} seen is added to
 */
function look(run, seen) {
  for (const pid of pids()) {
    const log = ['1', '2', '3']
      .map((fd) => linkOrEmpty(`/proc/${pid}/fd/${fd}`))
      .find((path) => path.includes('/.bench/runs/'));
    const [, id, rest] = log?.match(/\/\.bench\/runs\/([^/]+)\/(.+)$/) ?? [];
    if (!id?.endsWith(run) || !/^[^/]+\/[^/]+\/(.+\/)?[^/.]+\.log$/.test(rest)) continue;
    const found = readProcess(pid);
    if (!found || found.name === 'k6') continue;
    const service = `${rest.split('/').slice(0, 2).join('/')}/${basename(rest, '.log')}`;
    const programs = seen.get(service) ?? new Set();
    if (!programs.has(found.name)) {
      const command = readOrNull(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() || found.name;
      console.log(`    ${String(pid).padStart(7)}  ${service.padEnd(28)} ${command.slice(0, 90)}`);
    }
    seen.set(service, programs.add(found.name));
  }
}

/**
 * @param {string} system
 * @param {string[]} args
 * @param {{ unjudged: boolean }} options
 * @returns {Promise<SystemOutcome>}
 */
async function measure(system, args, { unjudged }) {
  console.log(`\n${system}: benchfolio run ${[system, '--quick', ...args].join(' ')}`);
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [join(root, 'dist', 'cli', 'bin.js'), 'run', system, '--quick', '--json', ...args],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => (text += piece));
  /** @type {Map<string, Set<string>>} */
  const seen = new Map();
  const looking = setInterval(() => look(`-${child.pid}`, seen), 300);
  const late = unjudged ? undefined : setTimeout(() => child.kill('SIGINT'), limit_s * 1000);
  /** @type {number | null} */
  const exit = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(looking);
  clearTimeout(late);
  const seconds = Math.round((performance.now() - started) / 1000);
  const { records, wrong, places, said } = judged(text, { unjudged });
  if (exit !== (unjudged ? said : 0))
    wrong.unshift(seconds >= limit_s ? `it took more than ${limit_s} s` : `it ended with ${exit}`);
  for (const service of servicesOf(system, places))
    if (!seen.has(service)) wrong.push(`${service} was not seen to run`);
  const left = pids().filter((pid) => hasMarker(pid, `BENCHFOLIO_RUN=${lastId(`-${child.pid}`)}`));
  if (left.length > 0) wrong.push(`${left.length} processes are left`);
  const services = [...seen].map(
    ([name, programs]) => `${name.split('/').slice(1).join('/')} (${[...programs].join(', ')})`,
  );
  return { system, exit, seconds, records, wrong, services: services.sort().join(', ') };
}

/**
 * @param {string} text what `--json` printed
 * @param {{ unjudged: boolean }} options
 * @returns {{ records: number, wrong: string[], places: Set<string>, said: number | null }} places: the environments that were
 *   measured; said: the exit code of the outcome
 */
function judged(text, { unjudged }) {
  if (!text) return { records: 0, wrong: ['it says nothing'], places: new Set(), said: null };
  const { run, cases, exit: said } = JSON.parse(text);
  const measured = cases.filter((/** @type {any} */ one) => one.verdict !== 'todo' && one.verdict !== 'n-a');
  const accepted = unjudged ? ['pass', 'fail', 'invalid', 'inconclusive'] : ['pass'];
  const wrong = measured.flatMap((/** @type {any} */ { system, environment, case: name, verdict }) => {
    const file = join(root, '.bench', 'runs', run, system, environment, name, 'record.json');
    const record = readOrNull(file);
    const problem = record === null ? 'has no record' : recordProblem(JSON.parse(record));
    return [
      ...(problem ? [`${environment}/${name} ${problem}`] : []),
      ...(accepted.includes(verdict) ? [] : [`${environment}/${name}: ${verdict}`]),
    ];
  });
  if (measured.length === 0) wrong.push('it measured nothing');
  return {
    records: measured.length,
    wrong,
    said,
    places: new Set(measured.map((/** @type {any} */ { environment }) => environment)),
  };
}

/** @param {string} system @param {Set<string>} places @returns {string[]} as `look` names them */
function servicesOf(system, places) {
  const spec = parseToml(readOrNull(join(root, 'specs', system, 'spec.toml')) ?? '');
  const cases = expandCases({ spec, system, profile: 'quick' }).filter(({ environment }) => places.has(environment));
  return [
    ...new Set(
      cases.flatMap(({ environment, services }) => services.map(({ name }) => `${system}/${environment}/${name}`)),
    ),
  ];
}

/** @param {string} end */
const lastId = (end) => readdirSync(join(root, '.bench', 'runs')).find((id) => id.endsWith(end)) ?? 'none';

/**
 * The case that is done soonest, as arguments of `run`.
 * @param {string} system
 * @returns {Promise<string[]>}
 */
async function cheapest(system) {
  const { code, stdout } = await benchfolio(['check', system, '--quick', '--list']);
  if (code !== 0) throw new Error(stdout);
  /** @type {any[]} */
  const cases = JSON.parse(stdout).filter((/** @type {any} */ { status }) => status === null);
  const first = cases.filter(
    ({ scenario, environment }) => cases.find((one) => one.scenario === scenario)?.environment === environment,
  );
  const users = (/** @type {any} */ { k6 }) => k6.maxVUs ?? k6.preAllocatedVUs ?? k6.vus ?? 1;
  const [one] = first.sort((a, b) => a.duration_s - b.duration_s || users(a) - users(b));
  return [
    '--env',
    one.environment,
    '--scenario',
    one.scenario,
    ...Object.entries(one.values).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
  ];
}

const {
  values: { smoke, unjudged },
  positionals,
} = parseArgs({
  options: { smoke: { type: 'boolean' }, unjudged: { type: 'boolean', default: false } },
  allowPositionals: true,
});
/** @type {SystemOutcome[]} */
const outcomes = [];
for (const system of positionals.length ? positionals : systemNames({ root })) {
  const chosen = smoke ? await cheapest(system) : [];
  let outcome;
  for (const rounds of smoke ? smokeRounds : [[]]) {
    outcome = await measure(system, [...chosen, ...rounds], { unjudged });
    if (outcome.exit !== 3 || unjudged) break;
  }
  outcomes.push(/** @type {SystemOutcome} */ (outcome));
}

console.log(`\n${'system'.padEnd(12)} exit  seconds  records  services`);
for (const { system, exit, seconds, records, services, wrong } of outcomes) {
  console.log(
    [
      system.padEnd(12),
      String(exit).padStart(4),
      String(seconds).padStart(8),
      String(records).padStart(8),
      ` ${services}`,
    ].join(' '),
  );
  for (const what of wrong) console.log(`${' '.repeat(12)} WRONG: ${what}`);
}
process.exitCode = outcomes.some(({ wrong }) => wrong.length > 0) ? 1 : 0;
