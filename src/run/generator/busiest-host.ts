import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fingerprint } from '../../../reports/schema/types.d.ts';
import type { ServicesLine } from './results.js';

/** What one left, and of generator.json which machine it was on. */
type Generator = { folder: string; said: { boot: string; machine: Fingerprint & { cores: number } } };

/** A line of services.ndjson. */
type Sample = ServicesLine & { k6: { cpu_ns: number; memory_bytes: number } };

/**
 * Finds the machine whose k6 was the busiest: by it is judged whether the load was kept up. The k6 of several parts that were
 * run on one machine are one there, as instances are.
 * @param generators of one load
 * @returns first: one of those on that machine, by whose clock and at whose times the samples are
 */
export function busiestHost<One extends Generator>(generators: readonly One[]): { first: One; samples: Sample[] } {
  const hosts: Map<string, One[]> = new Map();
  for (const generator of generators)
    hosts.set(generator.said.boot, [...(hosts.get(generator.said.boot) ?? []), generator]);
  const machines = [...hosts.values()].map((own) => ({
    first: own[0],
    samples: samplesOf(own),
    cores: own[0].said.machine.cores,
  }));
  return machines.reduce((most, machine) => (busyRatio(machine) > busyRatio(most) ? machine : most));
}

/** @param own of a machine */
function samplesOf(own: readonly Generator[]): Sample[] {
  const [first, ...others] = own.map(({ folder }) => read(folder));
  return first.map((sample) => {
    const all = [sample.k6, ...others.map((samples) => at(samples, sample.t))];
    const sum = (key: 'cpu_ns' | 'memory_bytes') => all.reduce((total, figures) => total + figures[key], 0);
    return { ...sample, k6: { ...sample.k6, cpu_ns: sum('cpu_ns'), memory_bytes: sum('memory_bytes') } };
  });
}

const read = (folder: string): Sample[] =>
  readFileSync(join(folder, 'services.ndjson'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** What k6 had used by a time: between two samples, evenly. */
function at(samples: readonly Sample[], t: number) {
  const next = samples.findIndex((sample) => sample.t >= t);
  if (next === 0) return { cpu_ns: 0, memory_bytes: 0 };
  if (next < 0) return { cpu_ns: samples.at(-1)?.k6.cpu_ns ?? 0, memory_bytes: 0 };
  const [from, to] = [samples[next - 1], samples[next]];
  const share = (t - from.t) / (to.t - from.t);
  return {
    cpu_ns: Math.round(from.k6.cpu_ns + share * (to.k6.cpu_ns - from.k6.cpu_ns)),
    memory_bytes: to.k6.memory_bytes,
  };
}

/** @returns k6's CPU time by that of all cores */
function busyRatio({ samples, cores }: { samples: readonly Sample[]; cores: number }): number {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!last || last.t <= first.t) return 0;
  return (last.k6.cpu_ns - first.k6.cpu_ns) / 1e6 / ((last.t - first.t) * cores);
}

/** @returns services.ndjson */
export const samplesText = (samples: readonly Sample[]): string =>
  samples.map((sample) => `${JSON.stringify(sample)}\n`).join('');
