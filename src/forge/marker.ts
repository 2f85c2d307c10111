/**
 * What was posted at one time.
 * head: a commit
 */
export type EarlierResult = {
  head: string | null;
  time: string;
  verdict: string;
  text: string;
  problems: { case: string; what: string }[];
};

/**
 * What the comment of a suite and a key is found by; it is hidden.
 * @param names suite: its folder in the repository
 */
export const markerOf = ({ suite, key }: { suite: string; key: string }): string =>
  `benchfolio ${encodeURIComponent(suite || '.')} ${encodeURIComponent(key)}`;

/**
 * What a comment has said, the last result first: its last line carries it.
 * @returns null: it has another marker or none
 */
export function resultsIn(body: string, marker: string): EarlierResult[] | null {
  const last = body.trimEnd().split(/\r?\n/).at(-1) ?? '';
  const [, found, carried] = /^<!-- (benchfolio \S+ \S+) (\S*) -->$/.exec(last) ?? [];
  return found === marker ? decoded(carried) : null;
}

/** A damaged line is ours all the same; the results before are lost then. */
function decoded(carried: string) {
  try {
    const results = JSON.parse(Buffer.from(carried, 'base64').toString('utf8'));
    return Array.isArray(results) && results.every(isResult) ? results : [];
  } catch {
    return [];
  }
}

function isResult(value: unknown): value is EarlierResult {
  const { head, time, text, problems } = Object(value) as Record<string, unknown>;
  return (
    isText(time) &&
    isText(text) &&
    (head === null || isText(head)) &&
    Array.isArray(problems) &&
    problems.every((it) => isText(it?.case) && isText(it.what))
  );
}

const isText = (value: unknown) => typeof value === 'string';
