import { formatCount } from '../../base/format.js';
import type { Draw } from '../charts/drawings.js';
import type { Entry } from '../collect/collect-record.js';
import type { TableSpec } from '../collect/declared-parts.js';
import type { System } from '../collect/systems.js';
import { chosen, inSpecOrder } from '../model/shown-cases.js';
import type { Overview } from '../model/site-model.js';
import { drawDeclared } from './declared-charts.js';
import { type DeclaredTable, declaredTable } from './declared-table.js';
import { hrefOf } from './page.js';

/**
 * What a spec declares for its page beside its scenarios: tables, charts, published numbers, files.
 */

/** The tables of a spec are of its own load; a load that was searched has a page of its own. */
export const asDeclared = (entries: Entry[]) => entries.filter(({ record }) => !record.search);

/**
 * The tables of a spec over some cases. In the model a table has the address of its CSV.
 * @param beside where the CSV files lie, without ending
 */
export async function tablesOf(system: System, all: Entry[], overview: Overview, beside: string) {
  const entries = asDeclared(all);
  // A version that did not measure a table's scenarios has no such table.
  const wishes = system.tables.filter((wish) => chosen(wish, entries).length);
  const tables = await Promise.all(wishes.map((wish) => declaredTable(wish, entries, system, overview)));
  const addresses = wishes.map((_, i) => `${beside}-${i + 1}.csv`);
  return {
    shown: tables.map(({ shown }, i) => ({
      ...shown,
      csv: `/${addresses[i]}`,
      scenario: wishes[i].scenario ?? null,
      reference: referenceOf(shown, wishes[i], system),
    })),
    json: tables.map(({ json }) => json),
    files: Object.fromEntries(tables.map(({ csv }, i) => [addresses[i], csv])),
  };
}

/**
 * @param all of the system, oldest version first
 * @param current as last measured
 */
export async function resultsOf(system: System, all: Entry[], current: Entry[], overview: Overview, draw: Draw) {
  const [everything, newest] = [all, current].map((entries) => inSpecOrder(asDeclared(entries), system));
  const choose = ({ series }: { series?: string }) => (series === 'version' ? everything : newest);
  const { problems, ...drawn } = await drawDeclared(system.charts, choose, overview.names, draw);
  const tables = await tablesOf(system, current, overview, `systems/${system.name}/table`);
  const unmeasured = system.tables
    .filter((wish) => !chosen(wish, current).length)
    .map(({ title }) => ({ title, reason: 'not measured yet' }));
  return {
    tables,
    problems,
    model: {
      ...drawn,
      undrawn: all.length ? [...unmeasured, ...drawn.undrawn] : [],
      tables: tables.shown,
      references: system.references.map((reference, at) => ({
        ...reference,
        id: idOf(at),
        href: addressOf(reference.source),
      })),
      attachments: system.attachments.map((attachment) => ({
        ...attachment,
        size: `${formatCount(attachment.bytes)} bytes`,
      })),
    },
  };
}

/**
 * What the published columns of a table are from.
 * @returns null: it has none
 */
function referenceOf(
  { head }: DeclaredTable,
  { published }: TableSpec,
  { name, references }: System,
): { href: string; title: string } | null {
  const at = references.findIndex(({ title }) => title === published?.reference);
  if (at < 0 || !head.some((column) => column.published)) return null;
  return { href: hrefOf(`systems/${name}`, idOf(at)), title: references[at].title };
}

/** A reference's place on the page of its system. */
const idOf = (at: number) => `reference-${at + 1}`;

/** Only what a browser can open without running anything is a link. */
const addressOf = (source: string) => (/^https?:\/\/\S+$/i.test(source) ? source : '');
