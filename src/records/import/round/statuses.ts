import { type Counts, type Finding, finding, withExpected } from './round.js';

/** How many responses had which status. */
export type Statuses = [code: string, count: number][];

/** @returns how many begin with it */
export const countOf = (statuses: Statuses, digit: '4' | '5'): number =>
  statuses.reduce((sum, [code, count]) => (code.startsWith(digit) ? sum + count : sum), 0);

/**
 * The counts of a tool that has responses by status, and requests without one.
 * @param received bytes; null: not known
 */
export function countsByStatus(statuses: Statuses, lost: number, received: number | null): Counts {
  const responses = statuses.reduce((sum, [, count]) => sum + count, 0);
  const bad = countOf(statuses, '5');
  return withExpected({
    requests: responses + lost,
    errors: bad + lost,
    network_errors: lost,
    status_errors: bad,
    received_bytes: received,
  });
}

/**
 * What becomes of statuses where a tool counts none as an error: those of 500 and more are errors here.
 * @returns null: there is none of 400 or more
 */
export function statusFinding(tool: string, statuses: Statuses, responses: number): Finding | null {
  const listed = (digit: string) =>
    statuses.filter(([code]) => code.startsWith(digit)).map(([code, count]) => `${count} of ${code}`);
  const [client, server] = [listed('4'), listed('5')];
  if (client.length + server.length === 0) return null;
  const said = [
    `${tool} does not count a status as an error.`,
    server.length > 0 && `Here the ${server.join(', ')} among ${responses} responses are errors.`,
    client.length > 0 && `The ${client.join(', ')} among ${responses} responses are in the throughput.`,
  ];
  return finding(`${tool.toLowerCase()}-statuses`, 'warn', said.filter(Boolean).join(' '));
}
