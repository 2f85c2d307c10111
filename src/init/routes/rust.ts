import { inBrackets, type Route, type Source, toGet, verbs } from './common.js';
import { joinPath } from './join-path.js';

/** actix-web with its builders. */
const resource = /\bweb::resource\(\s*"(\/[^"]*)"\s*\)\s*\.route\(\s*web::get\b/g;

/** actix-web's and Rocket's attribute of a function. */
const attribute = new RegExp(
  `#\\[(${verbs})\\(\\s*"(/[^"]*)"[^\\]]*\\](?:\\s*#\\[[^\\]]*\\])*\\s*(?:pub(?:\\([^)]*\\))?\\s+)?(?:async\\s+)?fn\\s+(\\w+)`,
  'g',
);

/** Routers that nest in circles are left at that. */
const deepest = 6;

/** What a service in Rust answers. Rocket says where its functions are mounted, axum where its routers are nested. */
export function rustRoutes(sources: Source[]): Route[] {
  const mounted = sources.flatMap(({ text }) =>
    [...text.matchAll(/\.mount\(\s*"(\/[^"]*)"\s*,\s*routes!\[([^\]]*)\]/g)].flatMap(([, at, names]) =>
      names.split(',').map((name) => ({ at, name: name.trim().replace(/^.*::/, '') })),
    ),
  );
  const nests = sources.flatMap(nestsIn);
  return sources.flatMap(({ file, text }) => [
    ...ofAxum(text).map(({ at, method, path }) => ({
      method,
      path: joinPath(prefixAt(at, { file, text }, nests), path),
    })),
    ...[...text.matchAll(resource)].map(([, path]) => toGet(path)),
    ...[...text.matchAll(attribute)].map(([, method, path, name]) => ({
      method: method.toUpperCase(),
      path: joinPath(mounted.find((mount) => mount.name === name)?.at ?? '', path),
    })),
  ]);
}

/** @returns each method of a route */
function ofAxum(text: string): (Route & { at: number })[] {
  return [...text.matchAll(/\.route\(\s*"(\/[^"]*)"\s*,/g)].flatMap(({ 0: whole, 1: path, index }) => {
    const handlers = inBrackets(text, index + '.route'.length).slice(whole.length - '.route('.length);
    const methods = [...handlers.matchAll(new RegExp(`\\b(${verbs})(?:_service)?\\s*\\(`, 'g'))];
    return methods.map(([, method]) => ({ at: index, method: method.toUpperCase(), path }));
  });
}

/**
 * A part of a router that is under a path: what stands in the call itself, or what a function or a variable of that name builds.
 */
type Nest = { file: string; text: string; at: number; to: number; path: string; name: string | null; isCall: boolean };

function nestsIn({ file, text }: Source): Nest[] {
  return [...text.matchAll(/\.nest\(\s*"(\/[^"]*)"\s*,/g)].map(({ 0: whole, 1: path, index }) => {
    const inside = inBrackets(text, index + '.nest'.length);
    const said = inside.slice(whole.length - '.nest('.length);
    const [, name = null, call = ''] = /^\s*(?:\w+::)*([a-z_]\w*)\s*(\(?)/.exec(said) ?? [];
    return { file, text, at: index, to: index + '.nest('.length + inside.length, path, name, isCall: call === '(' };
  });
}

/** Under which path a place of a file is. */
function prefixAt(at: number, { file, text }: Source, nests: readonly Nest[], depth = 0): string {
  const around = nests.filter((nest) => nest.file === file && nest.at < at && at < nest.to).map(({ path }) => path);
  const { variable, fn } = ownersOf(text, at);
  const outer =
    nests.find((nest) => nest.file === file && !nest.isCall && nest.name !== null && nest.name === variable) ??
    nests.find((nest) => nest.isCall && nest.name !== null && nest.name === fn);
  if (outer === undefined || depth > deepest) return joinPath(...around);
  return joinPath(prefixAt(outer.at, outer, nests, depth + 1), outer.path, ...around);
}

/** What builds the router at a place: the variable of its statement, and the function around it. */
function ownersOf(text: string, at: number) {
  const before = text.slice(0, at);
  const statement = before.slice(before.lastIndexOf(';') + 1);
  const variable = /\blet\s+(?:mut\s+)?(\w+)[^=]*=(?!.*\blet\b)/s.exec(statement)?.[1];
  const fn = [...before.matchAll(/\bfn\s+(\w+)/g)].at(-1)?.[1];
  return { variable, fn };
}
