import { readOrNull } from '../../base/process/processes.js';

/** The cores that this process may use. */
const allowedCores = (): number[] =>
  coresOf(readOrNull('/proc/self/status')?.match(/^Cpus_allowed_list:\s+(\S+)/m)?.[1] ?? '0');

/**
 * Reads a list of cores as taskset does.
 * @param list "0-3,8"
 */
export const coresOf = (list: string): number[] =>
  list.split(',').flatMap((part) => {
    const [from, to = from] = part.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });

/**
 * The cores that k6 gets: when every service of a case is pinned and cores remain, those, so that neither takes the
 * other's; else it may use all.
 */
export function generatorCores(
  services: readonly { cpus?: string | null }[],
  allowed: readonly number[] = allowedCores(),
): { cores: number[]; pinned: boolean } {
  const taken = new Set(services.flatMap(({ cpus }) => (cpus ? coresOf(cpus) : allowed)));
  const rest = services.length > 0 ? allowed.filter((core) => !taken.has(core)) : [];
  return rest.length > 0 ? { cores: rest, pinned: true } : { cores: [...allowed], pinned: false };
}
