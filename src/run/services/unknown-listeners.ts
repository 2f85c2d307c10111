import { CaseFailure } from '../../base/process/failure.js';
import { unknownListenerAt } from '../../base/process/port-owner.js';
import { originOf } from '../../suite/cases/origin.js';
import { localPortOf } from './ready.js';
import type { RunningService } from './service.js';

/**
 * Refuses to load an address of this machine where none of the case's services listens: somebody else would be measured,
 * with the CPU time and memory of services that do nothing.
 * @param addresses that the case loads
 * @param external origins that are declared not to be the services'
 * @param services none: all that is loaded is somebody else's
 * @throws {CaseFailure}
 */
export function refuseUnknownListeners(
  addresses: readonly string[],
  external: readonly string[],
  services: readonly Pick<RunningService, 'running' | 'published'>[],
) {
  if (services.length === 0) return;
  const processes = services.flatMap(({ running }) => running.processes());
  for (const address of addresses) {
    const port = localPortOf(address);
    const origin = originOf(address);
    if (port === null || origin === null || external.includes(origin)) continue;
    // Its engine gave it to the container alone: who listens there is the engine.
    if (services.some(({ published }) => published.includes(port))) continue;
    const listener = unknownListenerAt(new URL(address).hostname, port, processes);
    if (!listener) continue;
    const { owner } = listener;
    const who = owner ? `process ${owner.pid} (${owner.command})` : 'a process of another user';
    throw new CaseFailure(`${origin} is not served by a service of the environment but by ${who}`, {
      hint: `Let the service listen there, or say that it is meant: external = ["${origin}"] in the environment.`,
    });
  }
}
