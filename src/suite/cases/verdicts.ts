import { tableOf } from './tables.js';

/**
 * Verdicts: in which order cases and metrics are shown, and what a process ends with. Apart from other tables: k6 does not need it.
 */
export const verdicts: { order: string[]; order_of_metrics: string[]; exit_codes: Record<string, number> } = tableOf(
  'verdicts',
) as any;
