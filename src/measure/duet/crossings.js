import { connectedTo, portsOf } from '../../process/port-owner.js';

/** @import { Services } from '../../services/services.js' */
/** @import { SideName } from './split.js' */

/** How often it is looked, in milliseconds: a connection that is kept is seen, and a look takes a few milliseconds. */
const pause_ms = 500;

/**
 * Looks while both sides are up whether one of them calls the other: a head that lets base do a part of its work would look fast,
 * and base slow. Connections of a container's own network are not seen.
 * @param {readonly { side: SideName, services: Services }[]} up
 * @param {(sentence: string) => void} found called at most once
 * @returns {() => void} ends it
 */
export function watchCrossings(up, found) {
  const pairs = up.flatMap((caller) =>
    up.filter(({ side }) => side !== caller.side).map((called) => ({ caller, called })),
  );
  if (pairs.length === 0) return () => {};
  const look = () => {
    for (const { caller, called } of pairs) {
      const sentence = crossing(caller, called);
      if (sentence === null) continue;
      end();
      found(sentence);
      return;
    }
  };
  const timer = setInterval(look, pause_ms);
  const end = () => clearInterval(timer);
  return end;
}

/**
 * @param {{ side: SideName, services: Services }} caller
 * @param {{ side: SideName, services: Services }} called
 * @returns {string | null}
 */
function crossing(caller, called) {
  const ports = called.services.list.flatMap(({ running, published }) => [
    ...portsOf(running.processes()),
    ...published,
  ]);
  for (const { name, running } of caller.services.list) {
    const port = connectedTo(running.processes(), ports);
    if (port !== null)
      return `service ${name} of ${caller.side} is connected to port ${port}, where ${called.side} listens`;
  }
  return null;
}
