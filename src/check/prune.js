import { isTable } from '../spec/profile.js';
import { told } from './told.js';

/**
 * @import { ErrorObject } from 'ajv'
 * @import { Path } from '../spec/error.js'
 */

/** Keys that may go without anything else looking wrong for it. */
const dispensable = new Set([
  'title', 'description', 'charts', 'compare', 'window', 'thresholds', 'saturation', 'cookies', 'connections',
  'error_cap', 'mix_tolerance', 'expect', 'headers', 'query', 'think', 'body', 'timeout', 'redirects', 'on_error',
  'gracefulStop', 'gracefulRampDown', 'maxDuration', 'confirm', 'restart', 'ready', 'ready_timeout', 'stop_signal',
  'stop_timeout', 'cpus', 'sampled', 'setup', 'build',
]);

/** Keys that their table is nothing without. */
const needed = new Set(['expr', 'x', 'y', 'mean', 'matches']);

/**
 * A spec without what its schema refused, so that all the rest can be looked at.
 * @param {Record<string, any>} document
 * @param {ErrorObject[]} errors
 * @returns {{ spec: Record<string, any>, standIns: string[] } | null} standIns: environments of which only a name and a
 *   URL are left; null: there is nothing to look at
 */
export function prune(document, errors) {
  if (!isTable(document.environments) || !isTable(document.scenarios)) return null;
  if (!errors.length) return { spec: document, standIns: [] };
  const spec = copy(document);
  for (const { error, path, name } of told(errors, document)) {
    if (name === null && error.keyword !== 'dependencies') removeCause(spec, error, path);
  }
  const standIns = Object.keys(document.environments).filter((name) => !(name in spec.environments));
  for (const name of standIns) spec.environments[name] = { url: 'http://localhost' };
  const order = Object.keys(document.environments).map((name) => [name, spec.environments[name]]);
  for (const profile of Object.values(spec.profiles ?? {})) {
    // what is gone from the spec cannot be changed, and is no misspelling either
    for (const name of Object.keys(profile.scenarios ?? {})) {
      if (name in document.scenarios && !(name in spec.scenarios)) delete profile.scenarios[name];
    }
  }
  return { spec: { ...spec, environments: Object.fromEntries(order) }, standIns };
}

/** @param {any} spec @param {ErrorObject} error @param {Path} path */
function removeCause(spec, error, path) {
  const [section] = path;
  if (error.keyword === 'additionalProperties') remove(spec, [...path, error.params.additionalProperty]);
  else if (section === 'parameters' && path.length > 1) spec.parameters[path[1]] = '';
  else if (path.some((key) => dispensable.has(String(key)))) remove(spec, path);
  else if (['environments', 'scenarios', 'profiles'].includes(String(section))) remove(spec, path.slice(0, 2));
  else remove(spec, path.slice(0, 1));
}

/** An item goes with its list: the others keep their numbers. @param {any} spec @param {Path} path */
function remove(spec, path) {
  const end = path.findLastIndex((key) => typeof key === 'string');
  if (needed.has(String(path[end]))) return remove(spec, path.slice(0, end));
  const parent = path.slice(0, end).reduce((at, key) => at?.[key], spec);
  if (isTable(parent)) delete parent[/** @type {string} */ (path[end])];
}

/** @param {any} value @returns {any} */
const copy = (value) =>
  Array.isArray(value) ? value.map(copy)
    : isTable(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)])) : value;
