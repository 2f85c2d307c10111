import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { absoluteUrl } from '../model/address.js';
import { xmlText } from '../model/xml.js';
import { keyOf } from './incremental.js';

/** @import { RenderedPage } from '../pages/page.js' */
/** @import { Before } from './incremental.js' */

/** Pages whose output depends on their own model alone. Hugo itself knows others, for example by the menu. */
const alone = ['record', 'comparison', 'version', 'system'];

/**
 * Writes what Hugo takes its pages from: assets/pages.json (a list of them), assets/pages/ (what each prints) and
 * assets/live/ (Vega specs for the browser); and, where the pages will be, the JSON and CSV beside them. What is as it was
 * in the build before is taken over from it: Hugo does not get such a page.
 * @param {string} folder
 * @param {string} destination
 * @param {RenderedPage[]} pages
 * @param {{ live: Map<string, string>, site: string | null, before: Before, frame: string }} build
 *   site: where it will be published, for the sitemap, null: not known; frame: of what all pages are made beside their models
 * @returns {number} how many pages Hugo has to make
 */
export function layOut(folder, destination, pages, { live, site, before, frame }) {
  const write = writerOf();
  const entries = [];
  for (const page of pages) {
    const { kind, url, title, description, time, text: model, files, beneath = {} } = page;
    const beside = [
      ...Object.entries(files).map(([ending, text]) => [`${url}.${ending}`, text]),
      ...Object.entries(beneath),
    ];
    for (const [path, text] of beside) {
      write.folderOf(join(destination, path));
      if (!before.takeOver(path, keyOf(text), destination)) write.file(join(destination, path), text);
    }
    const entry = { kind, url, title, description, time, model: `pages/${url}.json`, beside: Object.keys(files) };
    if (
      alone.includes(kind) &&
      before.takeOver(`${url}.html`, keyOf([frame, JSON.stringify(entry), model].join('\n')), destination)
    )
      continue;
    entries.push(entry);
    write.file(join(folder, 'assets', 'pages', `${url}.json`), model);
  }
  write.file(join(folder, 'assets', 'pages.json'), JSON.stringify(entries));
  if (site !== null) write.file(join(destination, 'sitemap.xml'), sitemap(pages, site));
  for (const [name, text] of live) write.file(join(folder, 'assets', 'live', `${name}.json`), text);
  return entries.length;
}

/** Thousands of small files, and nothing else to do meanwhile: written synchronously they take a fifth of the time. */
function writerOf() {
  const made = new Set();
  const folderOf = (/** @type {string} */ file) => {
    const folder = dirname(file);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
  };
  return {
    folderOf,
    file(/** @type {string} */ file, /** @type {string} */ text) {
      folderOf(file);
      writeFileSync(file, text);
    },
  };
}

/**
 * For search engines: see sitemaps.org.
 * @param {RenderedPage[]} pages
 * @param {string} site where they will be published
 * @returns {string} XML
 */
function sitemap(pages, site) {
  const lines = pages.map(({ url, time }) => {
    const address = xmlText(absoluteUrl(site, url === 'index' ? '' : `${url}.html`));
    return `<url><loc>${address}</loc>${time ? `<lastmod>${time}</lastmod>` : ''}</url>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('')}</urlset>\n`;
}
