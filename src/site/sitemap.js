/**
 * For search engines: see sitemaps.org.
 * @param {import('./pages/page.js').Page[]} pages
 * @param {string} site where they will be published
 * @returns {string} XML
 */
export function sitemap(pages, site) {
  const lines = pages.map(({ url, time }) => {
    const address = new URL(`${url === 'index' ? '' : `${url.split('/').map(encodeURIComponent).join('/')}.html`}`, `${site.replace(/\/+$/, '')}/`);
    return `<url><loc>${address.href.replaceAll('&', '&amp;').replaceAll("'", '&apos;')}</loc>${time ? `<lastmod>${time}</lastmod>` : ''}</url>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('')}</urlset>\n`;
}
