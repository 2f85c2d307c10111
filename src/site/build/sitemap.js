import { absoluteUrl } from '../model/address.js';
import { xmlText } from '../model/xml.js';

/**
 * For search engines: see sitemaps.org.
 * @param {import('../pages/page.js').RenderedPage[]} pages
 * @param {string} site where they will be published
 * @returns {string} XML
 */
export function sitemap(pages, site) {
  const lines = pages.map(({ url, time }) => {
    const address = xmlText(absoluteUrl(site, url === 'index' ? '' : `${url}.html`));
    return `<url><loc>${address}</loc>${time ? `<lastmod>${time}</lastmod>` : ''}</url>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('')}</urlset>\n`;
}
