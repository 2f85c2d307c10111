import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { absoluteUrl } from '../model/address.js';
import { xmlText } from '../model/xml.js';
import type { RenderedPage } from '../pages/page.js';
import { type Before, keyOf } from './incremental.js';

/** Pages whose output depends on their own model alone. Hugo itself knows others, for example by the menu. */
const alone = ['record', 'comparison', 'version', 'system'];

/**
 * Writes the input of Hugo: assets/pages.json (a list of them), assets/pages/ (what each prints) and
 * assets/live/ (Vega specs for the browser); and, where the pages will be, the JSON and CSV beside them. A page that is as it was
 * in the build before is taken over from it: Hugo does not get such a page.
 * @param build site: where it will be published, for the sitemap, null: not known; frame: of what all pages are made beside
 *   their models
 * @returns how many pages Hugo has to make
 */
export function layOut(
  folder: string,
  destination: string,
  pages: RenderedPage[],
  { live, site, before, frame }: { live: Map<string, string>; site: string | null; before: Before; frame: string },
): number {
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
  const folderOf = (file: string) => {
    const folder = dirname(file);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
  };
  return {
    folderOf,
    file(file: string, text: string) {
      folderOf(file);
      writeFileSync(file, text);
    },
  };
}

/**
 * For search engines: see sitemaps.org.
 * @param site where they will be published
 * @returns XML
 */
function sitemap(pages: RenderedPage[], site: string): string {
  const lines = pages.map(({ url, time }) => {
    const address = xmlText(absoluteUrl(site, url === 'index' ? '' : `${url}.html`));
    return `<url><loc>${address}</loc>${time ? `<lastmod>${time}</lastmod>` : ''}</url>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('')}</urlset>\n`;
}
