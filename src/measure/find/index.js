import { join } from 'node:path';
import { memoryFor } from '../../check/index.js';
import { exitCodes, UserError } from '../../errors.js';
import { writeJson, writeWhole } from '../../io/files.js';
import { Interrupted } from '../../process/failure.js';
import { readRecord } from '../../records/read.js';
import { refuseUnmetRequirements } from '../../requirements.js';
import { buildServices } from '../../services/build.js';
import { serviceKeeper } from '../../services/service-pool.js';
import { confirmEnvironments } from '../../session/confirm.js';
import { fingerprintOf } from '../../session/fingerprint.js';
import { gitState } from '../../session/git-state.js';
import { conclude } from '../../session/outcome.js';
import { newSeed } from '../../session/random-order.js';
import { commandWith } from '../../session/repeat-command.js';
import { planRun } from '../../session/select-cases.js';
import { deleteScratch, interruptedCode, openSession } from '../../session/session.js';
import { loadNow, underLoad } from '../../spec/index.js';
import { caseName } from '../../spec/names.js';
import { benchDir, defaultSystems, loadSuite } from '../../suite.js';
import { measureCase } from '../measure-case.js';
import { loadOf } from './load-parameter.js';
import { measureProbe, probeFolder } from './probe.js';
import { foundText, probeText } from './report.js';
import { search } from './search.js';

/**
 * @typedef {import('../../session/select-cases.js').Choice & { system?: string, from?: number, max?: number, probe_s?: number,
 *   precision?: number, repeats?: number, rounds?: number, confirm?: boolean, json?: boolean }} FindOptions
 *   from, max: iterations a second or users; probe_s: how long one load is measured; precision: relative; repeats: how often the
 *   edge is searched; rounds: of the record, at the load that was found
 */

const defaults = { probe_s: 5, precision: 0.02, repeats: 5, rounds: 3, max: 100_000 };

/**
 * Finds the highest load under which a scenario still meets its thresholds, measures it there, and prints both. What was
 * found is a part of that record, which is kept and compared like any other.
 * @param {FindOptions} options
 * @param {import('../../world.js').World} world
 * @returns {Promise<number>} the exit code: 3 when there is no such load to be told, else that of the record
 * @throws {UserError} nothing to search, or a service failed
 */
