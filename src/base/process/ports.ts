import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { exitCodes, UserError } from '../errors.js';

/** Below the ports that the system gives to outgoing connections: those of k6 must not take a service's. */
const lowest = 10_000;

/** Gives out free ports on the loopback interface, each once. */
export function portPool(): { take: () => Promise<number> } {
  const given: Set<number> = new Set();
  const highest = firstOutgoing();
  return {
    async take() {
      for (let tries = 0; tries < 1000; tries += 1) {
        const port = randomInt(lowest, highest);
        if (given.has(port)) continue;
        given.add(port); // before it waits: two who ask at the same time get two
        if (await isFree(port)) return port;
      }
      throw new UserError(`no free port between ${lowest} and ${highest}`, {
        code: exitCodes.error,
        hint: 'Something holds them all: `ss -ltnp` lists who listens.',
      });
    },
  };
}

/** Whether a port is free, on every address. */
export async function isFree(port: number): Promise<boolean> {
  const onBoth = await canListen(port, '::');
  return onBoth ?? (await canListen(port, '0.0.0.0')) ?? false;
}

/** @returns null: this machine has no such address */
function canListen(port: number, host: string): Promise<boolean | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE' ? false : null));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** @returns the first port that outgoing connections are given (ip(7): ip_local_port_range) */
function firstOutgoing(): number {
  try {
    const first = Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/)[0]);
    return first > lowest + 1000 ? first : 32_768;
  } catch {
    return 32_768;
  }
}
