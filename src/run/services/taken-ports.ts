import type { Running } from '../../base/process/command.js';
import { CaseFailure } from '../../base/process/failure.js';
import { type PortOwner, portOwner, unknownListenerOn } from '../../base/process/port-owner.js';
import { isFree } from '../../base/process/ports.js';
import type { Run } from '../run-context.js';

/**
 * Refuses to start a service on a port that somebody has: whoever it is would be measured in its place.
 * @param ports ready: the one that it is to be ready on, which the spec may have fixed
 * @param ours given: the ports of all services of this case
 * @throws {CaseFailure}
 */
export async function refuseTaken(
  name: string,
  { own, ready }: { own: number[]; ready: number | null },
  { given, run }: { given: number[]; run: Run },
) {
  for (const port of new Set(ready === null ? own : [...own, ready])) {
    const another = given.includes(port) && !own.includes(port); // it may say that it is ready through one that is up
    if (another || (await isFree(port))) continue;
    const owner = portOwner(port);
    if (owner && run.guard.owns(owner.pid)) continue;
    throw new CaseFailure(takenText(name, port, owner), { hint: 'End it, or let the service listen on ${port}.' });
  }
}

/**
 * Refuses a service that seems ready because somebody else took its port in the moment before it could. Only one who was
 * there before is surely not it: a container's port, say, is held by a process that is not the service's child.
 * @param port that was given to it
 * @throws {CaseFailure}
 */
export function refuseUnknownListener(running: Running, port: number) {
  const listener = unknownListenerOn(port, running);
  if (!listener || listener.start >= running.start) return;
  throw new CaseFailure(takenText(running.name, port, listener), { log: running.log });
}

function takenText(name: string, port: number, owner: PortOwner | null) {
  const who = owner ? `process ${owner.pid} (${owner.command})` : 'another process';
  return `port ${port}, meant for service "${name}", is taken by ${who}`;
}
