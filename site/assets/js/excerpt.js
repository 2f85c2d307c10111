const before = 50;
const length = 160;

/**
 * The part of a text where words were found, in pieces, for a line beneath a result.
 * @param {string} text
 * @param {string[]} terms words in lower case
 * @returns {{ text: string, found: boolean }[]} found: it is one of the words
 */
export function excerptOf(text, terms) {
  const escaped = [...terms]
    .sort((a, b) => b.length - a.length)
    .map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const words = escaped.length
    ? new RegExp(`(?<![\\p{L}\\p{N}])(${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
    : null;
  const first = words ? Math.max(0, text.search(words)) : 0;
  const start = first <= before ? 0 : text.indexOf(' ', first - before) + 1;
  const end = text.length <= start + length ? text.length : text.lastIndexOf(' ', start + length);
  const part = text.slice(start, Math.max(end, start));
  const pieces = words ? part.split(words) : [part];
  return [
    ...(start > 0 ? [{ text: '… ', found: false }] : []),
    ...pieces.map((piece, i) => ({ text: piece, found: i % 2 === 1 })).filter((piece) => piece.text !== ''),
    ...(end < text.length ? [{ text: ' …', found: false }] : []),
  ];
}
