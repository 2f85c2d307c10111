import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sitemap } from './sitemap.js';

/**
 * Writes what Hugo takes its pages from: assets/pages.json (a list of them), assets/pages/ (what each prints) and
 * assets/live/ (Vega specs for the browser); and, where the pages will be, the JSON and CSV beside them.
 * @param {string} folder
 * @param {string} destination
 * @param {import('./pages/page.js').Page[]} pages
 * @param {Map<string, string>} live
 * @param {string | null} site where it will be published, for the sitemap; null: not known
 */
export function layOut(folder, destination, pages, live, site) {
  const write = writerOf();
  const index = pages.map(({ kind, url, title, description, time, files }) => (
    { kind, url, title, description, time, model: `pages/${url}.json`, beside: Object.keys(files) }));
  write(join(folder, 'assets', 'pages.json'), JSON.stringify(index));
  for (const { url, model, files, beneath = {} } of pages) {
    write(join(folder, 'assets', 'pages', `${url}.json`), JSON.stringify(model));
    for (const [ending, text] of Object.entries(files)) write(join(destination, `${url}.${ending}`), text);
    for (const [path, text] of Object.entries(beneath)) write(join(destination, path), text);
  }
  if (site !== null) write(join(destination, 'sitemap.xml'), sitemap(pages, site));
  for (const [name, text] of live) write(join(folder, 'assets', 'live', `${name}.json`), text);
}

/** Thousands of small files, and nothing else to do meanwhile: written synchronously they take a fifth of the time. */
function writerOf() {
  const made = new Set();
  return (/** @type {string} */ file, /** @type {string} */ text) => {
    const folder = dirname(file);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
    writeFileSync(file, text);
  };
}
