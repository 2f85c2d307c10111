import { readOrNull } from '../../base/process/processes.js';

/**
 * The cores that this process may use.
 * @returns {number[]}
 */
const allowedCores = () => coresOf(readOrNull('/proc/self/status')?.match(/^Cpus_allowed_list:\s+(\S+)/m)?.[1] ?? '0');

/**
 * Reads a list of cores as taskset does.
 * @param {string} list "0-3,8"
 * @returns {number[]}
 */
export const coresOf = (list) =>
  list.split(',').flatMap((part) => {
    const [from, to = from] = part.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });

/**
 * The cores that k6 gets: when every service of a case is pinned and cores remain, those, so that neither takes the
 * other's; else it may use all.
 * @param {readonly { cpus?: string | null }[]} services
 * @param {readonly number[]} [allowed]
 * @returns {{ cores: number[], pinned: boolean }}
 */
export function generatorCores(services, allowed = allowedCores()) {
  const taken = new Set(services.flatMap(({ cpus }) => (cpus ? coresOf(cpus) : allowed)));
  const rest = services.length > 0 ? allowed.filter((core) => !taken.has(core)) : [];
  return rest.length > 0 ? { cores: rest, pinned: true } : { cores: [...allowed], pinned: false };
}
