/**
 * The choices: versions newest first, and their records.
 * @typedef {{ version: string, kept: boolean, system: string, environment: string, case: string, time: string,
 *   verdict: string, record: string }} Listed as in index.json
 * @typedef {{ version: string, kept: boolean, records: Listed[] }} CatalogVersion
 * @typedef {{ versions: Map<string, CatalogVersion>, records: Map<string, Listed> }} Catalog by their names in links
 */

/**
 * @param {{ records: Listed[] }} index index.json, oldest version first
 * @returns {Catalog}
 */
export function catalogOf({ records }) {
  /** @type {Map<string, CatalogVersion>} */
  const versions = new Map();
  for (const one of records) {
    const version = versions.get(one.version) ?? { version: one.version, kept: one.kept, records: [] };
    version.records.push(one);
    versions.set(one.version, version);
  }
  return {
    versions: new Map([...versions].reverse()),
    records: new Map(records.map((one) => [`${one.version}/${caseOf(one)}`, one])),
  };
}

/** @param {{ system: string, environment: string, case: string }} one */
export const caseOf = (one) => [one.system, one.environment, one.case].join('/');

/** The page of a record. @param {{ record: string }} listed */
export const pageOf = ({ record }) => record.replace(/\.json$/, '.html');

/**
 * Cases in the order people expect: numbers in their names by size.
 * @param {{ system: string, environment: string, case: string }} a
 * @param {{ system: string, environment: string, case: string }} b
 */
export const byCase = (a, b) =>
  order.compare(a.system, b.system) || order.compare(a.environment, b.environment) || order.compare(a.case, b.case);

const order = new Intl.Collator('en', { numeric: true });
