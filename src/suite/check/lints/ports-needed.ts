import { formatCount, formatPlain } from '../../../base/format.js';
import type { Case } from '../../cases/expand.js';
import { highestRate, iterationsOf, requestsPerIteration } from '../../cases/load.js';
import { beyondNative } from '../../cases/native.js';
import type { Lint, LintContext } from './lints.js';

/** Linux: ports 32768 to 60999, and a minute in TIME_WAIT after a connection is closed. */
const [ports, minute] = [28232, 60];

/**
 * A new connection for every request or iteration takes a port for a minute, but on the loopback interface: there Linux uses
 * one again as soon as it is needed (net.ipv4.tcp_tw_reuse, by default 2).
 */
export function lintPorts(benchCase: Case, { player }: LintContext): Lint[] {
  const path = ['scenarios', benchCase.scenario, 'connections'];
  const users = benchCase.load.users;
  if (users > ports && !isSpread(benchCase, player)) {
    return [
      {
        path,
        weight: users,
        message: `${users} users need as many ports to one address, and there are ${ports}`,
        hint: 'Give the system several addresses, or the generator a wider net.ipv4.ip_local_port_range.',
      },
    ];
  }
  const rate = highestRate(benchCase.load);
  const each = { reuse: 0, iteration: 1, request: requestsPerIteration(benchCase) }[benchCase.connections];
  if (!each || rate === null || isLoopback(benchCase)) return [];
  const opened = Math.min(rate * minute, Number(iterationsOf(benchCase.load))) * each;
  if (opened <= ports) return [];
  return [
    {
      path,
      weight: opened,
      message:
        `${formatPlain(rate * each)} new connections/s leave ${formatCount(opened)} ports waiting ` +
        `(TIME_WAIT, ${minute} s), and there are ${formatCount(ports)}: connecting would fail`,
      hint:
        `At most ${Math.floor(ports / minute)} connections a second, unless net.ipv4.tcp_tw_reuse lets them ` +
        'be used again.',
    },
  ];
}

/** Whether users send from several addresses: the native player has those of the loopback. */
const isSpread = (benchCase: Case, player: LintContext['player']) =>
  player !== 'javascript' && beyondNative(benchCase) === null && isLoopback(benchCase);

const isLoopback = ({ url }: Case) => /^https?:\/\/(127\.|localhost\b)/.test(url);
