// In the browser metrics are printed by the same rules.
export * from '../../../site/assets/js/metric-rows.js';
