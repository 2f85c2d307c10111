import { parse, View } from 'vega';
import { rowsOf } from '../../../site/assets/js/rows.js';
import { compactSvg } from './compact-svg.js';

/**
 * Drawing again with other data takes a third of the time of a new view, so views are kept by the text of their spec.
 * @type {Map<string, View>}
 */
const views = new Map();

/**
 * Vega says what goes wrong while it draws and goes on: half a picture looks like one.
 * @type {any}
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
 * @param {Record<string, Record<string, any>[]>} data every dataset it names, in columns
 * @param {any} [interpreter] of its expressions, when they may not become functions
 * @returns {Promise<string>} an `<svg>` element
 */
export async function draw(vega, data, interpreter) {
  const view = views.get(vega) ?? viewOf(vega, interpreter);
  views.set(vega, view);
  // Marks that stay from the drawing before would keep their places, and lie above or beneath others because of it.
  for (const name of Object.keys(data)) view.data(name, []);
  await view.runAsync();
  for (const [name, sets] of Object.entries(data)) view.data(name, rowsOf(sets));
  return compactSvg(await view.toSVG());
}

/** @param {string} vega @param {any} [interpreter] */
const viewOf = (vega, interpreter) =>
  interpreter
    ? new View(parse(JSON.parse(vega), undefined, { ast: true }), {
        renderer: 'none',
        logger: strict,
        expr: interpreter,
      })
    : new View(parse(JSON.parse(vega)), { renderer: 'none', logger: strict });
