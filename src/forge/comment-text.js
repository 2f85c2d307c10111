import { jqOver } from '../base/tools/jq.js';

/** @import { Comparison, Fingerprint } from '../../reports/schema/types.d.ts' */
/** @import { EarlierResult } from './marker.js' */

/**
 * What a comment says beside the comparison; see reports/comment.md.jq.
 * @typedef {{ title: string | null, head: string | null, site: string | null, artifact: string | null,
 *   machine: Fingerprint | null, marker: string, before: EarlierResult[] }} CommentContext
 */

/**
 * @param {Comparison} comparison
 * @param {CommentContext} context
 * @param {string} [reports] a folder whose programs shadow ours
 * @returns {Promise<string>} Markdown
 */
export const commentText = async (comparison, context, reports) =>
  (await jqOver('comment.md.jq', [comparison, context], { raw: true, reports })).trimEnd();

/**
 * @param {Comparison} comparison
 * @param {string} [reports]
 * @returns {Promise<string>} JUnit's XML
 */
export const junitText = async (comparison, reports) =>
  (await jqOver('junit.xml.jq', [comparison], { raw: true, reports })).trimEnd();
