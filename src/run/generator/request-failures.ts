/**
 * As k6 prints what our driver (k6/user/counters.js) says of requests that fail: the first of each kind and user; in a
 * duet, with the side.
 */
const warning = /level=warning msg=("benchfolio(?:\[(?<side>\w+)\])?: (?:[^"\\]|\\.)*") source=console/g;

const most = { problems: 3, letters: 200 };

/**
 * How requests failed, in the words of k6's log.
 * @param logs the text of each k6 process'
 * @param side of a duet; null: there is one only
 * @returns the first different ones: "GET /: status 404"
 */
export function problemsIn(logs: string[], side: string | null = null): string[] {
  const found = new Set<string>();
  for (const { 1: quoted, groups } of logs.flatMap((log) => [...log.matchAll(warning)])) {
    if ((groups?.side ?? null) !== side) continue;
    found.add(
      unquoted(quoted)
        .replace(/^benchfolio(\[\w+\])?: /, '')
        .slice(0, most.letters),
    );
  }
  return [...found].slice(0, most.problems);
}

/** @param quoted as Go does, which is JSON but for rare letters */
function unquoted(quoted: string) {
  try {
    return JSON.parse(quoted);
  } catch {
    return quoted.slice(1, -1);
  }
}

/** k6's own words, where neither the script nor its request says how many redirects to follow. */
const stopped = / level=warning msg="Stopped after \d+ redirects and returned the redirection/g;

/**
 * How often k6 gave up following redirects, and took the last of them for the answer: it counts as one.
 * @param logs the text of each k6 process'
 */
export const redirectsStopped = (logs: string[]) =>
  logs.reduce((sum, log) => sum + [...log.matchAll(stopped)].length, 0);
