import { setTimeout as sleep } from 'node:timers/promises';
import { type Cgroup, cgroupOf, isOfContainer } from '../../../base/process/cgroup.js';
import { type Running, startCommand } from '../../../base/process/command.js';
import { CaseFailure } from '../../../base/process/failure.js';
import type { Log } from '../../../base/process/log.js';
import { readOrNull } from '../../../base/process/processes.js';
import { exec } from '../../../base/tools/exec.js';
import type { Run } from '../../run-context.js';
import type { Host } from '../host.js';
import { askEngine, callEnv, engineOf } from './engine.js';

/**
 * A container that runs: the process of its engine's client, which has its output and ends as it ends, and what is to be
 * known of it. image: its name, its id, and whether it was built of a checkout; mounts: what it sees of this machine; pid: of
 * its first process, on this machine; cgroup: where what it uses is counted; port: its own, inside.
 */
export type RunningContainer = Running & {
  container: {
    id: string;
    image: Image & { id: string };
    mounts: string[];
    pid: number;
    port: number | null;
    cgroup: Cgroup | null;
    health: () => Promise<Health | null>;
  };
};

type Image = { image: string; built: boolean };

/** A container that does not run yet; port: its own, inside */
export type Made = { id: string; port: number | null; image: Image };

/** What a container says of its health; last: what its check printed last */
type Health = { status: string; last: string };

/** Milliseconds in which the engine's client ends after the container it shows. */
const afterKill_ms = 5000;

/** How often a health check looks that somebody waits for. */
export const healthInterval = '2s';

/** Milliseconds in which an engine starts a container. */
const longestStart_ms = 60_000;

/** Milliseconds in which an engine says that a container has ended. */
const longestEnd_ms = 10_000;

/** What an engine says of a container whose command was never started. */
const neverRan = new Set(['created', 'configured', 'initialized']);

/** Milliseconds between two looks whether a container has begun. */
const look_ms = 20;

/**
 * Starts a container, or starts it again.
 * @throws {CaseFailure} the engine's client cannot be started, or the engine does not start it
 */
export async function startContainer(
  { id, port, image }: Made,
  { name, title, log }: { name: string; title: string; log: Log },
  run: Run,
): Promise<RunningContainer> {
  const { program } = engineOf(run);
  const argv = [program, 'start', '--attach', id];
  const running = await startCommand({ name, title, argv, cwd: '/', env: run.env, log }, run);
  const deadline = performance.now() + longestStart_ms;
  let [pid, imageId] = [0, ''];
  while (pid === 0 && !running.exit) {
    const answer = await inspect(id, '{{if .State.Running}}{{.State.Pid}}{{else}}0{{end}} {{.Image}}', run);
    [pid, imageId] = [Number(answer.split(' ')[0]) || 0, answer.split(' ')[1] ?? ''];
    if (pid === 0) await Promise.race([sleep(look_ms), running.exited]);
    if (performance.now() > deadline) {
      running.killAll();
      throw new CaseFailure(`${title}: its container had not begun after ${longestStart_ms / 1000} s`, { log });
    }
  }
  const [status, ...why] = pid === 0 ? (await inspect(id, '{{.State.Status}} {{.State.Error}}', run)).split(' ') : [];
  if (neverRan.has(status)) {
    running.killAll();
    throw new CaseFailure(`${title}: its container cannot be started${why.length > 0 ? `: ${why.join(' ')}` : ''}`, {
      log,
    });
  }
  const cgroup = pid === 0 ? null : cgroupOf(pid);
  const isSeen = cgroup !== null && isOfContainer(cgroup, id);
  // One that has ended already has none any more, and the engine may take a moment to say that it has.
  if (!isSeen) await Promise.race([sleep(longestEnd_ms, null, { ref: false }), running.exited]);
  if (!isSeen && !running.exit && (await inspect(id, '{{.State.Running}}', run)) === 'true') {
    running.killAll();
    throw new CaseFailure(`${title}: what its container uses cannot be seen from here`, {
      hint: 'Its engine must run on this machine, not on another or in a virtual one (DOCKER_HOST, docker context ls).',
    });
  }
  const binds = '{{range .Mounts}}{{if eq .Type "bind"}}{{.Source}}\n{{end}}{{end}}';
  const mounts = (await inspect(id, binds, run)).split('\n').filter(Boolean);
  return Object.assign(running, {
    container: {
      id,
      image: { ...image, id: imageId },
      mounts,
      pid,
      port,
      cgroup: isSeen ? cgroup : null,
      health: () => healthOf(id, run),
    },
  });
}

