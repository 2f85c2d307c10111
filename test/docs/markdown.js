/** What is code in a plain text: a placeholder or table in braces, a list, a key in brackets, a word in quotes, an option. */
const code =
  /\$?\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}(?:\/(?!\S))?|\[\[?[^\]]+\]\]?|"[^"]+"|(?<![\w-])--[a-z][a-z-]*(?: quick)?/g;

/** What Markdown would take for markup. @param {string} text */
const escaped = (text) => text.replace(/[\\*_<>[\]#]/g, '\\$&');

/**
 * A plain text as Markdown: code in backquotes, what it has in backquotes as it is.
 * @param {string} text
 * @returns {string}
 */
export const markdown = (text) =>
  text
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith('`') ? part : marked(part)))
    .join('');

/** @param {string} text */
function marked(text) {
  let end = 0;
  let out = '';
  for (const { 0: found, index } of text.matchAll(code)) {
    out += `${escaped(text.slice(end, index))}\`${found}\``;
    end = index + found.length;
  }
  return out + escaped(text.slice(end));
}

/** The anchor of a heading, on GitHub and on the site. @param {string} heading */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
