import type { BenchRecord } from '../../../reports/schema/types.d.ts';

/**
 * The services of a record, each with what is its own. The network that is counted for a process is that of the whole
 * machine, alike for all of them: it is in the table of all services together. A container has its own.
 */
export const serviceParts = ({ services }: Pick<BenchRecord, 'services'>): BenchRecord['services'] =>
  Object.fromEntries(
    Object.entries(services).map(([name, service]) => [
      name,
      isContainer(service)
        ? service
        : {
            ...service,
            metrics: Object.fromEntries(
              Object.entries(service.metrics).filter(([metric]) => !metric.startsWith('network_')),
            ),
          },
    ]),
  );

/** Bytes of disks are counted of containers alone. */
const isContainer = ({ metrics }: BenchRecord['services'][string]) => metrics.block_read_bytes_per_second !== undefined;
