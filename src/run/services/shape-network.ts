import { endCommand, type Running, startCommand } from '../../base/process/command.js';
import { CaseFailure } from '../../base/process/failure.js';
import { openLog } from '../../base/process/log.js';
import type { Run } from '../run-context.js';
import { untilReady } from './ready.js';

type ShapedNetwork = { bandwidth_bytes_per_second: number | null; latency_ms: number; jitter_ms: number };

/** url: the system's, through the slower network */
export type Shaper = {
  title: string;
  url: string;
  running: Running;
  wanted: boolean;
  probe: string;
  stop: () => Promise<void>;
};

const title = 'the network (Toxiproxy)';

/** Seconds that Toxiproxy has to get ready and, at its end, to end. */
const patience = { start_s: 10, stop_ms: 2000 };

/**
 * Puts a slower network between k6 and a system: a Toxiproxy of our own, on ports that were given out. The system's
 * answers come later and no faster than the network lets it, each connection by itself.
 * @param url http://…
 * @param given log: a file
 * @throws {CaseFailure} it cannot be started, or refuses
 */
export async function shapeNetwork(
  url: string,
  network: ShapedNetwork,
  { log: file, run }: { log: string; run: Run },
): Promise<Shaper> {
  const [control, entry] = [await run.ports.take(), await run.ports.take()];
  const api = `http://127.0.0.1:${control}`;
  const log = openLog(file, { bounded: true });
  const running = await startCommand(
    {
      name: 'toxiproxy',
      title,
      argv: [toolOf(run), '-host', '127.0.0.1', '-port', String(control)],
      cwd: run.folder,
      log,
      env: { ...run.env, LOG_LEVEL: 'warn' }, // it would log each connection
    },
    run,
  );
  const stop = async () => {
    await endCommand(running, 'SIGTERM', patience.stop_ms);
    log.close();
  };
  try {
    await untilReady({ ready: `${api}/version`, timeout_s: patience.start_s, title, service: running });
    const { hostname, port } = new URL(url);
    await post(`${api}/proxies`, {
      name: 'system',
      listen: `127.0.0.1:${entry}`,
      upstream: `${hostname}:${port || 80}`,
      enabled: true,
    });
    for (const toxic of toxicsOf(network)) await post(`${api}/proxies/system/toxics`, toxic);
  } catch (error) {
    await stop();
    throw error instanceof CaseFailure
      ? error
      : new CaseFailure(`${title}: ${messageOf(error)}`, { log, cause: error });
  }
  return { title, url: throughPort(url, entry), running, wanted: true, probe: api, stop };
}

function toolOf({ toxiproxy }: Run) {
  if (toxiproxy === null) throw new TypeError('a run with a network was opened without Toxiproxy');
  return toxiproxy;
}

/** Toxiproxy reckons in kilobytes of 1000 bytes a second, and in whole milliseconds. */
function toxicsOf({ bandwidth_bytes_per_second: bandwidth, latency_ms, jitter_ms }: ShapedNetwork) {
  const downstream = { stream: 'downstream', toxicity: 1 };
  const toxics: { type: string; attributes: Record<string, number> }[] = [];
  if (latency_ms > 0 || jitter_ms > 0) {
    toxics.push({ type: 'latency', attributes: { latency: Math.round(latency_ms), jitter: Math.round(jitter_ms) } });
  }
  if (bandwidth !== null) {
    toxics.push({ type: 'bandwidth', attributes: { rate: Math.max(1, Math.round(bandwidth / 1000)) } });
  }
  return toxics.map((toxic) => ({ ...toxic, ...downstream, name: toxic.type }));
}

async function post(url: string, body: unknown) {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(5000) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${new URL(url).pathname} answers ${response.status}: ${text.trim()}`);
}

/** @param error `fetch` hides what happened in the cause */
const messageOf = (error: unknown) => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
};

/** The same address at a port of this machine. What stands before the host (name:password@) and after it stays. */
export const throughPort = (url: string, port: number) =>
  url.replace(/^(http:\/\/(?:[^/?#]*@)?)[^/?#]*/, (_, start) => `${start}127.0.0.1:${port}`);
