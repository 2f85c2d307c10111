/**
 * From the text of a spec to its cases. Used by the command line and, inside k6, by the driver: no Node module is
 * imported from here on, and every import is a relative path with its full file name.
 */

export { definitionOf, filesOf, readsParameters } from './definition.js';
export { parseDuration, showDuration } from './durations.js';
export { portUsers } from './environment.js';
export { SpecError } from './error.js';
export { constantExecutors } from './executors.js';
export { defaultEnvironment, expandCases } from './expand.js';
export { resolveExtends } from './extends.js';
export { mostIterations } from './load.js';
export { partsOf } from './memory.js';
export { beyondNative } from './native.js';
export { originOf, originsOf } from './origin.js';
export { parameterNames } from './parameters.js';
export { fillPlaceholders, placeholdersOf } from './placeholders.js';
export { steadyTime } from './plan-faults.js';
export { runnerScope } from './runner-scope.js';
export { parseToml } from './toml.js';
export {
  ageCase,
  byIterations,
  byUsers,
  inParts,
  loadCase,
  loadNow,
  loadParameterOf,
  saturationCase,
  soloCase,
  underLoad,
} from './variants.js';
