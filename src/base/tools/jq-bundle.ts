import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A program of reports/ and its modules as one text, with only the functions that it uses. gojq compiles a module anew
 * each time that another one imports it: comment.md.jq loads 30 modules 451 times, for half a second of CPU time.
 *
 * A function of a module gets the module's number before its name: `quantile` of the fourth module is `m3_quantile`. By names,
 * record.json.jq would be longer than an argument may be. jq's syntax is known as far as that needs: names, and where one is a
 * key, a parameter or a function within a function.
 */

/** What a text consists of: space, what is taken as it is, names (with the alias of their module), and signs. */
const token =
  /(?:\s+|#.*)+|\.[A-Za-z_]\w*|\$[\w:]+|@\w+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*|[^\w\s#"([{)\]},:;.$@]+|[\s\S]/y;

/** What follows `def`. */
const functionHead = /\s+(\w+)(?:\(([^)]*)\))?\s*:/y;

const imported = /^import "(?<path>[^"]+)" as (?<alias>\w+);$/gm;

/**
 * A function at the top of a module; or what comes after all of them, in a program. uses: full names of functions
 */
type Piece = { text: string; uses: Set<string> };

/**
 * Joins a program and its modules.
 * @param folder where they are: reports/
 * @param program its name within it, such as `record.json.jq`
 * @returns a program that does the same and imports nothing
 * @throws {SyntaxError} it could not be read; jq reports all other errors
 */
export function bundle(folder: string, program: string): string {
  /** Pieces by full name, those that others use first: a name may stand for several, by their number of parameters. */
  const pieces = new Map() as Map<string, Piece[]>;
  /** Names of the functions of each module. */
  const modules = new Map() as Map<string, Set<string>>;
  const prefixOf = (path: string) => `m${[...modules.keys()].indexOf(path)}_`;

  /** @returns what is not a function */
  const read = (file: string, prefix: string): Piece => {
    const text = readFileSync(join(folder, file), 'utf8');
    const aliases = new Map(
      [...text.matchAll(imported)].map(({ groups: { path, alias } = {} }) => {
        if (!modules.has(path)) {
          modules.set(path, new Set());
          read(`${path}.jq`, prefixOf(path));
        }
        return [alias, path];
      }),
    );
    const ours = modules.get(file.slice(0, -'.jq'.length)) ?? new Set();
    const resolve = (name: string) => {
      const [alias, rest] = name.includes('::') ? name.split('::') : [null, name];
      if (alias === null) return ours.has(name) ? prefix + name : null;
      const path = aliases.get(alias);
      if (path === undefined) throw new SyntaxError(`${file}: ${alias} is not imported`);
      return prefixOf(path) + rest;
    };
    return split(text.replace(imported, ''), {
      resolve,
      define: (name, piece) => {
        ours.add(name);
        pieces.set(prefix + name, [...(pieces.get(prefix + name) ?? []), piece]);
        return prefix + name;
      },
    });
  };

  const main = read(program, '');
  const used = reachable(main, pieces);
  const functions = [...pieces].filter(([name]) => used.has(name)).flatMap(([, some]) => some.map(({ text }) => text));
  return [...functions, main.text].join('\n');
}

/** @returns full names of all functions that it needs */
function reachable(main: Piece, pieces: Map<string, Piece[]>): Set<string> {
  const used = new Set(main.uses);
  for (const name of used) for (const { uses } of pieces.get(name) ?? []) for (const next of uses) used.add(next);
  return used;
}

/**
 * Splits a text into its functions and the rest.
 * @param text without imports
 * @param names resolve: the full name of a function of a module; null: it is not a function. define: gets a function at the
 *   top before its body is read, and returns its full name
 * @returns the rest
 */
function split(
  text: string,
  { resolve, define }: { resolve: (name: string) => string | null; define: (name: string, piece: Piece) => string },
): Piece {
  const rest = newPiece();
  let piece = rest;
  /** Open brackets: `isKey`: the next token is a key of an object. */
  const brackets: { sign: string; isKey: boolean }[] = [];
  /** Functions whose body is being read, and the names that are known in each only. */
  const scopes: { depth: number; names: Set<string> }[] = [];
  const isLocal = (name: string) => scopes.some(({ names }) => names.has(name));

  /** @returns after the string that begins there */
  const readString = (at: number): number => {
    let end = at + 1;
    while (text[end] !== '"') {
      if (end >= text.length) throw new SyntaxError('a string does not end');
      if (text[end] !== '\\') end += 1;
      else if (text[end + 1] !== '(') end += 2;
      else {
        piece.text += text.slice(at, end + 1);
        at = read(end + 1, brackets.length);
        end = at;
      }
    }
    piece.text += text.slice(at, end + 1);
    return end + 1;
  };

  /**
   * Reads `name(f; $x):`, which begins a function.
   * @param at after `def`
   */
  const readHead = (at: number): number => {
    functionHead.lastIndex = at;
    const found = functionHead.exec(text);
    if (found === null) throw new SyntaxError(`no function: def${text.slice(at, at + 40).split('\n')[0]}`);
    const [head, name, parameters = ''] = found;
    if (scopes.length === 0) {
      piece = newPiece();
      const full = define(name, piece);
      piece.text = `def ${full}${parameters && `(${parameters})`}:`;
    } else {
      scopes.at(-1)?.names.add(name);
      piece.text += `def${head}`;
    }
    scopes.push({ depth: brackets.length, names: new Set(parameters.split(/[\s;]+/)) });
    return at + head.length;
  };

  const readName = (name: string) => {
    const full = brackets.at(-1)?.isKey || isLocal(name) ? null : resolve(name);
    if (full) piece.uses.add(full);
    piece.text += full ?? name;
  };

  const readSign = (sign: string) => {
    piece.text += sign;
    const inner = brackets.at(-1);
    if ('([{'.includes(sign)) brackets.push({ sign, isKey: sign === '{' });
    else if (')]}'.includes(sign)) brackets.pop();
    else if (sign === ',' && inner?.sign === '{') inner.isKey = true;
    else if (sign === ':' && inner) inner.isKey = false;
    else if (sign === ';' && scopes.at(-1)?.depth === brackets.length) {
      scopes.pop();
      if (scopes.length === 0) piece = rest;
    }
  };

  /** Reads on until a bracket of this depth is closed, or to the end. */
  const read = (at: number, depth: number) => {
    while (at < text.length) {
      if (text[at] === '"') {
        at = readString(at);
        continue;
      }
      token.lastIndex = at;
      const [all] = token.exec(text) as RegExpExecArray;
      at += all.length;
      if (/^[\s#]/.test(all)) {
        // A program is given as an argument, which has a limit: space beside these signs means nothing.
        if (!/[|,;:({[]$/.test(piece.text) && !/[|,;)}\]]/.test(text[at]))
          piece.text += all.includes('\n') ? '\n' : ' ';
      } else if (all === 'def' && !brackets.at(-1)?.isKey) at = readHead(at);
      else if (/^[A-Za-z_]/.test(all)) readName(all);
      else readSign(all);
      if (brackets.length === depth && all === ')' && depth >= 0) return at;
    }
    return at;
  };

  read(0, -1);
  return rest;
}

const newPiece = (): Piece => ({ text: '', uses: new Set() });
