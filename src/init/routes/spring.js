import { joinPath } from './join-path.js';

/** @import { Source } from './common.js' */

const mapping = /@(Get|Request)Mapping\b(?:\s*\(([^()]*)\))?/g;

/** What a mapping says beside its path. */
const beside = /\b(?:produces|consumes|params|headers|name)\s*=\s*(?:[{[][^}\]]*[}\]]|"[^"]*"|[\w.]+)/g;

/** A parameter of the query without which the answer is 400. */
const requiredParameter = /@RequestParam(?!\s*\([^)]*(?:required\s*=\s*false|defaultValue))/;

/**
 * What the controllers of Spring answer to GET, in Java and Kotlin: what stands above the class is for all of it.
 * @param {Source[]} sources
 * @returns {string[]}
 */
export const springRoutes = (sources) =>
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

/** @param {RegExpMatchArray} match @returns {{ get: boolean, paths: string[] }} paths: none where no text says them */
function pathsIn([, kind, given = '']) {
  const rest = given.replace(beside, '');
  const get = kind === 'Get' || !/\bmethod\b/.test(rest) || /\bGET\b/.test(rest);
  const paths = [...rest.matchAll(/"([^"]*)"/g)].map(([, path]) => path);
  const constant = /[A-Za-z]/.test(
    rest.replace(/"[^"]*"|\b(?:value|path)\s*=|\bmethod\s*=\s*(?:[{[][^}\]]*[}\]]|[\w.]+)/g, ''),
  );
  return { get, paths: paths.length > 0 || constant ? paths : [''] };
}
