/** @import { Key } from '../../../site/assets/js/latency-lines.js' */
/** @import { VegaLite } from '../../suite/vega-lite/rules.js' */
/** @import { Data } from './draw.js' */
/** @import { Patch } from './prepare.js' */

/**
 * A chart before it is drawn.
 * @typedef {object} Chart
 * @property {string} file the name of its .vl.json, without the ending
 * @property {VegaLite} [own] a spec's own Vega-Lite, in place of a file of ours
 * @property {string} title
 * @property {string} [note] what must be known before it is believed
 * @property {string} [about] how it was made, when that is not plain
 * @property {string} summary what it shows, in words, for who cannot see it
 * @property {Key[]} key what its lines are
 * @property {Patch} [patch]
 * @property {Data} data the datasets the file names, in columns; `to`: the page that a point leads
 *   to, from the site's root without ending, {field} is that of its row
 * @property {{ head: string[], rows: string[][] }} table its most telling numbers
 */

const slots = 8;

/** The colour and dashes of the i-th line, counted from 0; they repeat after eight. @param {number} i */
export const slotOf = (i) => (i % slots) + 1;

/**
 * The names of lines, for a chart whose file has a layer "names": they are put beside the lines where there is room. None where
 * there is one line only, or two have the same colour.
 * @param {string[]} texts of the lines in their order
 * @returns {Record<string, unknown>[]}
 */
export const namesOf = (texts) =>
  texts.length > 1 && texts.length <= slots ? [{ slot: texts.map((_, i) => slotOf(i)), text: texts }] : [];

export { allRounded, rounded } from '../../../site/assets/js/quantiles.js';
