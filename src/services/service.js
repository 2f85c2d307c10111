import { join, resolve } from 'node:path';
import { fill } from '../placeholders.js';
import { endCommand, startCommand } from '../process/command.js';
import { openLog } from '../process/log.js';
import { redact } from '../process/redact.js';
import { parseDuration, showDuration } from '../spec/index.js';
import { runSteps } from './build.js';
import { localPortOf, untilReady } from './ready.js';
import { secretsOf } from './secrets.js';
import { refuseTaken, refuseUnknownListener } from './taken-ports.js';
import { writeTemplates } from './templates.js';

/**
 * @typedef {import('../spec/index.js').Case} Case
 * @typedef {import('../run-context.js').Run} Run
 * @typedef {import('../process/command.js').Running} Running
 */

/**
 * A service of a case.
 *
 * - running: its process; another one after a fault
 * - wanted: its end would be a failure; false while a fault has it down, until it is ready again
 * - down: ends it and all that it started, for a while: told to stop, or killed
 * - again: starts it as before, on its port and without its `setup`; `ready` waits until it is (after a pause, too)
 * @typedef {{ name: string, title: string, sampled: boolean, probe: string | null, running: Running, wanted: boolean,
 *   down: (action: 'stop' | 'kill') => Promise<void>, again: () => Promise<void>,
 *   ready: (giveUp: () => Error | null) => Promise<void>, stop: () => Promise<void> }} RunningService
 */

/**
 * Starts a service.
 * @param {Case['services'][number]} written
 * @param {{ benchCase: Case, folder: string, values: import('../placeholders.js').RunnerValues, run: Run, giveUp: () => Error | null,
 *   started: (service: RunningService) => void }} place giveUp: why not to go on; started: told as soon as there is a process,
 *   ready or not
 * @returns {Promise<RunningService>} ready
 * @throws {import('../process/failure.js').CaseFailure} it cannot be started, or does not get ready
 */
export async function startService(written, { benchCase, folder, values, run, giveUp, started }) {
  const { name, cpus, sampled } = written;
  const { [name]: port = null } = values.ports;
  // Who asks for a port will listen on it.
  const probe = written.ready ?? (port === null ? null : `tcp://127.0.0.1:${port}`);
  const filled = fill({ ...written, ready: probe }, values, name);
  const place = { cwd: resolve(values.specDir, filled.cwd), env: { ...run.env, ...filled.env } };
  writeTemplates(written, benchCase, values);
  const setup = { name: `the setup of service "${name}"`, file: join(folder, `${name}.setup.log`), ...place };
  await runSteps(filled.setup, setup, benchCase, run);

  const title = `service "${name}"`;
  const secrets = secretsOf(benchCase, run.env);
  const readyPort = localPortOf(filled.ready ?? '');
  const launch = async () => {
    await refuseTaken(name, [port, readyPort], { given: Object.values(values.ports), run });
    const log = openLog(join(folder, `${name}.log`), { secrets });
    return startCommand({ name, title, argv: filled.command, cpus, log, ...place }, run);
  };
  let isDown = false;
  /** @type {RunningService} */
  const service = {
    name,
    title,
    sampled,
    probe: filled.ready,
    running: await launch(),
    wanted: true,
    async down(action) {
      service.wanted = false;
      await (action === 'kill' ? killService(service.running) : stopService(service.running, written, run));
      isDown = true;
    },
    async again() {
      service.running = await launch();
      isDown = false;
    },
    async ready(because) {
      await untilReady({
        ready: filled.ready,
        shown: redact(filled.ready ?? '', secrets),
        timeout_s: parseDuration(written.ready_timeout),
        service: service.running,
        giveUp: because,
      });
      if (port && port === readyPort) refuseUnknownListener(service.running, port);
      service.wanted = true;
    },
    async stop() {
      if (!isDown) await stopService(service.running, written, run);
    },
  };
  started(service);
  await service.ready(giveUp);
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

/** @param {Running} running */
async function killService(running) {
  running.killAll();
  await running.exited;
  running.log.close();
}
