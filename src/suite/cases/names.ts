import type { Value } from './sweep.js';

/**
 * The name of a case: its scenario, then `,key=value` for each swept parameter in the order of their keys. It is a file
 * name and a part of an address, so whatever is not safe in both becomes `_`.
 * @param values the swept ones
 * @returns hello,rate=1000
 */
export function caseName(scenario: string, values: Record<string, Value>): string {
  const safe = (key: string) => String(values[key]).replace(/[^A-Za-z0-9.+-]/g, '_');
  const parts = Object.keys(values)
    .sort()
    .map((key) => `,${key}=${safe(key)}`);
  return scenario + parts.join('');
}

/** A file name holds 255 bytes; `.json` and a temporary suffix come after this. */
const longest = 200;

/**
 * Says why the names of some cases cannot be file names, if they cannot.
 * @param cases of one scenario in one environment
 */
export function nameProblem(cases: { name: string; values: Record<string, unknown> }[]): string | null {
  const long = cases.find(({ name }) => name.length > longest);
  if (long) {
    return `the case name "${long.name.slice(0, 60)}…" has ${long.name.length} characters, ${longest} is the most`;
  }
  const seen: Map<string, Record<string, unknown>> = new Map();
  for (const { name, values } of cases) {
    const same = seen.get(name.toLowerCase()); // some file systems do not tell cases of letters apart
    if (same) return `${show(same)} and ${show(values)} would both be the case "${name}"`;
    seen.set(name.toLowerCase(), values);
  }
  return null;
}

const show = (values: Record<string, unknown>) =>
  Object.entries(values)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    .join(', ');
