// The tables that jq programs and JavaScript share: definitions in jq whose bodies are JSON with lines of comments.

/** k6 opens files itself and has no Node modules. */
const textOf: (url: string) => string =
  typeof process === 'undefined'
    ? (open as unknown as (url: string) => string)
    : (url) => process.getBuiltinModule('node:fs').readFileSync(new URL(url), 'utf8');

/**
 * Reads a table.
 * @param text of its module
 * @returns as jq has it
 * @throws {SyntaxError} its body is not JSON
 */
export function parseTable(text: string): any {
  const code = text.replace(/^\s*#.*$/gm, '');
  return JSON.parse(code.slice(code.indexOf(':') + 1, code.lastIndexOf(';')));
}

/**
 * Reads one of our tables, in reports/lib/tables.
 * @returns it throws on a name that it does not have
 */
export function tableOf<T>(name: string): Record<string, T> {
  const table = parseTable(textOf(import.meta.resolve(`../../../reports/lib/tables/${name}.jq`)));
  return new Proxy(table, {
    get(_, key) {
      if (!Object.hasOwn(table, key)) throw new Error(`the table of ${name} has no "${String(key)}"`);
      return table[key];
    },
  });
}

/** The numbers that decide something, with their reasons. */
export const limits: Record<string, any> = tableOf('limits');

type DriverMetric = {
  name: string;
  type: 'counter' | 'gauge' | 'trend';
  scope: 'request' | 'iteration' | 'process';
  error?: boolean;
};

/** The metrics that our driver adds to those of k6, by our word for each. */
export const driverMetrics: Record<string, DriverMetric> = tableOf('driver_metrics');
