import { formatBytes } from '../../base/format.js';

/** @import { BenchRecord } from '../../../reports/schema/types.d.ts' */

/**
 * @typedef {{ name: string, text: string }} MachineRow
 */

/**
 * What a record was measured on, and with.
 * @param {BenchRecord} record
 * @returns {MachineRow[]}
 */
export function machineRows(record) {
  const { fingerprint, imported, protocols, services } = record;
  return [
    ...(imported ? importedRows(fingerprint) : Object.entries(fingerprint).map(machineRow)),
    { name: 'player', text: playerOf(record) },
    ...(protocols ? [{ name: 'protocol', text: Object.keys(protocols).sort().join(', ') }] : []),
    ...(Object.keys(services).length ? [{ name: 'memory of services', text: memoryOf(record) }] : []),
  ];
}

/** @param {[string, unknown]} entry of a fingerprint @returns {MachineRow} */
const machineRow = ([name, value]) =>
  name === 'memory_bytes' && value !== null
    ? { name: 'memory', text: formatBytes(Number(value)) }
    : { name: name.replace('memory_bytes', 'memory').replaceAll('_', ' '), text: String(value ?? 'unknown') };

/** How an import says that it does not know, or that there was none. */
const notKnown = [null, 'unknown', 'none'];

/**
 * An import knows of its machine what whoever imported it called it, which need not be a CPU.
 * @param {BenchRecord['fingerprint']} fingerprint
 * @returns {MachineRow[]}
 */
const importedRows = ({ cpu_model, ...rest }) =>
  Object.entries({ machine: cpu_model, ...rest })
    .filter(([, value]) => !notKnown.includes(/** @type {string | null} */ (value)))
    .map(machineRow);

/** What sent the requests. @param {BenchRecord} record */
function playerOf({ player, imported }) {
  if (imported) return imported.format;
  return player === 'native' ? 'native, in k6' : "JavaScript, k6's own client";
}

/** As what the memory of services counts. @param {BenchRecord} record */
const memoryOf = ({ memory }) => memoryWords[memory ?? 'rss'];

const memoryWords = {
  rss: 'RSS, summed over processes',
  pss: 'PSS: of a shared page its share',
  working_set: 'the working set of containers: without page cache that was not used lately',
  mixed: 'of containers the working set, of processes PSS',
};
