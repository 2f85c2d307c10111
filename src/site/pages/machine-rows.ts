import type { BenchRecord } from '../../../reports/schema/types.d.ts';
import { formatBytes } from '../../base/format.js';

type MachineRow = { name: string; text: string };

/** The machine and the tools of a record. */
export function machineRows(record: BenchRecord): MachineRow[] {
  const { fingerprint, imported, protocols, services } = record;
  return [
    ...(imported ? importedRows(fingerprint) : Object.entries(fingerprint).map(machineRow)),
    { name: 'player', text: playerOf(record) },
    ...(protocols ? [{ name: 'protocol', text: Object.keys(protocols).sort().join(', ') }] : []),
    ...(Object.keys(services).length ? [{ name: 'memory of services', text: memoryOf(record) }] : []),
  ];
}

/** @param entry of a fingerprint */
const machineRow = ([name, value]: [string, unknown]): MachineRow =>
  name === 'memory_bytes' && value !== null
    ? { name: 'memory', text: formatBytes(Number(value)) }
    : { name: name.replace('memory_bytes', 'memory').replaceAll('_', ' '), text: String(value ?? 'unknown') };

/** How an import says that it does not know, or that there was none. */
const notKnown = [null, 'unknown', 'none'];

/** An import knows of its machine what whoever imported it called it, which need not be a CPU. */
const importedRows = ({ cpu_model, ...rest }: BenchRecord['fingerprint']): MachineRow[] =>
  Object.entries({ machine: cpu_model, ...rest })
    .filter(([, value]) => !notKnown.includes(value as string | null))
    .map(machineRow);

/** What sent the requests. */
function playerOf({ player, imported }: BenchRecord) {
  if (imported) return imported.format;
  return player === 'native' ? 'native, in k6' : "JavaScript, k6's own client";
}

/** As what the memory of services counts. */
const memoryOf = ({ memory }: BenchRecord) => memoryWords[memory ?? 'rss'];

const memoryWords = {
  rss: 'RSS, summed over processes',
  pss: 'PSS: of a shared page its share',
  working_set: 'the working set of containers: without page cache that was not used lately',
  mixed: 'of containers the working set, of processes PSS',
};
