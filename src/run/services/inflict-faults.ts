import { setTimeout as sleep } from 'node:timers/promises';
import { CaseFailure, Interrupted } from '../../base/process/failure.js';
import { showDuration } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';
import type { Run } from '../run-context.js';
import type { RunningService } from './service.js';
import type { Services } from './services.js';

/**
 * What a fault did, in epoch milliseconds: null is what did not happen.
 * - began: it was applied; down: the process had ended, or stood still
 * - up: it was started again, or went on; ready: its ready probe answered again
 */
export type FaultRecord = {
  index: number;
  service: string;
  action: string;
  began: number | null;
  down: number | null;
  up: number | null;
  ready: number | null;
};

/** The start of the load becomes known better after the first look: at least this often it is read again, in ms. */
const look_ms = 100;

/**
 * Does to the services what the case asks for, each at its time after the load began.
 * @param given began: the load's start, in epoch milliseconds, once it is known
 * @returns failed: rejected when a service does not come back; end: no further fault, and who is down is started again, or
 *   (again: false) only goes on
 */
export function inflictFaults(
  { faults }: Pick<Case, 'faults'>,
  { services, began }: { services: Services; began: () => number | null },
  run: Pick<Run, 'progress'>,
): { failed: Promise<never>; end: (again: boolean) => Promise<FaultRecord[]> } {
  const over = new AbortController();
  let stillNeeded = true; // whether services that are down are still needed
  const records = faults.map(({ service, action }, index) => ({
    index,
    service,
    action,
    began: null,
    down: null,
    up: null,
    ready: null,
  }));

  /**
   * @param at_s seconds after the load began
   * @returns false: it is over
   */
  const reached = async (at_s: number): Promise<boolean> => {
    while (!over.signal.aborted) {
      const start = began();
      const left = start === null ? look_ms : start + at_s * 1000 - Date.now();
      if (left <= 0) return true;
      await sleep(Math.min(left, look_ms), null, { signal: over.signal }).catch(() => null);
    }
    return false;
  };
  const giveUp = () => (stillNeeded ? services.failure() : new Interrupted());

  const work = async () => {
    for (const [index, { service: name, action, at_s, for_s }] of faults.entries()) {
      const service = services.list.find((it) => it.name === name);
      if (!service || !(await reached(at_s))) return;
      const record: FaultRecord = records[index];
      run.progress.note(
        `${showDuration(at_s)} after the start of the load: ${action} "${name}" for ${showDuration(for_s)}`,
      );
      const back = () => reached(at_s + for_s);
      try {
        await (action === 'pause' ? pause(service, record, back) : takeDown(service, action, record, back));
        if (!stillNeeded) return;
        await service.ready(giveUp);
        await services.check();
        record.ready = Date.now();
        if (action !== 'pause') services.watch(service);
      } catch (error) {
        if (error instanceof CaseFailure) {
          error.message = `after the fault at ${showDuration(at_s)} (${action}): ${error.message}`;
        }
        throw error;
      }
    }
  };

  const takeDown = async (
    service: RunningService,
    action: 'stop' | 'kill',
    record: FaultRecord,
    back: () => Promise<boolean>,
  ) => {
    record.began = Date.now();
    void service.running.exited.then(() => (record.down = Date.now()));
    await service.down(action);
    await back();
    if (!stillNeeded) return;
    record.up = Date.now();
    await service.again();
  };

  const done = work();
  done.catch(() => {}); // `failed` tells
  return {
    failed: new Promise((_, reject) => void done.catch(reject)),
    async end(again) {
      stillNeeded = again;
      over.abort();
      await done.catch((error) => {
        if (again || !(error instanceof CaseFailure || error instanceof Interrupted)) throw error;
      });
      return records;
    },
  };
}

async function pause(service: RunningService, record: FaultRecord, back: () => Promise<boolean>) {
  record.began = Date.now();
  const resume = await service.pause();
  record.down = Date.now();
  try {
    await back();
  } finally {
    await resume();
    record.up = Date.now();
  }
}
