import { readFileSync } from 'node:fs';
import { writeJson } from '../../base/io/files.js';
import type { Run } from '../run-context.js';
import type { Result } from './pod-results.js';

/** Milliseconds between the first and the last start that need no mention. */
const usualSkew_ms = 100;

/** Says by how much the pods' loads began apart, where that may be seen in numbers. */
export function noteSkew(results: readonly Result[], { progress }: Pick<Run, 'progress'>) {
  const starts = results.map(({ started_ms }) => started_ms);
  const skew_ms = Math.max(...starts) - Math.min(...starts);
  if (skew_ms <= usualSkew_ms) return;
  const last = results.find(({ started_ms }) => started_ms === Math.max(...starts));
  progress.note(`the pods began ${skew_ms} ms apart, ${last?.pod} last: are their nodes' clocks right?`);
}

/**
 * The machine that makes the load is that of the pods: case.json, which the record is made of, names it in place of this one.
 * @param file case.json
 * @param results of a round
 */
export async function keepMachine(file: string, results: readonly Result[]) {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  const machines = results.map(({ machine }) => machine);
  const models = [...new Set(machines.map(({ cpu_model }) => cpu_model).filter(Boolean))].sort();
  const least = (key: 'cores' | 'memory_bytes') => {
    const values = machines.map((machine) => Number(machine[key] ?? Number.NaN)).filter(Number.isFinite);
    return values.length > 0 ? Math.min(...values) : content.run.fingerprint[key];
  };
  const cores = least('cores');
  const [{ k6_version }] = results;
  await writeJson(file, {
    ...content,
    run: {
      ...content.run,
      generator_cores: cores,
      generator_pinned: false,
      fingerprint: {
        ...content.run.fingerprint,
        ...(models.length > 0 && { cpu_model: models.join(', ') }),
        cores,
        memory_bytes: least('memory_bytes'),
        ...(k6_version && { k6: k6_version }),
      },
    },
  });
}
