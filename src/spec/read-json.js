/**
 * Reads a file of JSON that jq programs read too. In k6, which has no Node modules, by its own `open`.
 * @param {string} url as import.meta.resolve gives it
 * @returns {any}
 */
export const readJson = (url) => JSON.parse(textOf(url));

const textOf = /** @type {(url: string) => string} */ (
  typeof process === 'undefined'
    ? /** @type {unknown} */ (open)
    : (url) => process.getBuiltinModule('node:fs').readFileSync(new URL(url), 'utf8')
);
