/** What `benchfolio check` says of a suite, and the checked cases for `benchfolio run`. */

export { changedSystems } from './changed.js';
export { checkSuite, memoryFor } from './check-suite.js';
export { loadCases } from './load-cases.js';
export { countProblems } from './print-problems.js';
