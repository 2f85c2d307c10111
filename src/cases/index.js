/**
 * From the text of a spec to its cases. Used by the command line and, inside k6, by the driver: no Node module is
 * imported from here on, and every import is a relative path with its full file name.
 *
 * @typedef {import('./expand.js').Case} Case
 * @typedef {import('./expand.js').ExpandOptions} ExpandOptions
 * @typedef {import('./environment.js').Service} Service
 * @typedef {import('./requests.js').Request} Request
 * @typedef {import('./rows.js').Rows} Rows
 * @typedef {import('./faults.js').PlannedFault} PlannedFault
 * @typedef {import('./generators.js').Kubernetes} Kubernetes
 * @typedef {import('./network.js').Network} Network
 * @typedef {import('./prometheus.js').Prometheus} Prometheus
 * @typedef {import('./queries.js').Query} Query
 * @typedef {import('./thresholds.js').CaseThreshold} CaseThreshold
 */

export { definitionOf, filesOf, readsParameters } from './definition.js';
export { parseDuration, showDuration } from './durations.js';
export { portUsers } from './environment.js';
export { SpecError } from './error.js';
export { defaultEnvironment, expandCases } from './expand.js';
export { resolveExtends } from './extends.js';
export { steadyTime } from './faults.js';
export { mostIterations, usersOf } from './load.js';
export { partsOf } from './memory.js';
export { beyondNative } from './native.js';
export { originOf, originsOf } from './origin.js';
export { parameterNames } from './parameters.js';
export { fillPlaceholders, placeholdersOf } from './placeholders.js';
export { runnerScope } from './runner-scope.js';
export { parseToml } from './toml.js';
export {
  ageCase,
  inParts,
  loadCase,
  loadNow,
  loadParameters,
  saturationCase,
  soloCase,
  underLoad,
} from './variants.js';
