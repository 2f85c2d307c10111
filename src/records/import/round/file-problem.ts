/** What is wrong with a file of another tool: a sentence that goes on after the file's name. */
export class FileProblem extends Error {
  line: number | null;

  /**
   * @param text "has no HTTP requests"
   * @param line counted from one; null: no line is to blame
   */
  constructor(text: string, line: number | null = null) {
    super(text);
    this.name = 'FileProblem';
    this.line = line;
  }
}

/** At most 60 characters of a text, on one line. */
export function short(value: unknown) {
  const text = String(value).replace(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
