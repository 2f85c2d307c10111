import { join, resolve } from 'node:path';
import { parseDuration, portUsers, showDuration } from '../spec/index.js';
import { endCommand, showExit, startCommand } from './command.js';
import { CaseFailure, Interrupted } from './failure.js';
import { openLog } from './log.js';
import { runSteps } from './prepare.js';
import { localPortOf, strangerDetail, untilReady } from './ready.js';
import { baseUrlOf, fill } from './scope.js';
import { redact, secretsOf } from './secrets.js';
import { refuseStranger, refuseTaken } from './taken-ports.js';
import { writeTemplates } from './templates.js';

/**
 * @typedef {import('../spec/index.js').Case} Case
 * @typedef {import('./context.js').Run} Run
 * @typedef {import('./command.js').Running} Running
 * @typedef {{ running: Running, sampled: boolean, ready: string | null, stop: () => Promise<void> }} Service
 */

/**
 * The services of a case, ready. `died` is fulfilled when one ends that should not.
 * @typedef {{ url: string, list: Service[], died: Promise<CaseFailure>, failure: () => CaseFailure | null,
 *   stop: () => Promise<void> }} Services
 */

/**
 * Starts the services of a case in their order, each when those before it are ready.
 * @param {Case} one
 * @param {string} folder where their logs go
 * @param {Run} run
 * @returns {Promise<Services>}
 * @throws {CaseFailure} one cannot be started or does not get ready: then none is left
 */
export async function startServices(one, folder, run) {
  /** @type {Record<string, number>} */
  const ports = {};
  for (const name of portUsers(one)) ports[name] = await run.ports.take();
  const values = run.valuesOf(one, ports);
  /** @type {Service[]} */
  const list = [];
  let stopping = false;
  /** @type {CaseFailure | null} */
  let failure = null;
  const stop = async () => {
    stopping = true;
    for (const service of [...list].reverse()) await service.stop();
  };
  /** @type {(failure: CaseFailure) => void} */
  let tell;
  /** @type {Promise<CaseFailure>} */
  const died = new Promise((fulfil) => (tell = fulfil));
  try {
    for (const written of one.services) {
      const giveUp = () => failure ?? (run.interrupt.asked ? new Interrupted() : null);
      const service = await startService(written, { one, folder, values, run, giveUp, started: (it) => list.push(it) });
      void service.running.exited.then((exit) => {
        if (stopping) return;
        failure ??= new CaseFailure(`service "${written.name}" ${showExit(exit)} while it was needed`, {
          log: service.running.log, detail: strangerDetail(service.running, service.ready ?? ''),
        });
        tell(failure);
      });
    }
    return { url: baseUrlOf(one, values), list, died, failure: () => failure, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * @param {Case['services'][number]} written
 * @param {{ one: Case, folder: string, values: import('./scope.js').Values, run: Run, giveUp: () => Error | null,
 *   started: (service: Service) => void }} place giveUp: why not to go on; started: told as soon as there is a process,
 *   ready or not
 * @returns {Promise<Service>} ready
 */
async function startService(written, { one, folder, values, run, giveUp, started }) {
  const { name, cpus, sampled } = written;
  const { [name]: port = null } = values.ports;
  // Who asks for a port will listen on it.
  const ready = written.ready ?? (port === null ? null : `tcp://127.0.0.1:${port}`);
  const filled = fill({ ...written, ready }, values, name);
  const place = { cwd: resolve(values.specDir, filled.cwd), env: { ...run.env, ...filled.env } };
  writeTemplates(written, one, values);
  const setup = { name: `the setup of service "${name}"`, file: join(folder, `${name}.setup.log`), ...place };
  await runSteps(filled.setup, setup, one, run);
  const readyPort = localPortOf(filled.ready ?? '');
  await refuseTaken(name, [port, readyPort], { given: Object.values(values.ports), run });

  const secrets = secretsOf(one, run.env);
  const log = openLog(join(folder, `${name}.log`), { secrets });
  const title = `service "${name}"`;
  const running = await startCommand({ name, title, argv: filled.command, cpus, log, ...place }, run);
  const service = { running, sampled, ready: filled.ready, stop: () => stopService(running, written, run) };
  started(service);
  await untilReady({
    ready: filled.ready, shown: redact(filled.ready ?? '', secrets), timeout_s: parseDuration(written.ready_timeout),
    service: running, giveUp,
  });
  if (port && port === readyPort) refuseStranger(running, port);
  return service;
}

/**
 * @param {Running} running
 * @param {Case['services'][number]} written
 * @param {Run} run
 */
async function stopService(running, { name, stop_signal, stop_timeout }, run) {
  const seconds = parseDuration(stop_timeout);
  await endCommand(running, /** @type {NodeJS.Signals} */ (stop_signal), seconds * 1000, () => {
    run.progress.note(`service "${name}" did not end within ${showDuration(seconds)} of ${stop_signal}: killed`);
  });
  running.log.close();
}