export async function runFind({ system, from, confirm = false, json = false, ...options }, world) {
  const { probe_s, precision, repeats, rounds, max } = { ...defaults, ...given(options) };
  if (from !== undefined && from > max) {
    throw new UserError(`--from ${from} is above --max ${max}`, { hint: 'Begin with a load that is to be tried.' });
  }
  const suite = loadSuite(world.cwd);
  const memory_bytes = memoryFor(suite.bench);
  const one = chooseCase(suite, { ...options, system: system ?? defaultSystems(suite)[0] }, { memory_bytes, world });
  const load = loadOf(one);
  await confirmEnvironments([one], { confirmed: confirm, all: false }, world);
  refuseUnmetRequirements(suite, [one], world.env);
  const reports = join(suite.root, 'reports');
  const seed = newSeed();
  const asked = Object.entries({
    from,
    max: options.max,
    probe: options.probe_s && `${options.probe_s}s`,
    precision: options.precision,
    repeats: options.repeats,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]));
  const command = commandWith(['find', one.system, ...asked], {
    ...options,
    scenario: one.scenario,
    env: one.environment,
    confirm,
  });

  const { run, k6Version, time, close } = await openSession(suite, { memory_bytes, cases: [one] }, world);
  try {
    const header = {
      id: run.id,
      time: time.toISOString(),
      seed,
      rounds,
      profile: one.profile,
      ...(await gitState(run.root)),
      fingerprint: fingerprintOf(run.env, k6Version),
      command,
    };
    const built = (await buildServices([one], run))(one);
    if (built) throw built;
    const quiet = { ...run, progress: { ...run.progress, beginRound() {}, endRound() {}, iterations() {} } };
    run.progress.note(
      `${one.system}/${one.environment}/${one.scenario}: which ${load.parameter} still meets the thresholds? Each is tried for ${probe_s} s`,
    );
    /** @type {import('./probe.js').Observed[]} */
    const curve = [];
    const found = await search(
      async (wanted) => {
        const folder = probeFolder(run.folder, curve.length + 1);
        const { observed, limited } = await measureProbe(
          probed(one, wanted, probe_s),
          { folder, header, built, reports },
          quiet,
        );
        curve.push(observed);
        run.progress.note(probeText(curve.length, observed, load));
        return { ...observed, limited };
      },
      { from: from ?? loadNow(one), max, precision, repeats, least: load.parameter === 'vus' ? 1 : 0.01 },
    );
    if (found.reason !== null) {
      world.stdout.write(`Nothing found: ${found.reason}.\n`);
      deleteScratch(run);
      return exitCodes.inconclusive;
    }
    const searched = { ...load, precision, probe_s, curve, estimates: found.estimates };
    const name = caseName(one.scenario, { find: load.parameter });
    const measured = { ...probed(one, found.sure, probe_s), name, values: { find: load.parameter }, search: searched };
    const folder = join(run.folder, one.system, one.environment, name);
    const keeper = serviceKeeper(run);
    run.progress.note(`measuring at ${Number(found.sure.toPrecision(3))}, ${rounds} rounds`);
    const outcome = await measureCase(measured, { folder, rounds, header, built, keeper }, quiet).finally(keeper.end);
    if (outcome.status !== 'error') deleteScratch(run);
    await writeJson(join(run.folder, 'run.json'), {
      schema: 1,
      id: run.id,
      time: time.toISOString(),
      command,
      options,
      cases: [
        {
          system: one.system,
          environment: one.environment,
          case: name,
          dir: join(one.system, one.environment, name),
          status: outcome.status,
          reason: outcome.reason,
        },
      ],
    });
    await writeWhole(join(benchDir(suite), 'latest'), `${run.id}\n`);
    const exit = await conclude(suite, { runDir: run.folder, json }, world);
    if (!json && outcome.status === 'measured')
      world.stdout.write(`\n${foundText(readRecord(join(folder, 'record.json')).search)}\n`);
    return run.interrupt.asked ? interruptedCode : exit;
  } catch (error) {
    if (error instanceof Interrupted) return interruptedCode;
    throw error;
  } finally {
    close();
  }
}

/**
 * @param {import('../../spec/index.js').Case} one
 * @param {number} load
 * @param {number} seconds
 */
function probed(one, load, seconds) {
  const probe = { load: Number(load.toPrecision(5)), seconds };
  return { ...underLoad(one, probe), probe };
}

/** @param {Record<string, any>} options those that were given */
const given = (options) => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/**
 * The case whose load is searched. Cases that differ only in their load are one.
 * @param {import('../../suite.js').Suite} suite
 * @param {FindOptions & { system: string }} asked
 * @param {Parameters<typeof planRun>[2]} around
 * @returns {import('../../spec/index.js').Case}
 * @throws {UserError} there are several
 */
function chooseCase(suite, { system, ...choice }, around) {
  const { toRun } = planRun(suite, { ...choice, systems: [system] }, around);
  const alike = new Map(toRun.map((one) => [JSON.stringify([one.environment, one.scenario, otherwise(one)]), one]));
  if (alike.size === 1) return toRun[0];
  throw new UserError(`find takes one scenario, and there are ${alike.size}`, {
    hint: `Choose: ${[...alike.values()]
      .map(
        (one) =>
          `--scenario ${one.scenario}${Object.entries(one.values)
            .map(([key, value]) => ` --set ${key}=${value}`)
            .join('')}`,
      )
      .join('; ')}`,
  });
}

/** What a case is but for its load. @param {import('../../spec/index.js').Case} one */
function otherwise({ k6, services, requests, script, rows, network }) {
  const { rate, vus, preAllocatedVUs, maxVUs, duration, ...rest } = k6;
  return { rest, services, requests, script, rows, network };
}
