import { portUsers } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';
import { fill, type RunnerValues } from '../../suite/run-placeholders.js';

/**
 * Where requests go: an address, the other hosts that they may go to, and values that steps between ready and load captured there.
 * values: those of placeholders
 */
export type Target = { url: string; hosts: readonly string[]; ready: Record<string, unknown>; values: RunnerValues };

/**
 * Says it to k6. What is in it may be a secret: not on the command line, which every user of the machine can read.
 * @param targets one, or base and head
 * @returns environment variables
 * @throws {UserError} a variable of the script's is made of what is not there
 */
export function targetEnvironment([base, head]: readonly Target[], benchCase: Case): Record<string, string> {
  return {
    ...(benchCase.env && ownVariables(base, benchCase)),
    BASE_URL: base.url,
    BASE_HOSTS: JSON.stringify(base.hosts),
    BASE_READY: JSON.stringify(base.ready),
    HEAD_URL: head?.url ?? '',
    HEAD_HOSTS: JSON.stringify(head?.hosts ?? []),
    HEAD_READY: JSON.stringify(head?.ready ?? {}),
    ...(benchCase.script !== null && { ALLOWED_HOSTS: JSON.stringify(allowedHosts(base)) }),
  };
}

/** The variables that the spec gives to a script. */
function ownVariables({ url, values, ready }: Target, benchCase: Case): Record<string, string> {
  const addressed = Object.entries(benchCase.env ?? {}).map(([name, text]) => [
    name,
    text.replaceAll('${url}', () => url),
  ]);
  return fill(Object.fromEntries(addressed), { ...values, ready }, portUsers(benchCase)[0]);
}

/**
 * What a script may connect to: the system, its services, and the hosts that the environment names.
 * @returns "127.0.0.1:8080"
 */
const allowedHosts = ({ url, hosts, values }: Target): string[] => [
  ...[url, ...hosts].map(hostOf),
  ...Object.values(values.ports).map((port) => `127.0.0.1:${port}`),
];

function hostOf(address: string) {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
