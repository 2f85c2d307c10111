import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../../base/io/files.js';
import { endCommand, type Running, startCommand } from '../../../base/process/command.js';
import { CaseFailure, Interrupted } from '../../../base/process/failure.js';
import { openLog } from '../../../base/process/log.js';
import { findProgram } from '../../../base/tools/find-tool.js';
import type { Case } from '../../../suite/cases/expand.js';
import { fill, type RunnerValues } from '../../../suite/run-placeholders.js';
import type { Run } from '../../run-context.js';
import { untilReady } from '../ready.js';
import { secretsOf } from '../secrets.js';
import type { Services } from '../services.js';
import type { QueryProblem } from './api.js';
import { unreadTargets } from './scrape-targets.js';
import type { PrometheusTarget } from './settings.js';
import { storageOf } from './storage.js';

type Private = { target: PrometheusTarget; close: () => Promise<void> };

/** Seconds that it has to get ready, on a busy machine. */
const readyTimeout = 30;

/** Seconds until it has read everything once: what to read it takes up 5 s after its start (scrape/manager.go). */
const firstRead = 10;

/**
 * Starts a Prometheus of a case's own: on the loopback interface, with an empty storage that goes when it ends. It
 * reads the services' metrics and takes what k6 sends.
 * @param given folder: where its log goes; cores: those of k6
 * @returns that it cannot be started fails no case
 * @throws {Interrupted}
 */
export async function startPrivate(
  benchCase: Case,
  {
    folder,
    services,
    interval_s,
    cores,
  }: { folder: string; services: Services; interval_s: number; cores: string | null },
  run: Run,
): Promise<Private | { problem: QueryProblem }> {
  const program = findProgram('prometheus', run.env);
  if (!program) return { problem: { id: 'missing', text: 'there is no program `prometheus` on PATH' } };
  const port = await run.ports.take();
  const storage = makeFolder(storageOf(services.values.runDir, port));
  const config = join(storage, 'prometheus.yml');
  writeFileSync(config, JSON.stringify(configOf(benchCase, services.values, interval_s))); // JSON is YAML
  chmodSync(config, 0o600); // an address may hold a secret
  const log = openLog(join(folder, 'prometheus.log'), { secrets: secretsOf(benchCase, run.env), bounded: true });
  const url = `http://127.0.0.1:${port}`;
  let running: Running | undefined;
  const close = async () => {
    if (running) await endCommand(running, 'SIGTERM', 5000);
    log.close();
    rmSync(storage, { recursive: true, force: true });
  };
  try {
    running = await startCommand(
      {
        name: 'prometheus',
        cwd: storage,
        cpus: cores,
        log,
        env: { ...run.env, GOMAXPROCS: '1' }, // it may disturb the measured ones on one core only
        argv: [
          program,
          `--config.file=${config}`,
          `--storage.tsdb.path=${join(storage, 'data')}`,
          `--web.listen-address=127.0.0.1:${port}`,
          '--web.enable-remote-write-receiver',
          '--enable-feature=native-histograms',
          '--log.level=warn',
        ],
      },
      run,
    );
    await untilReady({
      ready: `${url}/-/ready`,
      timeout_s: readyTimeout,
      service: running,
      giveUp: () => (run.interrupt.asked ? new Interrupted() : null),
    });
    rmSync(config); // it has been read
    const target = { url, headers: {} };
    const read = benchCase.services.filter(({ metrics }) => metrics).length;
    if (benchCase.window.from_s < firstRead) await untilRead(target, read, run);
    return { target, close };
  } catch (error) {
    const last = log.tail(1);
    await close();
    if (!(error instanceof CaseFailure)) throw error;
    const text = `a private Prometheus could not be started: ${last || error.message}`;
    return { problem: { id: 'unreachable', text } };
  }
}

/**
 * Waits until all services' metrics have been read once, or cannot be.
 * @param all how many there are
 */
async function untilRead(target: PrometheusTarget, all: number, run: Run) {
  for (const end = performance.now() + firstRead * 1000; performance.now() < end; await sleep(100)) {
    if (run.interrupt.asked) throw new Interrupted();
    if ((await unreadTargets(target, all)) === 0) return;
  }
}

/** @returns prometheus.yml */
function configOf(benchCase: Case, values: RunnerValues, interval_s: number): object {
  const interval = `${Math.round(interval_s * 1000)}ms`;
  const { system, environment, name } = benchCase;
  const jobs = benchCase.services
    .filter(({ metrics }) => metrics)
    .map((service) => {
      const url = new URL(String(fill(service.metrics, values, service.name)));
      const user = url.username && {
        basic_auth: {
          username: decodeURIComponent(url.username),
          password: decodeURIComponent(url.password),
        },
      };
      return {
        job_name: service.name,
        scheme: url.protocol.slice(0, -1),
        metrics_path: url.pathname,
        params: Object.fromEntries([...url.searchParams.keys()].map((key) => [key, url.searchParams.getAll(key)])),
        tls_config: { insecure_skip_verify: true }, // as with `ready`: the certificate may be of its own making
        ...user,
        static_configs: [{ targets: [url.host], labels: { service: service.name, system, environment, case: name } }],
      };
    });
  return { global: { scrape_interval: interval, scrape_timeout: interval }, scrape_configs: jobs };
}
