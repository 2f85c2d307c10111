/** @import { SiteProblem } from '../collect/spec-problem.js' */

/**
 * One page of the site: what its template prints and what lies beside it for other programs.
 * @typedef {object} Page
 * @property {string} kind the template: home, changes, compare, system, trends, calibration, version, comparison, record
 * @property {string} url from the site's root, without .html
 * @property {string} title
 * @property {string} description one sentence, for search engines and link previews
 * @property {string} time ISO, of the newest number on it; '' when there is none
 * @property {Record<string, any>} model what the template prints
 * @property {Record<string, string>} files what lies beside it, by ending
 * @property {Record<string, string>} [beneath] what else belongs to it, by path from the site's root
 * @property {SiteProblem[]} [problems] what it had to leave out
 *
 * @typedef {Omit<Page, 'model'> & { text: string }} RenderedPage text: its model, as JSON
 */

/**
 * @param {string} url of a page, from the site's root without .html
 * @param {string} [anchor] an id in it
 * @returns {string} as it stands in a link; Hugo makes it relative
 */
export const hrefOf = (url, anchor) => `/${url}.html${anchor ? `#${anchor}` : ''}`;

/** A link as templates print it. @param {string} text @param {string} url of a page @param {string} [anchor] an id in it */
export const link = (text, url, anchor) => ({ text, url: hrefOf(url, anchor) });
