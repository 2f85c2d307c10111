import { createHash } from 'node:crypto';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { readOrNull } from '../../base/process/processes.js';

/**
 * The machine that measured: two records can only be compared when it was the same (or an equal one).
 * boot: another one after each start of the machine
 */
type MachineFingerprint = Processor & {
  cpu_model: string;
  boot?: string;
  cores: number;
  memory_bytes: number;
  runner: 'local' | 'github-hosted' | 'self-hosted' | 'ci';
  os: string;
  kernel: string;
  k6: string;
  node: string;
};

type Processor = {
  cpu_family?: number;
  cpu_model_number?: number;
  cpu_stepping?: number;
  microcode?: string;
  caches?: string;
};

/** @param k6 its version */
export function fingerprintOf(env: NodeJS.ProcessEnv, k6: string): MachineFingerprint {
  return {
    cpu_model: cpus()[0]?.model.trim() || 'unknown',
    ...processor(),
    ...boot(),
    cores: availableParallelism(), // those that we may use: a container or taskset may allow fewer than there are
    memory_bytes: Math.min(totalmem(), process.constrainedMemory() || Infinity),
    runner: runnerOf(env),
    os: readOrNull('/etc/os-release')?.match(/^PRETTY_NAME="?([^"\n]*)"?$/m)?.[1] ?? process.platform,
    kernel: release(),
    k6,
    node: process.versions.node,
  };
}

/**
 * What is behind the name of a processor, as Linux says it (proc(5), sysfs): a cloud gives one name to several kinds.
 * @returns keys that are not known are not there
 */
function processor(): Processor {
  const text = readOrNull('/proc/cpuinfo') ?? '';
  const textOf = (name: string) => new RegExp(`^${name}\\s*: (.+)$`, 'm').exec(text)?.[1].trim();
  const numberOf = (name: string) => {
    const value = Number.parseInt(textOf(name) ?? '', 10);
    return Number.isNaN(value) ? undefined : value;
  };
  const sizes = [0, 1, 2, 3, 4].flatMap(
    (index) => readOrNull(`/sys/devices/system/cpu/cpu0/cache/index${index}/size`)?.trim() ?? [],
  );
  const found = {
    cpu_family: numberOf('cpu family'),
    cpu_model_number: numberOf('model'),
    cpu_stepping: numberOf('stepping'),
    microcode: textOf('microcode'),
    caches: sizes.join(' ') || undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Not the machine's own number, which is nobody's business. */
function boot(): { boot?: string } {
  const id = readOrNull('/proc/sys/kernel/random/boot_id')?.trim();
  return id ? { boot: createHash('sha256').update(id).digest('hex').slice(0, 12) } : {};
}

/**
 * The kind of this machine, by the variables that CI services set (for GitHub: docs.github.com, "Default
 * environment variables").
 */
export function runnerOf(env: NodeJS.ProcessEnv): MachineFingerprint['runner'] {
  if (env.GITHUB_ACTIONS !== 'true') return env.CI && env.CI !== 'false' ? 'ci' : 'local';
  return env.RUNNER_ENVIRONMENT === 'github-hosted' ? 'github-hosted' : 'self-hosted';
}
