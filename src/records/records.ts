export { printReport } from './print.js';

export { reduceRun } from './reduce.js';
export { comparisonProblem, recordProblem } from './schema.js';
export { versionNames } from './versions.js';
