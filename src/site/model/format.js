// In the browser numbers are printed by the same rules.
export * from '../../../site/assets/js/format.js';
