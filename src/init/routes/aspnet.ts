import type { Source } from './common.js';
import { joinPath } from './join-path.js';

/** What ASP.NET answers to GET: by its minimal API, with groups, and by controllers. */
export const aspNetRoutes = (sources: Source[]): string[] =>
  sources.flatMap(({ text }) => [...minimal(text), ...ofControllers(text)]);

/** @returns what answers whether the service is well, whatever it is called */
export const aspNetHealth = (sources: Source[]): string[] =>
  sources
    .filter(({ file }) => file.endsWith('.cs'))
    .flatMap(({ text }) => [...text.matchAll(/\.MapHealthChecks\(\s*"([^"]+)"/g)].map(([, path]) => joinPath(path)));

function minimal(text: string) {
  /** in the order in which they are made: one may be in another */
  const groups: Map<string, string> = new Map();
  for (const [, name, from, path] of text.matchAll(/(\w+)\s*=\s*(\w+)\s*\.MapGroup\(\s*"([^"]*)"/g)) {
    groups.set(name, joinPath(groups.get(from) ?? '', path));
  }
  return [...text.matchAll(/(\w+)\s*\.MapGet\(\s*"([^"]*)"/g)].map(([, on, path]) =>
    joinPath(groups.get(on) ?? '', path),
  );
}

function ofControllers(text: string) {
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
