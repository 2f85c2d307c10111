import { parse, View } from 'vega';
import { rowsOf } from '../../../site/assets/js/rows.js';
import { compactSvg } from './compact-svg.js';
import { placeLabels } from './place-labels.js';
import { columnsOf } from './points.js';

/** @import { ViewOptions } from 'vega' */
/** @import { DrawnLine } from './place-labels.js' */

/**
 * Datasets by name, each in columns: see rowsOf.
 * @typedef {Record<string, any>} Columns
 * @typedef {Record<string, Columns[]>} Data
 *
 * @typedef {ViewOptions['expr']} Interpreter
 * @typedef {NonNullable<ViewOptions['logger']>} Logger
 *
 * A mark of Vega's scene, as much of it as is read here.
 * @typedef {{ marktype: string, items: Item[] }} Mark
 * @typedef {{ items?: Mark[], defined?: boolean, datum?: { slot?: unknown }, x: number, y: number }} Item
 */

/**
 * Drawing again with other data takes a third of the time of a new view, so views are kept by the text of their spec.
 * @type {Map<string, View>}
 */
const views = new Map();

/**
 * Vega says what goes wrong while it draws and goes on: half a picture looks like one.
 * @type {Logger}
 */
const strict = {
  warn: () => strict,
  info: () => strict,
  debug: () => strict,
  level: () => strict,
  error: (/** @type {unknown} */ message) => {
    throw message instanceof Error ? message : new Error(String(message));
  },
};

/**
 * Draws a chart.
 * @param {string} vega the compiled chart's text
 * @param {Data} data every dataset it names, in columns
 * @param {Interpreter} [interpreter] of its expressions, when they may not become functions
 * @returns {Promise<string>} an `<svg>` element
 */
export async function draw(vega, data, interpreter) {
  const view = await viewWith(vega, data, interpreter);
  return compactSvg(await view.toSVG());
}

/**
 * Draws a chart of ours, with the names of lines beside them where there is room. Its dataset "names" has them before
 * (slot, text), and those that have a place after (left, middle, in pixels).
 * @param {string} vega the compiled chart's text
 * @param {Data} data
 * @returns {Promise<{ svg: string, data: Data }>} data: for the browser, which draws the same
 */
export async function drawLabelled(vega, data) {
  if (!data.names?.length) return { svg: await draw(vega, data), data };
  const view = await viewWith(vega, { ...data, names: [] });
  const plot = { width: view.width(), height: view.height() };
  const names = /** @type {{ slot: unknown, text: string }[]} */ (rowsOf(data.names));
  const labels = placeLabels(
    names,
    linesIn(/** @type {{ root: Mark }} */ (/** @type {unknown} */ (view.scenegraph())).root),
    plot,
  );
  view.data('names', labels);
  return {
    svg: compactSvg(await view.toSVG()),
    data: { ...data, names: labels.length ? [columnsOf(labels)] : [] },
  };
}

/**
 * Every line of a scene.
 * @param {Mark} mark
 * @returns {DrawnLine[]}
 */
function linesIn({ marktype, items }) {
  if (marktype === 'group') return items.flatMap((group) => (group.items ?? []).flatMap(linesIn));
  const points = marktype === 'line' ? items.filter(({ defined }) => defined !== false) : [];
  return points.length ? [{ slot: points[0].datum?.slot, points }] : [];
}

/**
 * @param {string} vega
 * @param {Data} data
 * @param {Interpreter} [interpreter]
 * @returns {Promise<View>} drawn
 */
async function viewWith(vega, data, interpreter) {
  const view = views.get(vega) ?? viewOf(vega, interpreter);
  views.set(vega, view);
  // Marks that stay from the drawing before would keep their places, and lie above or beneath others because of it.
  for (const name of Object.keys(data)) view.data(name, []);
  await view.runAsync();
  for (const [name, sets] of Object.entries(data)) view.data(name, rowsOf(sets));
  return view.runAsync();
}

/** @param {string} vega @param {Interpreter} [interpreter] */
const viewOf = (vega, interpreter) =>
  interpreter
    ? new View(parse(JSON.parse(vega), undefined, { ast: true }), {
        renderer: 'none',
        logger: strict,
        expr: interpreter,
      })
    : new View(parse(JSON.parse(vega)), { renderer: 'none', logger: strict });
