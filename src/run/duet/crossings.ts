import { findConnection, portsOf } from '../../base/process/port-owner.js';
import type { Services } from '../services/services.js';
import type { SideName } from './split.js';

/** When it is looked first, and how often then, in milliseconds: a look takes some 12 ms of CPU time from both sides. */
const first_ms = 500;
const pause_ms = 4000;

/**
 * Looks while both sides are up whether one of them calls the other: a head that lets base do a part of its work would look fast,
 * and base slow. Connections of a container's own network are not seen.
 * @param found called at most once
 * @returns ends it, with a last look: connections that are kept are still there
 */
export function watchCrossings(
  up: readonly { side: SideName; services: Services }[],
  found: (sentence: string) => void,
): () => void {
  if (up.length < 2) return () => {};
  const ports = new Map(up.map(({ side, services }) => [side, portsOfSide(services)]));
  let isFound = false;
  const look = () => {
    const sentence = crossing(up, ports);
    isFound = sentence !== null;
    if (sentence !== null) found(sentence);
  };
  const lookAgain = () => {
    look();
    if (!isFound) timer = setTimeout(lookAgain, pause_ms);
  };
  let timer = setTimeout(lookAgain, first_ms);
  return () => {
    clearTimeout(timer);
    if (!isFound) look();
  };
}

const portsOfSide = ({ list }: Services) => [
  ...portsOf(list.flatMap(({ running }) => running.processes())),
  ...list.flatMap(({ published }) => published),
];

function crossing(
  up: readonly { side: SideName; services: Services }[],
  ports: ReadonlyMap<SideName, number[]>,
): string | null {
  const callers = up.flatMap(({ side, services }) =>
    services.list.map(({ name, running }) => {
      const other = side === 'base' ? 'head' : 'base';
      const of = `service ${name} of ${side}`;
      return { of: { of, other }, processes: running.processes(), ports: ports.get(other) ?? [] };
    }),
  );
  const found = findConnection(callers);
  return found && `${found.of.of} is connected to port ${found.port}, where ${found.of.other} listens`;
}
