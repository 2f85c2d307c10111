export { printReport } from './print.js';

export { reduceRun } from './reduce.js';
export { comparisonProblem, recordProblem } from './schema.js';
export { versionIndex } from './versions.js';
