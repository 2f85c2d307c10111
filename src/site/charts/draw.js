import { View, parse } from 'vega';
import { rowsOf } from '../../../site/assets/js/rows.js';
import { compactSvg } from './compact-svg.js';

/**
 * Drawing again with other data takes a third of the time of a new view, so views are kept by the text of their spec.
 * @type {Map<string, View>}
 */
const views = new Map();

/**
 * Draws a chart.
 * @param {string} vega the compiled chart's text
 * @param {Record<string, Record<string, any>[]>} data every dataset it names, in columns
 * @returns {Promise<string>} an `<svg>` element
 */
export async function draw(vega, data) {
  const view = views.get(vega) ?? new View(parse(JSON.parse(vega)), { renderer: 'none' });
  views.set(vega, view);
  // Marks that stay from the drawing before would keep their places, and lie above or beneath others because of it.
  for (const name of Object.keys(data)) view.data(name, []);
  await view.runAsync();
  for (const [name, sets] of Object.entries(data)) view.data(name, rowsOf(sets));
  return compactSvg(await view.toSVG());
}
