import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A program of reports/ and its modules as one text, with only the functions that it uses. gojq compiles a module anew
 * each time that another one imports it: comment.md.jq loads 30 modules 451 times, for half a second of CPU time.
 *
 * A function of a module gets the module's number before its name: `quantile` of the fourth module is `m3_quantile`. By names,
 * record.json.jq would be longer than an argument may be.
 * jq's syntax is known as far as that needs: names, and where one is a key, a parameter or a function within a function.
 */

/** What a text consists of: space, what is taken as it is, names (with the alias of their module), and signs. */
const token =
  /(?:\s+|#.*)+|\.[A-Za-z_]\w*|\$[\w:]+|@\w+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*|[^\w\s#"([{)\]},:;.$@]+|[\s\S]/y;

/** What follows `def`. */
const functionHead = /\s+(\w+)(?:\(([^)]*)\))?\s*:/y;

const imported = /^import "(?<path>[^"]+)" as (?<alias>\w+);$/gm;

/**
 * A function at the top of a module; or what comes after all of them, in a program.
 * @typedef {{ text: string, uses: Set<string> }} Piece uses: full names of functions
 */

/**
 * Joins a program and its modules.
 * @param {string} folder where they are: reports/
 * @param {string} program its name within it, such as `record.json.jq`
 * @returns {string} a program that does the same and imports nothing
 * @throws {SyntaxError} it could not be read; what else is wrong, jq says
 */
export function bundle(folder, program) {
  /** Pieces by full name, those that others use first: a name may stand for several, by their number of parameters. */
  const pieces = /** @type {Map<string, Piece[]>} */ (new Map());
  /** Names of the functions of each module. */
  const modules = /** @type {Map<string, Set<string>>} */ (new Map());
  const prefixOf = (/** @type {string} */ path) => `m${[...modules.keys()].indexOf(path)}_`;

  /** @param {string} file @param {string} prefix @returns {Piece} what is not a function */
  const read = (file, prefix) => {
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
    const resolve = (/** @type {string} */ name) => {
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

/** @param {Piece} main @param {Map<string, Piece[]>} pieces @returns {Set<string>} full names of all functions that it needs */
function reachable(main, pieces) {
  const used = new Set(main.uses);
  for (const name of used) for (const { uses } of pieces.get(name) ?? []) for (const next of uses) used.add(next);
  return used;
}

/**
 * Splits a text into its functions and the rest.
 * @param {string} text without imports
 * @param {{ resolve: (name: string) => string | null, define: (name: string, piece: Piece) => string }} names resolve: the
 *   full name of a function of a module; null: it is not a function. define: gets a function at the top before its body is read, and
 *   returns its full name
 * @returns {Piece} the rest
 */
function split(text, { resolve, define }) {
  const rest = newPiece();
  let piece = rest;
  /** Open brackets: `isKey`: the next token is a key of an object. @type {{ sign: string, isKey: boolean }[]} */
  const brackets = [];
  /** Functions whose body is being read, and the names that are known in each only. @type {{ depth: number, names: Set<string> }[]} */
  const scopes = [];
  const isLocal = (/** @type {string} */ name) => scopes.some(({ names }) => names.has(name));

  /** @param {number} at @returns {number} after the string that begins there */
  const readString = (at) => {
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

  /** Reads `name(f; $x):`, which begins a function. @param {number} at after `def` @returns {number} */
  const readHead = (at) => {
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

  /** @param {string} name */
  const readName = (name) => {
    const full = brackets.at(-1)?.isKey || isLocal(name) ? null : resolve(name);
    if (full) piece.uses.add(full);
    piece.text += full ?? name;
  };

  /** @param {string} sign */
  const readSign = (sign) => {
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

  /** Reads on until a bracket of this depth is closed, or to the end. @param {number} at @param {number} depth */
  const read = (at, depth) => {
    while (at < text.length) {
      if (text[at] === '"') {
        at = readString(at);
        continue;
      }
      token.lastIndex = at;
      const [all] = /** @type {RegExpExecArray} */ (token.exec(text));
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

/** @returns {Piece} */
const newPiece = () => ({ text: '', uses: new Set() });
