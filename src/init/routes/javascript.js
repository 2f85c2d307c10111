import { dirname, resolve } from 'node:path';
import { moduleAt } from '../read-repository.js';
import { comparedPaths, inBrackets, verbs } from './common.js';
import { joinPath } from './join-path.js';
import { pathOf } from './mounts.js';

/** @import { Route, Source } from './common.js' */
/** @import { Mount, Router } from './mounts.js' */

const routed = new RegExp(`(?:\\b(\\w+)\\s*)?\\.(${verbs})\\(\\s*['"\`](/[^'"\`]*)['"\`]`, 'g');

/**
 * What Express, Fastify, Hono and Koa answer: routes of an application, or of a router that it uses under a path.
 * @param {Source[]} sources
 * @returns {Route[]}
 */
export function javascriptRoutes(sources) {
  const read = sources.map((source) => ({ ...source, ...mountsOf(source) }));
  const mounts = read.flatMap((file) => file.mounts);
  /** @type {Map<string, string>} Koa's routers have a prefix of their own; by file and name */
  const own = new Map(
    sources.flatMap(({ file, text }) =>
      [...text.matchAll(/(\w+)\s*=\s*new\s+\w*Router\(\s*\{[^}]*\bprefix:\s*['"`]([^'"`]*)/g)].map(
        ([, name, path]) => /** @type {const} */ ([`${file} ${name}`, path]),
      ),
    ),
  );
  const ownOf = (/** @type {Router} */ { file, name }) => own.get(`${file} ${name}`) ?? '';
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

/**
 * Where a file mounts what. spans: functions within the file whose routes are under a path.
 * @param {Source} source
 * @returns {{ mounts: Mount[], spans: { from: number, to: number, path: string }[] }}
 */
function mountsOf({ file, text }) {
  const imports = importsOf(text, file);
  /** @type {Mount[]} */
  const mounts = [];
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

/**
 * @param {string} args
 * @param {{ file: string, imports: Map<string, string> }} where
 * @returns {Router[]} middleware among them has no routes
 */
function routersIn(args, { file, imports }) {
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

/**
 * @param {string} text
 * @param {string} file
 * @returns {Map<string, string>} the file that each name comes from, of those beside this one
 */
function importsOf(text, file) {
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
        ([, name]) => /** @type {const} */ ([name, there]),
      );
    }),
  );
}
