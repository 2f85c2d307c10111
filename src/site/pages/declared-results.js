import { formatCount } from '../../base/format.js';
import { chosen, inSpecOrder } from '../model/shown-cases.js';
import { drawDeclared } from './declared-charts.js';
import { declaredTable } from './declared-table.js';
import { hrefOf } from './page.js';

/** @import { Draw } from '../charts/drawings.js' */
/** @import { TableSpec } from '../collect/declared-parts.js' */
/** @import { Entry } from '../collect/collect-record.js' */
/** @import { System } from '../collect/systems.js' */
/** @import { Overview } from '../model/site-model.js' */
/** @import { DeclaredTable } from './declared-table.js' */

/**
 * What a spec declares for its page beside its scenarios: tables, charts, published numbers, files.
 */

/** What a spec declares is of its own load; one that was searched has a page of its own. @param {Entry[]} entries */
export const asDeclared = (entries) => entries.filter(({ record }) => !record.search);

/**
 * The tables of a spec over some cases. In the model a table has the address of its CSV.
 * @param {System} system
 * @param {Entry[]} all
 * @param {Overview} overview
 * @param {string} beside where the CSV files lie, without ending
 */
export async function tablesOf(system, all, overview, beside) {
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
 * @param {System} system
 * @param {Entry[]} all of the system, oldest version first
 * @param {Entry[]} current as last measured
 * @param {Overview} overview
 * @param {Draw} draw
 */
export async function resultsOf(system, all, current, overview, draw) {
  const [everything, newest] = [all, current].map((entries) => inSpecOrder(asDeclared(entries), system));
  const choose = (/** @type {{ series?: string }} */ { series }) => (series === 'version' ? everything : newest);
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
 * @param {DeclaredTable} shown
 * @param {TableSpec} wish
 * @param {System} system
 * @returns {{ href: string, title: string } | null} null: it has none
 */
function referenceOf({ head }, { published }, { name, references }) {
  const at = references.findIndex(({ title }) => title === published?.reference);
  if (at < 0 || !head.some((column) => column.published)) return null;
  return { href: hrefOf(`systems/${name}`, idOf(at)), title: references[at].title };
}

/** A reference's place on the page of its system. @param {number} at */
const idOf = (at) => `reference-${at + 1}`;

/** Only what a browser can open without running anything is a link. @param {string} source */
const addressOf = (source) => (/^https?:\/\/\S+$/i.test(source) ? source : '');
