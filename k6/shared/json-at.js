/**
 * What stands at a place of JSON: "items.0.title", "items.#" for how many.
 * @param {unknown} value
 * @param {string} path keys and numbers, with dots between
 * @returns {unknown} undefined: nothing
 */
export const jsonAt = (value, path) =>
  path.split('.').reduce((/** @type {any} */ at, key) => {
    if (at === null || typeof at !== 'object') return undefined;
    if (key === '#') return Array.isArray(at) ? at.length : undefined;
    return Object.hasOwn(at, key) ? at[key] : undefined;
  }, value);
