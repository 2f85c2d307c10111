// The tables that jq programs and JavaScript share: definitions in jq whose bodies are JSON with lines of comments.

/** k6 opens files itself and has no Node modules. @type {(url: string) => string} */
const textOf =
  typeof process === 'undefined'
    ? /** @type {(url: string) => string} */ (/** @type {unknown} */ (open))
    : (url) => process.getBuiltinModule('node:fs').readFileSync(new URL(url), 'utf8');

/**
 * Reads a table.
 * @param {string} text of its module
 * @returns {any} as jq has it
 * @throws {SyntaxError} its body is not JSON
 */
export function parseTable(text) {
  const code = text.replace(/^\s*#.*$/gm, '');
  return JSON.parse(code.slice(code.indexOf(':') + 1, code.lastIndexOf(';')));
}

/**
 * Reads one of our tables, in reports/lib/tables.
 * @template T
 * @param {string} name
 * @returns {Record<string, T>} it throws on a name that it does not have
 */
export function tableOf(name) {
  const table = parseTable(textOf(import.meta.resolve(`../../../reports/lib/tables/${name}.jq`)));
  return new Proxy(table, {
    get(_, key) {
      if (!Object.hasOwn(table, key)) throw new Error(`the table of ${name} has no "${String(key)}"`);
      return table[key];
    },
  });
}

/**
 * The numbers that decide something, with their reasons.
 * @type {Record<string, any>}
 */
export const limits = tableOf('limits');

/** @typedef {{ name: string, type: 'counter' | 'gauge' | 'trend', scope: 'request' | 'iteration' | 'process',
 *   error?: boolean }} DriverMetric */

/**
 * The metrics that our driver adds to those of k6, by our word for each.
 * @type {Record<string, DriverMetric>}
 */
export const driverMetrics = tableOf('driver_metrics');
