import type { Source } from './common.js';
import { joinPath } from './join-path.js';

const mapping = /@(Get|Request)Mapping\b(?:\s*\(([^()]*)\))?/g;

/** What a mapping says beside its path. */
const beside = /\b(?:produces|consumes|params|headers|name)\s*=\s*(?:[{[][^}\]]*[}\]]|"[^"]*"|[\w.]+)/g;

/** A parameter of the query without which the answer is 400. */
const requiredParameter = /@RequestParam(?!\s*\([^)]*(?:required\s*=\s*false|defaultValue))/;

/** What the controllers of Spring answer to GET, in Java and Kotlin: an annotation above the class is for all of it. */
export const springRoutes = (sources: Source[]): string[] =>
  sources
    .filter(({ text }) => /@(?:Rest)?Controller\b/.test(text))
    .flatMap(({ text }) => {
      const inside = /\b(?:class|interface)\s+\w+/.exec(text)?.index ?? 0;
      const all = [...text.matchAll(mapping)].map((match) => ({
        ...pathsIn(match),
        at: match.index,
        end: match.index + match[0].length,
      }));
      const above = all.filter(({ at }) => at < inside).flatMap(({ paths }) => paths)[0] ?? '';
      return all
        .filter(({ at, get }) => at >= inside && get)
        .flatMap(({ paths, end }) => {
          const query = requiredParameter.test(
            /^[\s\S]{0,600}?(?=\{\s*$|@\w+Mapping|$(?![\s\S]))/m.exec(text.slice(end))?.[0] ?? '',
          )
            ? '?…'
            : '';
          return paths.map((path) => `${joinPath(above, path)}${query}`);
        });
    });

/** @returns paths: none where no text says them */
function pathsIn([, kind, given = '']: RegExpMatchArray): { get: boolean; paths: string[] } {
  const rest = given.replace(beside, '');
  const get = kind === 'Get' || !/\bmethod\b/.test(rest) || /\bGET\b/.test(rest);
  const paths = [...rest.matchAll(/"([^"]*)"/g)].map(([, path]) => path);
  const constant = /[A-Za-z]/.test(
    rest.replace(/"[^"]*"|\b(?:value|path)\s*=|\bmethod\s*=\s*(?:[{[][^}\]]*[}\]]|[\w.]+)/g, ''),
  );
  return { get, paths: paths.length > 0 || constant ? paths : [''] };
}
