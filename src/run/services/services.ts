import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../base/io/files.js';
import { showExit } from '../../base/process/command.js';
import { CaseFailure, Interrupted } from '../../base/process/failure.js';
import { portUsers } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';
import { baseUrlOf, fill, type RunnerValues } from '../../suite/run-placeholders.js';
import type { Run } from '../run-context.js';
import { type Containers, openContainers } from './containers/open-containers.js';
import { listenerDetail } from './ready.js';
import { runAfterReady } from './run-after-ready.js';
import { type Part, seededFor, wholeStart } from './seeded.js';
import { helperService, type RunningService, startService } from './service.js';
import { type Shaper, shapeNetwork } from './shape-network.js';
import { refuseUnknownListeners } from './unknown-listeners.js';

/** A process that ends may hold its port a moment longer than its files: then no process seems to own it. */
const ending_ms = 300;

/**
 * The services of a case, ready.
 * - url: where requests go: the system, or the slower network before it; hosts: where else they may go; ready: values
 *   that steps between ready and load captured
 * - check: refuses an address that somebody else answers at by now; where a service has ended, that is the failure
 * - values: those of placeholders, with the ports given out
 * - died: fulfilled when one ends that should not; watch: looks out for the end of a further process
 * - stop: ends all; ended: called before their containers are removed
 */
export type Services = {
  url: string;
  hosts: string[];
  ready: Record<string, unknown>;
  check: () => Promise<void>;
  list: RunningService[];
  values: RunnerValues;
  died: Promise<CaseFailure>;
  failure: () => CaseFailure | null;
  watch: (service: Watched) => void;
  stop: (ended?: () => Promise<void>) => Promise<void>;
};

type Watched = Pick<RunningService, 'title' | 'running' | 'wanted' | 'probe'>;

/**
 * Starts the services of a case in their order, each when those before it are ready, and does the steps that follow. Folders
 * that starts share are filled by a start of their own, the first time.
 * @param folder where their logs go
 * @throws {CaseFailure} one cannot be started or does not get ready, or somebody else is at an address that is loaded: then
 *   none is left
 */
export async function startServices(benchCase: Case, folder: string, run: Run): Promise<Services> {
  if (benchCase.reuse.length === 0) return begin(benchCase, folder, wholeStart, run);
  const seeding = (part: Part) => begin(benchCase, makeFolder(join(folder, 'seeding')), part, run);
  return begin(benchCase, folder, await seededFor(benchCase, seeding, run), run);
}

async function begin(benchCase: Case, folder: string, part: Part, run: Run): Promise<Services> {
  const ports: Record<string, number> = {};
  for (const user of portUsers(benchCase)) {
    const [first, ...others] = benchCase.services.find(({ name }) => name === user)?.ports ?? [];
    ports[user] = await run.ports.take();
    if (first !== undefined) ports[`${user}.${first}`] = ports[user];
    for (const other of others) ports[`${user}.${other}`] = await run.ports.take();
  }
  const values = run.valuesOf(benchCase, ports);
  const list: RunningService[] = [];
  let network: Shaper | null = null;
  let containers: Containers | null = null;
  let stopping = false;
  let failure: CaseFailure | null = null;
  const stop = async (ended = async () => {}) => {
    stopping = true;
    try {
      await network?.stop();
      for (const service of [...list].reverse()) await service.stop();
      await ended();
    } finally {
      containers?.close();
    }
  };
  let report: (failure: CaseFailure) => void;
  const died: Promise<CaseFailure> = new Promise((fulfil) => (report = fulfil));
  const watch = (service: Watched) => {
    const { title, running, probe } = service;
    void running.exited.then((exit) => {
      if (stopping || !service.wanted) return;
      failure ??= new CaseFailure(`${title} ${showExit(exit)} while it was needed`, {
        log: running.log,
        detail: listenerDetail(running, probe ?? ''),
      });
      report(failure);
    });
  };
  try {
    const giveUp = () => failure ?? (run.interrupt.asked ? new Interrupted() : null);
    containers = await openContainers(benchCase, { folder, values, giveUp }, run);
    await part.seeded?.fillFolders();
    const context = { benchCase, folder, values, run, giveUp, containers, part };
    for (const written of benchCase.services) {
      watch(await startService(written, { ...context, started: (it) => list.push(it) }));
    }
    for (const running of containers.helpers()) {
      const helper = helperService(running);
      list.push(helper);
      watch(helper);
    }
    const url = baseUrlOf(benchCase, values);
    const hosts = fill(benchCase.hosts, values, portUsers(benchCase)[0]);
    const refuse = () => refuseUnknownListeners([url, ...hosts], benchCase.external, list);
    const check = async () => {
      try {
        refuse();
      } catch {
        await sleep(ending_ms);
        if (!failure) refuse();
      }
    };
    await check();
    const ready = await runAfterReady(benchCase, { folder, values, giveUp, part, url, hosts, services: list }, run);
    if (benchCase.network) {
      network = await shapeNetwork(url, benchCase.network, { log: join(folder, 'network.log'), run });
      watch(network);
    }
    return { url: network?.url ?? url, hosts, ready, check, list, values, died, failure: () => failure, watch, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
