import type { Comparison, Fingerprint } from '../../reports/schema/types.d.ts';
import { jqOver } from '../base/tools/jq.js';
import type { EarlierResult } from './marker.js';

/** What a comment says beside the comparison; see reports/comment.md.jq. */
export type CommentContext = {
  title: string | null;
  head: string | null;
  site: string | null;
  artifact: string | null;
  machine: Fingerprint | null;
  marker: string;
  before: EarlierResult[];
};

/**
 * @param reports a folder whose programs shadow ours
 * @returns Markdown
 */
export const commentText = async (comparison: Comparison, context: CommentContext, reports?: string): Promise<string> =>
  (await jqOver('comment.md.jq', [comparison, context], { raw: true, reports })).trimEnd();

/** @returns JUnit's XML */
export const junitText = async (comparison: Comparison, reports?: string): Promise<string> =>
  (await jqOver('junit.xml.jq', [comparison], { raw: true, reports })).trimEnd();
