/**
 * Where a text stops being TOML.
 * @param {unknown} error of smol-toml
 * @param {string} text
 * @returns {{ line: number, column: number, length: number, message: string, hint: string | null }}
 */
export function brokenToml(error, text) {
  const { message, line, column } = /** @type {Error & { line?: number, column?: number }} */ (error);
  if (line === undefined || column === undefined) throw error;
  const reason = message.replace(/^Invalid TOML document: /, '').split('\n')[0];
  const source = text.split(/\r?\n/)[line - 1] ?? '';
  return { line, column, length: 1, message: `this is not TOML: ${reason}`, hint: hintFor(source, column) };
}

/** What it nearly always is. @param {string} source @param {number} column from 1 @returns {string | null} */
function hintFor(source, column) {
  const quotes = source.replaceAll('\\"', '').split('"').length - 1;
  if (column > source.trimEnd().length && quotes % 2) return 'Is a closing quote missing?';
  const bare = /=\s*([A-Za-z0-9][\w.-]*)\s*(#.*)?$/.exec(source)?.[1];
  return bare && !/^(true|false|[\d._+-]+)$/.test(bare) ? `Texts and durations have quotes: "${bare}".` : null;
}
