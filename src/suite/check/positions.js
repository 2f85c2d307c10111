import { parseTOML } from 'toml-eslint-parser';

/** @import { AST } from 'toml-eslint-parser' */
/** @import { Focus, Path } from '../cases/error.js' */

/**
 * @typedef {{ line: number, column: number, length: number }} TextPosition from 1; of one line
 * @typedef {{ key: AST.SourceLocation | null, value: AST.SourceLocation | null }} KeyValueNode one of them is there
 */

/**
 * Where the keys and values of a TOML text are. Made only when there is something to show: values are smol-toml's.
 * @param {string} text valid TOML
 * @returns {{ has: (path: Path) => boolean, place: (path: Path, focus?: Focus) => TextPosition }}
 */
export function positionsIn(text) {
  /** @type {Map<string, KeyValueNode>} */
  const entries = new Map();
  const [top] = parseTOML(text).body;
  visitBody(top.body, [], entries);
  const lines = text.split(/\r?\n/);
  const has = (/** @type {Path} */ path) => entries.has(JSON.stringify(path));
  return { has, place: position };

  /** The place of a value, or of what should have held it. */
  function position(/** @type {Path} */ path, /** @type {Focus} */ focus = 'value') {
    for (let depth = path.length; depth > 0; depth--) {
      const entry = entries.get(JSON.stringify(path.slice(0, depth)));
      if (entry) return narrow(placeOf(entry, depth === path.length ? focus : 'key'), focus, lines);
    }
    return { line: 1, column: 1, length: 1 };
  }
}

/**
 * The part of a value that it is about, if it stands there as it is.
 * @param {TextPosition} position
 * @param {Focus} focus
 * @param {string[]} lines
 * @returns {TextPosition}
 */
function narrow(position, focus, lines) {
  if (typeof focus === 'string') return position;
  const at = lines[position.line - 1]
    .slice(0, position.column - 1 + position.length)
    .indexOf(focus.part, position.column - 1);
  return at < 0 ? position : { line: position.line, column: at + 1, length: focus.part.length };
}

/** @param {KeyValueNode} entry @param {Focus} focus @returns {TextPosition} */
function placeOf({ key, value }, focus) {
  const oneLine = value && value.start.line === value.end.line;
  const { start, end } = /** @type {AST.SourceLocation} */ ((focus !== 'key' && oneLine) || !key ? value : key);
  const length = start.line === end.line ? end.column - start.column : 1;
  return { line: start.line, column: start.column + 1, length: Math.max(1, length) };
}

/** @param {readonly (AST.TOMLTable | AST.TOMLKeyValue)[]} body @param {Path} path @param {Map<string, KeyValueNode>} entries */
function visitBody(body, path, entries) {
  for (const node of body) {
    if (node.type === 'TOMLTable') {
      visitKeys(node.key.keys, path, entries, node.kind === 'array' ? node.resolvedKey : null);
      add(entries, node.resolvedKey, { key: node.key.loc, value: null });
      visitBody(node.body, node.resolvedKey, entries);
    } else {
      const at = visitKeys(node.key.keys, path, entries, null);
      add(entries, at, { key: node.key.keys[node.key.keys.length - 1].loc, value: node.value.loc });
      visitValue(node.value, at, entries);
    }
  }
}

/**
 * A dotted key makes the tables on its way.
 * @param {readonly (AST.TOMLBare | AST.TOMLQuoted)[]} keys
 * @param {Path} path
 * @param {Map<string, KeyValueNode>} entries
 * @param {Path | null} resolved the path that a header of a list of tables stands for
 * @returns {Path}
 */
function visitKeys(keys, path, entries, resolved) {
  const names = keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value));
  if (resolved) add(entries, resolved.slice(0, -1), { key: keys[keys.length - 1].loc, value: null });
  else {
    for (const [i, key] of keys.slice(0, -1).entries()) {
      add(entries, [...path, ...names.slice(0, i + 1)], { key: key.loc, value: null });
    }
  }
  return [...path, ...names];
}

/** @param {AST.TOMLContentNode} value @param {Path} path @param {Map<string, KeyValueNode>} entries */
function visitValue(value, path, entries) {
  if (value.type === 'TOMLInlineTable') visitBody(value.body, path, entries);
  if (value.type !== 'TOMLArray') return;
  value.elements.forEach((element, i) => {
    add(entries, [...path, i], { key: null, value: element.loc });
    visitValue(element, [...path, i], entries);
  });
}

/**
 * The first mention of a table is where it is made.
 * @param {Map<string, KeyValueNode>} entries
 * @param {Path} path
 * @param {KeyValueNode} entry
 */
function add(entries, path, entry) {
  const name = JSON.stringify(path);
  if (!entries.has(name)) entries.set(name, entry);
}