/** @returns '' where there is none */
const inspect = (id: string, format: string, run: Run): Promise<string> =>
  exec(engineOf(run).program, ['inspect', '--format', format, id], { env: callEnv(run), detached: true }).then(
    (answer) => String(answer).trim(),
    () => '',
  );

/** @returns null: its image has no health check */
async function healthOf(id: string, run: Run): Promise<Health | null> {
  const text = await inspect(id, '{{if .State.Health}}{{json .State.Health}}{{end}}', run);
  if (text === '') return null;
  const { Status, Log } = JSON.parse(text);
  if (!Status || Status === 'none') return null; // Podman has an empty one
  return { status: String(Status).toLowerCase(), last: String(Log?.at(-1)?.Output ?? '').trim() };
}

/** Addresses as /proc/net/tcp writes them (little-endian), by their ends: 127.0.0.1, ::1, and Docker's name server, 127.0.0.11. */
const ofLoopback = /^(0100007F|0{24}01000000|0{16}FFFF00000100007F)$/;
const nameServer = '0B00007F';

/**
 * The TCP ports on which processes listen inside a container: a port of this machine that leads there takes connections
 * before anybody does.
 * @returns reached: by others; loopback: only from inside
 */
export function listeningIn({ pid }: Pick<RunningContainer['container'], 'pid'>): {
  reached: number[];
  loopback: number[];
} {
  const lines = ['tcp', 'tcp6'].flatMap((table) =>
    (readOrNull(`/proc/${pid}/net/${table}`) ?? '').split('\n').slice(1),
  );
  const sockets = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => state === '0A') // TCP_LISTEN
    .map(([, binding]) => binding.split(':'))
    .filter(([address]) => address !== nameServer);
  const portsOf = (chosen: string[][]) =>
    [...new Set(chosen.map(([, port]) => parseInt(port, 16)))].sort((a, b) => a - b);
  return {
    reached: portsOf(sockets.filter(([address]) => !ofLoopback.test(address))),
    loopback: portsOf(sockets.filter(([address]) => ofLoopback.test(address))),
  };
}

/** A service's container: its engine starts and ends it, for another user's processes are not ours to signal. */
export function containerHost(made: Made, service: { name: string; title: string }, run: Run): Host {
  const { id } = made;
  const ask = (words: string[]) =>
    askEngine([...words, id], `${service.title}: its container cannot be asked to ${words[0]}`, run);
  const kill = async (running: Running) => {
    await ask(['kill']).catch(() => {}); // it has ended already
    await Promise.race([running.exited, sleep(afterKill_ms)]);
    running.killAll();
    await running.exited;
  };
  return {
    start: (log) => startContainer(made, { ...service, log }, run),
    async end(running, { signal, timeout_ms, late }) {
      const stopSignal = signal ?? ((await inspect(id, '{{.Config.StopSignal}}', run)) || 'SIGTERM');
      await ask(['kill', `--signal=${stopSignal}`]).catch(() => {}); // it has ended already
      const timer = new AbortController();
      await Promise.race([running.exited, sleep(timeout_ms, null, { signal: timer.signal }).catch(() => null)]);
      timer.abort();
      if (!running.exit) late();
      await kill(running);
    },
    kill,
    async pause() {
      await ask(['pause']);
      return async () => void (await ask(['unpause']));
    },
  };
}
