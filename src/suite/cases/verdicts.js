import { tableOf } from './tables.js';

/**
 * Verdicts: in which order cases and metrics are shown, and what a process ends with. Apart from other tables: k6 does not need it.
 * @type {{ order: string[], order_of_metrics: string[], exit_codes: Record<string, number> }}
 */
export const verdicts = /** @type {any} */ (tableOf('verdicts'));
