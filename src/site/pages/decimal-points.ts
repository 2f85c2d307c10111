/** As wide as a digit, and as the point, where figures are tabular. */
const [digit, point] = ['\u2007', '\u2008'];

/**
 * Makes the decimal points of each column stand beneath each other: a number with fewer decimals gets room after it, which looks
 * like nothing and is read as nothing. What is not a plain number has none.
 */
export function withDecimalPoints<T extends { text: string }>(rows: T[][]): (T & { pad?: string })[][] {
  const decimals = rows.map((cells) => cells.map(({ text }) => decimalsOf(text)));
  const most = (decimals[0] ?? []).map((_, column) => Math.max(...decimals.map((row) => row[column] ?? 0)));
  return rows.map((cells, i) =>
    cells.map((cell, column) => {
      const own = decimals[i][column];
      if (own === null || own === most[column]) return cell;
      return { ...cell, pad: (own === 0 ? point : '') + digit.repeat(most[column] - own) };
    }),
  );
}

/** @returns null: it is not a plain number */
function decimalsOf(text: string): number | null {
  const [found, decimals = ''] = /^[+−]?[\d,]+(?:\.(\d+))?$/.exec(text) ?? [];
  return found === undefined ? null : decimals.length;
}
