export { printReport } from './print.js';
export { readRecord } from './read.js';
export { reduceRun } from './reduce.js';
export { comparisonProblem, recordProblem } from './schema.js';
export { recordsOf, versionIndex, versionNames, versionsDir } from './versions.js';
