import { absoluteUrl } from '../model/address.js';
import { xmlText } from '../model/xml.js';

/**
 * What a feed tells.
 * page: from the site's root; lines: text
 */
type FeedEntry = { title: string; time: string; page: string; lines: string[] };

/**
 * An Atom feed (RFC 4287).
 * @param feed site: where it is published; page and self: of what it is the feed, and its own address, from there; time: of
 *   its newest entry
 * @returns XML
 */
export function atom({
  title,
  site,
  page,
  self,
  time,
  entries,
}: {
  title: string;
  site: string;
  page: string;
  self: string;
  time: string;
  entries: FeedEntry[];
}): string {
  const address = (path: string) => xmlText(absoluteUrl(site, path));
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n<title>${xmlText(title)}</title>\n` +
    `<id>${address(page)}</id>\n<link href="${address(page)}"/>\n<link rel="self" href="${address(self)}"/>\n` +
    `<updated>${xmlText(time)}</updated>\n<author><name>Benchfolio</name></author>\n${entries
      .map(
        (entry) =>
          `<entry>\n<title>${xmlText(entry.title)}</title>\n<id>${address(entry.page)}</id>\n<link href="${address(entry.page)}"/>\n` +
          `<updated>${xmlText(entry.time)}</updated>\n<content type="text">${xmlText(entry.lines.join('\n') || entry.title)}</content>\n</entry>\n`,
      )
      .join('')}</feed>\n`
  );
}
