/** A file, and its text without comments. */
export type Source = { file: string; text: string };

/** What a service answers to; method: in capitals */
export type Route = { method: string; path: string };

/** Methods of HTTP as routers call them. */
export const verbs = 'get|post|put|patch|delete';

export const toGet = (path: string): Route => ({ method: 'GET', path });

/** Go: net/http, chi, gin, echo. */
const inGo = [
  new RegExp(`\\.(${verbs})\\(\\s*["\`](/[^"\`]*)["\`]`, 'gi'),
  /\bHandle(?:Func)?\(\s*"(?:(GET|POST|PUT|PATCH|DELETE) )?(\/[^"]*)"/g,
];

export const goRoutes = (sources: Source[]): Route[] =>
  sources.flatMap(({ text }) =>
    inGo.flatMap((pattern) =>
      [...text.matchAll(pattern)].map(([, method = 'GET', path]) => ({ method: method.toUpperCase(), path })),
    ),
  );

/** A server without a framework compares what it was asked for. */
const compared = /\.(?:url|path)\s*===?\s*['"](\/[^'"]*)['"]/g;

export const comparedPaths = (text: string): Route[] => [...text.matchAll(compared)].map(([, path]) => toGet(path));

/**
 * What stands between a bracket and the one that closes it. Brackets in texts count too: routes have few.
 * @param at where the opening bracket is
 * @returns without both; to the end where none closes it
 */
export function inBrackets(text: string, at: number): string {
  let depth = 0;
  for (let i = at; i < text.length; i += 1) {
    if ('([{'.includes(text[i])) depth += 1;
    else if (')]}'.includes(text[i])) depth -= 1;
    if (depth === 0) return text.slice(at + 1, i);
  }
  return text.slice(at + 1);
}
