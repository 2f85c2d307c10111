import { join, resolve } from 'node:path';
import type { Running } from '../../base/process/command.js';
import { openLog } from '../../base/process/log.js';
import { redact } from '../../base/process/redact.js';
import { parseDuration, showDuration } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';
import { fill, type RunnerValues } from '../../suite/run-placeholders.js';
import type { Run } from '../run-context.js';
import { runSteps } from './build-services.js';
import type { Containers, GivenPort } from './containers/open-containers.js';
import { containerHost, type RunningContainer } from './containers/start-container.js';
import { processHost } from './host.js';
import { localPortOf, untilReady } from './ready.js';
import { secretsOf } from './secrets.js';
import type { Part } from './seeded.js';
import { refuseTaken, refuseUnknownListener } from './taken-ports.js';
import { writeTemplates } from './templates.js';

/**
 * A service of a case.
 *
 * - running: its process; another one after a fault
 * - wanted: its end would be a failure; false while a fault has it down, until it is ready again
 * - down: ends it and all that it started, for a while: by a signal to stop, or killed
 * - again: starts it as before, on its port and without its `setup`; `ready` waits until it is (after a pause, too)
 * - killed: it did not end when it was asked to, and was killed
 * - published: the ports of this machine that lead into its container; none: it is a process, or asks for none
 * - pause: has it stand still, and gives what lets it go on
 */
export type RunningService = {
  name: string;
  title: string;
  sampled: boolean;
  probe: string | null;
  published: number[];
  killed: boolean;
  running: Running | RunningContainer;
  wanted: boolean;
  down: (action: 'stop' | 'kill') => Promise<void>;
  again: () => Promise<void>;
  ready: (giveUp: () => Error | null) => Promise<void>;
  pause: () => Promise<() => Promise<void>>;
  stop: () => Promise<void>;
};

/**
 * The ports that were given to a service.
 * @returns the first is the one without a name; none: it asks for none
 */
function portsOf({ name, ports, container }: Case['services'][number], given: Record<string, number>): GivenPort[] {
  if (given[name] === undefined) return [];
  if (!ports) return [{ here: given[name], inside: container?.port ?? null }];
  return ports.map((port) => ({ here: given[`${name}.${port}`], inside: container?.ports?.[port] ?? null }));
}

/**
 * Starts a service.
 * @param place giveUp: why not to go on; part: whether its setup is done; started: called as soon as there is a process,
 *   ready or not
 * @returns ready
 * @throws {CaseFailure} it cannot be started, or does not get ready
 */
export async function startService(
  written: Case['services'][number],
  {
    benchCase,
    folder,
    values,
    run,
    giveUp,
    containers,
    part,
    started,
  }: {
    benchCase: Case;
    folder: string;
    values: RunnerValues;
    run: Run;
    giveUp: () => Error | null;
    containers: Containers;
    part: Part;
    started: (service: RunningService) => void;
  },
): Promise<RunningService> {
  const { name, cpus, sampled } = written;
  const { [name]: port = null } = values.ports;
  const own = portsOf(written, values.ports);
  // Who asks for a port will listen on it.
  const probe = written.ready ?? (port === null || written.container ? null : `tcp://127.0.0.1:${port}`);
  const filled = fill({ ...written, ready: probe }, values, name);
  const spawnOptions = { cwd: resolve(values.specDir, filled.cwd), env: { ...run.env, ...filled.env } };
  writeTemplates(written, benchCase, values);
  const setup = { name: `the setup of service "${name}"`, file: join(folder, `${name}.setup.log`), ...spawnOptions };
  if (part.setup) await runSteps(filled.setup, setup, benchCase, run);

  const title = `service "${name}"`;
  const secrets = secretsOf(benchCase, run.env);
  const readyPort = localPortOf(filled.ready ?? '');
  const { container } = filled;
  const made = container && (await containers.create(filled, { ports: own }));
  if (made) await part.seeded?.fill(name, made.id);
  const host = made
    ? containerHost(made, { name, title }, run)
    : processHost({ name, title, argv: filled.command, cpus, ...spawnOptions }, run);
  const launch = async () => {
    await refuseTaken(
      name,
      { own: own.map(({ here }) => here), ready: readyPort },
      { given: Object.values(values.ports), run },
    );
    return host.start(openLog(join(folder, `${name}.log`), { secrets }));
  };
  const stopping = parseDuration(written.stop_timeout);
  const end = () =>
    host.end(service.running, {
      signal: written.stop_signal as NodeJS.Signals | null,
      timeout_ms: stopping * 1000,
      late() {
        service.killed = true;
        const limit = `${showDuration(stopping)} of ${written.stop_signal ?? 'the signal to stop'}`;
        run.progress.note(`service "${name}" did not end within ${limit}: killed`);
      },
    });
  let isDown = false;
  const service: RunningService = {
    name,
    title,
    sampled,
    probe: filled.ready,
    published: container ? own.map(({ here }) => here) : [],
    killed: false,
    running: await launch(),
    wanted: true,
    async down(action) {
      service.wanted = false;
      await (action === 'kill' ? host.kill(service.running) : end());
      service.running.log.close();
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
      if (!container && own.some(({ here }) => here === readyPort))
        refuseUnknownListener(service.running, Number(readyPort));
      service.wanted = true;
    },
    pause: () => host.pause(service.running),
    async stop() {
      if (isDown) return;
      await end();
      service.running.log.close();
    },
  };
  started(service);
  await service.ready(giveUp);
  return service;
}

/**
 * A container that runs because a service of a compose file depends on it: it is sampled and watched like one, and goes with
 * all containers of its start.
 */
export function helperService(running: RunningContainer): RunningService {
  const never = () => Promise.reject(new Error(`${running.name} is not named in the spec: nothing is done to it`));
  const { name } = running;
  return {
    name,
    title: `service "${name}"`,
    sampled: true,
    probe: null,
    published: [],
    killed: false,
    running,
    // Some only prepare something, and end well.
    get wanted() {
      return running.exit?.code !== 0;
    },
    down: never,
    again: never,
    ready: never,
    pause: never,
    stop: async () => running.log.close(),
  };
}
