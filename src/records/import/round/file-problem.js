/** What is wrong with a file of another tool: a sentence that goes on after the file's name. */
export class FileProblem extends Error {
  /**
   * @param {string} text "has no HTTP requests"
   * @param {number | null} [line] counted from one; null: no line is to blame
   */
  constructor(text, line = null) {
    super(text);
    this.name = 'FileProblem';
    this.line = line;
  }
}

/** At most 60 characters of a text, on one line. @param {unknown} value */
export function short(value) {
  const text = String(value).replace(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
