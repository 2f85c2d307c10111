import { join } from 'node:path';
import { baseUrlOf } from '../placeholders.js';
import { showExit } from '../process/command.js';
import { CaseFailure, Interrupted } from '../process/failure.js';
import { portUsers } from '../spec/index.js';
import { shapeNetwork } from './network.js';
import { listenerDetail } from './ready.js';
import { startService } from './service.js';
import { refuseUnknownListeners } from './unknown-listeners.js';

/**
 * @typedef {import('../spec/index.js').Case} Case
 * @typedef {import('./service.js').RunningService} RunningService
 */

/**
 * The services of a case, ready.
 * - url: where requests go: the system, or the slower network before it
 * - values: what placeholders stand for, ports given out
 * - died: fulfilled when one ends that should not; watch: looks out for the end of a further process
 * @typedef {{ url: string, list: RunningService[], values: import('../placeholders.js').RunnerValues, died: Promise<CaseFailure>,
 *   failure: () => CaseFailure | null, watch: (service: Watched) => void, stop: () => Promise<void> }} Services
 * @typedef {Pick<RunningService, 'title' | 'running' | 'wanted' | 'probe'>} Watched
 */

/**
 * Starts the services of a case in their order, each when those before it are ready.
 * @param {Case} benchCase
 * @param {string} folder where their logs go
 * @param {import('../run-context.js').Run} run
 * @returns {Promise<Services>}
 * @throws {CaseFailure} one cannot be started or does not get ready, or somebody else is at an address that is loaded: then
 *   none is left
 */
export async function startServices(benchCase, folder, run) {
  /** @type {Record<string, number>} */
  const ports = {};
  for (const name of portUsers(benchCase)) ports[name] = await run.ports.take();
  const values = run.valuesOf(benchCase, ports);
  /** @type {RunningService[]} */
  const list = [];
  /** @type {import('./network.js').Shaper | null} */
  let network = null;
  let stopping = false;
  /** @type {CaseFailure | null} */
  let failure = null;
  const stop = async () => {
    stopping = true;
    await network?.stop();
    for (const service of [...list].reverse()) await service.stop();
  };
  /** @type {(failure: CaseFailure) => void} */
  let report;
  /** @type {Promise<CaseFailure>} */
  const died = new Promise((fulfil) => (report = fulfil));
  const watch = (/** @type {Watched} */ service) => {
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
    for (const written of benchCase.services) {
      const giveUp = () => failure ?? (run.interrupt.asked ? new Interrupted() : null);
      watch(await startService(written, { benchCase, folder, values, run, giveUp, started: (it) => list.push(it) }));
    }
    const url = baseUrlOf(benchCase, values);
    refuseUnknownListeners([url, ...benchCase.hosts], benchCase.external, list);
    if (benchCase.network) {
      network = await shapeNetwork(url, benchCase.network, { log: join(folder, 'network.log'), run });
      watch(network);
    }
    return { url: network?.url ?? url, list, values, died, failure: () => failure, watch, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
