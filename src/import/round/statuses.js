import { finding } from './round.js';

/** @import { Finding } from './round.js' */

/** @typedef {[code: string, count: number][]} Statuses how many responses had which status */

/** @param {Statuses} statuses @param {'4' | '5'} digit @returns {number} how many begin with it */
export const countOf = (statuses, digit) =>
  statuses.reduce((sum, [code, count]) => (code.startsWith(digit) ? sum + count : sum), 0);

/**
 * What becomes of statuses where a tool counts none as an error: those of 500 and more are errors here.
 * @param {string} tool
 * @param {Statuses} statuses
 * @param {number} responses
 * @returns {Finding | null} null: there is none of 400 or more
 */
export function statusFinding(tool, statuses, responses) {
  const listed = (/** @type {string} */ digit) =>
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
