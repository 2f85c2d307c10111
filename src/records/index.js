export { printReport } from './print.js';
export { reduceRun } from './reduce.js';
export { readRecord } from './read.js';
export { recordProblem, comparisonProblem } from './schema.js';
export { recordsOf, versionIndex, versionNames, versionsDir } from './versions.js';
