import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, readOrNull } from './processes.js';

/**
 * Where the kernel counts what a group of processes uses (cgroups(7)): version 2 has one folder, version 1 one for each
 * controller.
 * io: null where it is not counted
 */
export type Cgroup = { version: 1 | 2; cpu: string; memory: string; io: string | null };

/**
 * What a group has used since it was made, and its memory now.
 * - memory_bytes: the working set, as Kubernetes has it: what is in use without the page cache that has not been used lately
 * - block_read_bytes, block_write_bytes: of block devices, what the page cache did not answer; null where it is not counted
 */
type CgroupUsage = {
  cpu_ns: number;
  memory_bytes: number | null;
  block_read_bytes: number | null;
  block_write_bytes: number | null;
};

/**
 * Is this the cgroup of a container? Engines put the container's id into its path.
 * @returns false: the process of that number is another one, as on another machine
 */
export const isOfContainer = ({ cpu }: Cgroup, id: string): boolean => cpu.includes(id);

/**
 * Finds the cgroup of a process.
 * @param root where /proc and /sys are, for tests
 * @returns null: the process has ended, or its groups are not to be seen from here
 */
export function cgroupOf(pid: number | 'self', root: string = '/'): Cgroup | null {
  const lines = (readOrNull(join(root, `proc/${pid}/cgroup`)) ?? '').split('\n').filter(Boolean);
  const paths = lines.map((line) => /^\d+:([^:]*):(.*)$/.exec(line) ?? []);
  const mounts = mountsOf(root);
  /** @param controller '' is that of version 2 */
  const folderOf = (controller: string) => {
    const path = paths.find(([, names]) => names?.split(',').includes(controller))?.[2];
    const mount = mounts.find((candidate) => candidate.controllers.includes(controller));
    if (path === undefined || mount === undefined) return null;
    const inside = mount.top === '/' ? path : path.startsWith(mount.top) ? path.slice(mount.top.length) : null;
    const folder = inside === null ? null : join(root, mount.mountPoint, inside);
    return folder !== null && existsSync(folder) ? folder : null;
  };
  const [cpu, memory, io] = ['cpuacct', 'memory', 'blkio'].map(folderOf);
  if (cpu !== null && memory !== null) return { version: 1, cpu, memory, io };
  const unified = folderOf('');
  return unified !== null && existsSync(join(unified, 'cpu.stat'))
    ? { version: 2, cpu: unified, memory: unified, io: unified }
    : null;
}

/**
 * The mounts of cgroup file systems (proc(5): mountinfo).
 * @returns top: the group that stands at `place`
 */
function mountsOf(root: string): { top: string; mountPoint: string; controllers: string[] }[] {
  return (readOrNull(join(root, 'proc/self/mountinfo')) ?? '').split('\n').flatMap((line) => {
    const [before, after = ''] = line.split(' - ');
    const [, , , top, mountPoint] = before.split(' ');
    const [type, , options = ''] = after.split(' ');
    if (type === 'cgroup2') return { top, mountPoint, controllers: [''] };
    return type === 'cgroup' ? { top, mountPoint, controllers: options.split(',') } : [];
  });
}

/**
 * Reads what a group has used.
 * @returns null: it is gone
 */
export function cgroupUsage({ version, cpu, memory, io }: Cgroup): CgroupUsage | null {
  return version === 2 ? usageOfTwo(cpu) : usageOfOne({ cpu, memory, io });
}

function usageOfTwo(folder: string): CgroupUsage | null {
  const used = field(readOrNull(join(folder, 'cpu.stat')), 'usage_usec');
  if (used === null) return null;
  const rows = readOrNull(join(folder, 'io.stat'))?.split('\n') ?? null;
  const bytes = (name: string) =>
    rows?.reduce((total, row) => total + Number(new RegExp(` ${name}=(\\d+)`).exec(row)?.[1] ?? 0), 0) ?? null;
  return {
    cpu_ns: used * 1000,
    memory_bytes: workingSet(readOrNull(join(folder, 'memory.current')), readOrNull(join(folder, 'memory.stat'))),
    block_read_bytes: bytes('rbytes'),
    block_write_bytes: bytes('wbytes'),
  };
}

function usageOfOne({ cpu, memory, io }: Pick<Cgroup, 'cpu' | 'memory' | 'io'>): CgroupUsage | null {
  const used = readOrNull(join(cpu, 'cpuacct.usage'));
  if (used === null) return null;
  const table =
    io === null
      ? null
      : (readOrNull(join(io, 'blkio.throttle.io_service_bytes_recursive')) ??
        readOrNull(join(io, 'blkio.throttle.io_service_bytes')));
  const bytes = (name: string) =>
    table === null
      ? null
      : [...table.matchAll(new RegExp(`^\\d+:\\d+ ${name} (\\d+)$`, 'gm'))].reduce(
          (total, [, count]) => total + Number(count),
          0,
        );
  return {
    cpu_ns: Number(used),
    memory_bytes: workingSet(
      readOrNull(join(memory, 'memory.usage_in_bytes')),
      readOrNull(join(memory, 'memory.stat')),
      'total_inactive_file',
    ),
    block_read_bytes: bytes('Read'),
    block_write_bytes: bytes('Write'),
  };
}

/**
 * @param name of the page cache that has not been used lately
 * @returns null: memory is not counted for this group
 */
function workingSet(current: string | null, stat: string | null, name: string = 'inactive_file'): number | null {
  if (current === null) return null;
  return Math.max(0, Number(current) - (field(stat, name) ?? 0));
}

/** @param text of lines `name value` */
function field(text: string | null, name: string): number | null {
  const found = new RegExp(`^${name} (\\d+)$`, 'm').exec(text ?? '')?.[1];
  return found === undefined ? null : Number(found);
}

/** @returns the pids in it, and in those below it */
export function pidsIn({ cpu }: Cgroup): number[] {
  const own = (readOrNull(join(cpu, 'cgroup.procs')) ?? '').split('\n').filter(Boolean).map(Number);
  const below = namesIn(cpu).filter((name) => existsSync(join(cpu, name, 'cgroup.procs')));
  return [...own, ...below.flatMap((name) => pidsIn({ version: 2, cpu: join(cpu, name), memory: '', io: null }))];
}

/**
 * A meter of a container, which may be another one at each look: after a fault its counters begin anew.
 * @returns read now; what counts never falls
 */
export function cgroupMeter(): (
  cgroup: Cgroup | null,
) => { cpu_ns: number } & Pick<CgroupUsage, 'memory_bytes' | 'block_read_bytes' | 'block_write_bytes'> {
  /** what those before had used */
  const before: CgroupUsage = { cpu_ns: 0, memory_bytes: 0, block_read_bytes: 0, block_write_bytes: 0 };
  let last = { ...before };
  const sum = (first: number | null, other: number | null) => (first === null || other === null ? null : first + other);
  const counters = ['block_read_bytes', 'block_write_bytes'] as const;
  return (cgroup) => {
    const now = cgroup && cgroupUsage(cgroup);
    if (now && now.cpu_ns < last.cpu_ns) {
      before.cpu_ns += last.cpu_ns;
      for (const name of counters) before[name] = sum(before[name], last[name]);
    }
    if (now) last = now;
    return {
      cpu_ns: before.cpu_ns + last.cpu_ns,
      block_read_bytes: sum(before.block_read_bytes, last.block_read_bytes),
      block_write_bytes: sum(before.block_write_bytes, last.block_write_bytes),
      memory_bytes: now ? now.memory_bytes : 0,
    };
  };
}
