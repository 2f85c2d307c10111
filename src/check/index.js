/** What `benchfolio check` says of a suite, and the checked cases for `benchfolio run`. */

export { loadCases } from './cases.js';
export { changedSystems } from './changed.js';
export { countProblems } from './report.js';
export { checkSuite, memoryFor } from './suite.js';
