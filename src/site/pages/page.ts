import type { SiteProblem } from '../collect/spec-problem.js';

/** One page of the site: what its template prints and what lies beside it for other programs. */
export type Page = {
  /** the template: home, changes, compare, system, trends, calibration, version, comparison, record */
  kind: string;
  /** from the site's root, without .html */
  url: string;
  title: string;
  /** one sentence, for search engines and link previews */
  description: string;
  /** ISO, of the newest number on it; '' when there is none */
  time: string;
  /** what the template prints */
  model: Record<string, any>;
  /** what lies beside it, by ending */
  files: Record<string, string>;
  /** what else belongs to it, by path from the site's root */
  beneath?: Record<string, string>;
  /** what it had to leave out */
  problems?: SiteProblem[];
};

/** text: its model, as JSON */
export type RenderedPage = Omit<Page, 'model'> & { text: string };

/**
 * @param url of a page, from the site's root without .html
 * @param anchor an id in it
 * @returns as it stands in a link; Hugo makes it relative
 */
export const hrefOf = (url: string, anchor?: string): string => `/${url}.html${anchor ? `#${anchor}` : ''}`;

/**
 * A link as templates print it.
 * @param url of a page
 * @param anchor an id in it
 */
export const link = (text: string, url: string, anchor?: string) => ({ text, url: hrefOf(url, anchor) });
