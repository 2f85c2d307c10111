/** What site/layouts/_partials/charts-script.html hands to charts.js: the page's charts, compiled to Vega, by name. */
declare module '@params' {
  export const charts: Record<string, import('vega').Spec>;
}
