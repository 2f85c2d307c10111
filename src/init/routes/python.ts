import { comparedPaths, inBrackets, type Route, type Source, verbs } from './common.js';
import { joinPath } from './join-path.js';
import { type Mount, pathOf, type Router } from './mounts.js';

const named = (args: string) => /\b(?:url_)?prefix\s*=\s*["']([^"']*)["']/.exec(args)?.[1];

/** What FastAPI, Flask and their like answer: decorators of an application, or of a router that is included under a path. */
export function pythonRoutes(sources: Source[]): Route[] {
  /** by file and name */
  const own: Map<string, string> = new Map();
  for (const { file, text } of sources) {
    for (const found of text.matchAll(/(\w+)\s*=\s*(?:\w+\.)*(?:APIRouter|Blueprint)\(/g)) {
      own.set(`${file} ${found[1]}`, named(inBrackets(text, found.index + found[0].length - 1)) ?? '');
    }
  }
  const mounts = sources.flatMap((source) => mountsOf(source, sources));
  const ownOf = ({ file, name }: Router) => own.get(`${file} ${name}`) ?? '';
  return sources.flatMap(({ file, text }) => [
    ...routesIn(text).map(({ on, method, path }) => ({
      method,
      path: joinPath(pathOf({ file, name: on }, mounts, ownOf), path),
    })),
    ...comparedPaths(text),
  ]);
}

function routesIn(text: string): { on: string; method: string; path: string }[] {
  const decorated = [...text.matchAll(new RegExp(`@(\\w+)\\.(${verbs})\\(\\s*["']((?:/[^"']*)?)["']`, 'g'))];
  const called = [...text.matchAll(new RegExp(`(?<!@)\\b(\\w+)\\.(${verbs})\\(\\s*["'](/[^"']*)["']`, 'g'))];
  const routed = [...text.matchAll(/@(\w+)\.route\(\s*["']((?:\/[^"']*)?)["']/g)].flatMap((found) => {
    const [, on, path] = found;
    const args = inBrackets(text, text.indexOf('(', found.index));
    const methods = /methods\s*=\s*[[({]([^\])}]*)/.exec(args)?.[1].match(/[A-Za-z]+/g) ?? ['GET'];
    const method = methods.some((verb) => verb.toUpperCase() === 'GET') ? 'GET' : methods[0].toUpperCase();
    return [{ on, method, path }];
  });
  return [
    ...[...decorated, ...called].map(([, on, method, path]) => ({ on, method: method.toUpperCase(), path })),
    ...routed,
  ];
}

function mountsOf({ file, text }: Source, sources: Source[]): Mount[] {
  const imports = importsOf(text);
  return [...text.matchAll(/(\w+)\.(include_router|register_blueprint)\(/g)].flatMap((found) => {
    const args = inBrackets(text, found.index + found[0].length - 1);
    const [, module, name] = /^\s*(?:([\w.]+)\.)?(\w+)/.exec(args) ?? [];
    if (name === undefined) return [];
    const to = routerOf({ module, name }, { file, imports, sources });
    const path = named(args);
    // Flask's url_prefix of a registration is in place of the blueprint's own; FastAPI's is in front of it.
    const replaces = found[2] === 'register_blueprint' && path !== undefined;
    return [{ from: { file, name: found[1] }, to, path: path ?? '', replaces }];
  });
}

/**
 * What a name of a file brings from where.
 * @returns name: null: the module itself
 */
function importsOf(text: string): Map<string, { module: string; name: string | null }> {
  const found = new Map();
  for (const [, module, many, few] of text.matchAll(/^\s*from\s+([\w.]+)\s+import\s+(?:\(([^)]*)\)|([^\n#]*))/gm)) {
    for (const argument of (many ?? few).split(',')) {
      const [, name, as] = /^\s*(\w+)(?:\s+as\s+(\w+))?/.exec(argument) ?? [];
      if (name !== undefined) found.set(as ?? name, { module, name });
    }
  }
  for (const [, module, as] of text.matchAll(/^\s*import\s+([\w.]+)(?:\s+as\s+(\w+))?/gm)) {
    found.set(as ?? module, { module, name: null });
  }
  return found;
}

/** @param said "items.router" */
function routerOf(
  { module, name }: { module: string | undefined; name: string },
  { file, imports, sources }: { file: string; imports: ReturnType<typeof importsOf>; sources: Source[] },
): Router {
  const known = imports.get(module ?? name);
  if (known === undefined) return { file, name };
  const within = module === undefined ? known.module : [known.module, known.name].filter(Boolean).join('.');
  const path = `/${within.replace(/^\.+/, '').replaceAll('.', '/')}`;
  const there = sources.find((source) => {
    const plain = source.file.replaceAll('\\', '/');
    return plain.endsWith(`${path}.py`) || plain.endsWith(`${path}/__init__.py`);
  });
  return { file: there?.file ?? '', name: module === undefined ? known.name : name };
}
