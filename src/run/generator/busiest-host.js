import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @import { Fingerprint } from '../../../reports/schema/types.d.ts' */
/** @import { ServicesLine } from './results.js' */

/**
 * @typedef {{ folder: string, said: { boot: string, machine: Fingerprint & { cores: number } } }} Generator what one left, and of generator.json
 *   which machine it was on
 * @typedef {ServicesLine & { k6: { cpu_ns: number, memory_bytes: number } }} Sample a line of services.ndjson
 */

/**
 * Finds the machine whose k6 was the busiest: by it is judged whether the load was kept up. The k6 of several parts that were
 * run on one machine are one there, as instances are.
 * @template {Generator} One
 * @param {readonly One[]} generators of one load
 * @returns {{ first: One, samples: Sample[] }} first: one of those on that machine, by whose clock and at whose times the
 *   samples are
 */
export function busiestHost(generators) {
  /** @type {Map<string, One[]>} */
  const hosts = new Map();
  for (const generator of generators)
    hosts.set(generator.said.boot, [...(hosts.get(generator.said.boot) ?? []), generator]);
  const machines = [...hosts.values()].map((own) => ({
    first: own[0],
    samples: samplesOf(own),
    cores: own[0].said.machine.cores,
  }));
  return machines.reduce((most, machine) => (busyRatio(machine) > busyRatio(most) ? machine : most));
}

/** @param {readonly Generator[]} own of a machine @returns {Sample[]} */
function samplesOf(own) {
  const [first, ...others] = own.map(({ folder }) => read(folder));
  return first.map((sample) => {
    const all = [sample.k6, ...others.map((samples) => at(samples, sample.t))];
    const sum = (/** @type {'cpu_ns' | 'memory_bytes'} */ key) =>
      all.reduce((total, figures) => total + figures[key], 0);
    return { ...sample, k6: { ...sample.k6, cpu_ns: sum('cpu_ns'), memory_bytes: sum('memory_bytes') } };
  });
}

/** @param {string} folder @returns {Sample[]} */
const read = (folder) =>
  readFileSync(join(folder, 'services.ndjson'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** What k6 had used by a time: between two samples, evenly. @param {readonly Sample[]} samples @param {number} t */
function at(samples, t) {
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

/** @param {{ samples: readonly Sample[], cores: number }} machine @returns {number} k6's CPU time by that of all cores */
function busyRatio({ samples, cores }) {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!last || last.t <= first.t) return 0;
  return (last.k6.cpu_ns - first.k6.cpu_ns) / 1e6 / ((last.t - first.t) * cores);
}

/** @param {readonly Sample[]} samples @returns {string} services.ndjson */
export const samplesText = (samples) => samples.map((sample) => `${JSON.stringify(sample)}\n`).join('');
