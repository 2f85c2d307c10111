import { dirname, resolve } from 'node:path';
import { moduleAt } from '../read-repository.js';
import { comparedPaths, inBrackets, type Route, type Source, verbs } from './common.js';
import { joinPath } from './join-path.js';
import { type Mount, pathOf, type Router } from './mounts.js';

const routed = new RegExp(`(?:\\b(\\w+)\\s*)?\\.(${verbs})\\(\\s*['"\`](/[^'"\`]*)['"\`]`, 'g');

/** What Express, Fastify, Hono and Koa answer: routes of an application, or of a router that it uses under a path. */
export function javascriptRoutes(sources: Source[]): Route[] {
  const read = sources.map((source) => ({ ...source, ...mountsOf(source) }));
  const mounts = read.flatMap((file) => file.mounts);
  /** Koa's routers have a prefix of their own; by file and name */
  const own: Map<string, string> = new Map(
    sources.flatMap(({ file, text }) =>
      [...text.matchAll(/(\w+)\s*=\s*new\s+\w*Router\(\s*\{[^}]*\bprefix:\s*['"`]([^'"`]*)/g)].map(
        ([, name, path]) => [`${file} ${name}`, path] as const,
      ),
    ),
  );
  const ownOf = ({ file, name }: Router) => own.get(`${file} ${name}`) ?? '';
  return read.flatMap(({ file, text, spans }) => [
    ...[...text.matchAll(routed)].map(({ index, 1: on = '', 2: method, 3: path }) => ({
      method: method.toUpperCase(),
      path: joinPath(
        pathOf({ file, name: on }, mounts, ownOf),
        ...spans.filter(({ from, to }) => index > from && index < to).map((span) => span.path),
        path,
      ),
    })),
    ...comparedPaths(text),
  ]);
}

/** Where a file mounts what. spans: functions within the file whose routes are under a path. */
function mountsOf({ file, text }: Source): { mounts: Mount[]; spans: { from: number; to: number; path: string }[] } {
  const imports = importsOf(text, file);
  const mounts: Mount[] = [];
  const spans = [];
  for (const found of text.matchAll(/(\w+)\s*\.(use|route|register)\(/g)) {
    const [whole, name, how] = found;
    const from = found.index + whole.length - 1;
    const args = inBrackets(text, from);
    const path = (how === 'register' ? /\bprefix:\s*['"`](\/[^'"`]*)/ : /^\s*['"`](\/[^'"`]*)['"`]\s*,/).exec(
      args,
    )?.[1];
    if (path === undefined) continue;
    if (/=>|\bfunction\b/.test(args)) {
      spans.push({ from, to: from + args.length, path });
      continue;
    }
    for (const to of routersIn(args, { file, imports })) mounts.push({ from: { file, name }, to, path });
  }
  return { mounts, spans };
}

/** @returns middleware among them has no routes */
function routersIn(args: string, { file, imports }: { file: string; imports: Map<string, string> }): Router[] {
  const direct = [...args.matchAll(/\b(?:require|import)\(\s*['"`](\.[^'"`]*)['"`]/g)].flatMap(([, path]) => {
    const there = moduleAt(resolve(dirname(file), path));
    return there === null ? [] : [{ file: there, name: null }];
  });
  const names = args.replace(/(['"`])(?:(?!\1).)*\1/g, '').match(/(?<![.\w])[A-Za-z_$][\w$]*/g) ?? [];
  return [
    ...direct,
    ...names.map((name) => {
      const there = imports.get(name);
      return there === undefined ? { file, name } : { file: there, name: null };
    }),
  ];
}

/** @returns the file that each name comes from, of those beside this one */
function importsOf(text: string, file: string): Map<string, string> {
  const clauses = [
    ...text.matchAll(/\bimport\s+([^'"`;]+?)\s+from\s*['"](\.[^'"]*)['"]/g),
    ...text.matchAll(/\b(?:const|let|var)\s+([^=;]+?)\s*=\s*require\(\s*['"](\.[^'"]*)['"]/g),
  ];
  return new Map(
    clauses.flatMap(([, names, path]) => {
      const there = moduleAt(resolve(dirname(file), path));
      if (there === null) return [];
      // { a as b }, { a: b }, * as c and d give b, c and d.
      return [...names.matchAll(/(?:(?:\w+|\*)\s*(?:as\s|:)\s*)?([A-Za-z_$][\w$]*)/g)].map(
        ([, name]) => [name, there] as const,
      );
    }),
  );
}
