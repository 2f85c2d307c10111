/** What the partials of scripts hand over: charts-script.html to charts.js, search-script.html to search.js. */
declare module '@params' {
  /** The page's charts, compiled to Vega, by name. */
  export const charts: Record<string, import('vega').Spec>;

  /** The documentation, in parts. url: from the site's root; heading: '' for what stands above the first. */
  export type Section = { url: string; page: string; heading: string; text: string };
  export const sections: Section[];
}
