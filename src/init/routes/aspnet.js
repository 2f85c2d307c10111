import { joinPath } from './join-path.js';

/** @import { Source } from './common.js' */

/**
 * What ASP.NET answers to GET: by its minimal API, with groups, and by controllers.
 * @param {Source[]} sources
 * @returns {string[]}
 */
export const aspNetRoutes = (sources) => sources.flatMap(({ text }) => [...minimal(text), ...ofControllers(text)]);

/** @param {Source[]} sources @returns {string[]} what answers whether the service is well, whatever it is called */
export const aspNetHealth = (sources) =>
  sources
    .filter(({ file }) => file.endsWith('.cs'))
    .flatMap(({ text }) => [...text.matchAll(/\.MapHealthChecks\(\s*"([^"]+)"/g)].map(([, path]) => joinPath(path)));

/** @param {string} text */
function minimal(text) {
  /** @type {Map<string, string>} in the order in which they are made: one may be in another */
  const groups = new Map();
  for (const [, name, from, path] of text.matchAll(/(\w+)\s*=\s*(\w+)\s*\.MapGroup\(\s*"([^"]*)"/g)) {
    groups.set(name, joinPath(groups.get(from) ?? '', path));
  }
  return [...text.matchAll(/(\w+)\s*\.MapGet\(\s*"([^"]*)"/g)].map(([, on, path]) =>
    joinPath(groups.get(on) ?? '', path),
  );
}

/** @param {string} text */
function ofControllers(text) {
  const found = /\bclass\s+(\w+?)(?:Controller)?\b/.exec(text);
  if (found === null || !/\[(?:ApiController|HttpGet|Route)\b/.test(text)) return [];
  const above = [...text.slice(0, found.index).matchAll(/\[(?:\w+,\s*)*Route\(\s*"([^"]*)"/g)][0]?.[1] ?? '';
  return [...text.slice(found.index).matchAll(/\[(?:\w+,\s*)*HttpGet(?:\(\s*(?:"([^"]*)")?[^)]*\))?/g)].map(
    ([, path = '']) => {
      const own = path.replace(/^~/, '');
      return (own.startsWith('/') ? own : joinPath(above, own)).replace('[controller]', found[1]);
    },
  );
}
