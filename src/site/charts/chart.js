/**
 * A chart before it is drawn.
 * @typedef {object} Chart
 * @property {string} file the name of its .vl.json, without the ending
 * @property {string} title
 * @property {string} [note] what must be known before it is believed
 * @property {string} [about] how it was made, when that is not plain
 * @property {string} summary what it shows, in words, for who cannot see it
 * @property {Key[]} key what its lines are
 * @property {import('./prepare.js').Patch} [patch]
 * @property {Record<string, Record<string, any>[]>} data the datasets the file names, in columns
 * @property {{ head: string[], rows: string[][] }} table its most telling numbers
 *
 * @typedef {{ slot: string | number, text: string }} Key slot: the colour and dashes, as in the stylesheet
 */

const slots = 8;

/** The colour and dashes of the i-th line, counted from 0; they repeat after eight. @param {number} i */
export const slotOf = (i) => (i % slots) + 1;

/** Four significant digits: more cannot be seen, and they would be most of a page. @param {number | null} value */
export const rounded = (value) => (value === null ? null : Number(value.toPrecision(4)));

/** @param {(number | null)[]} values */
export const allRounded = (values) => values.map(rounded);
