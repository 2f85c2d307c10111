import { type AST, parseTOML } from 'toml-eslint-parser';
import type { Focus, Path } from '../cases/error.js';

/** From 1; of one line */
type TextPosition = { line: number; column: number; length: number };

/** One of them is there. */
type KeyValueNode = { key: AST.SourceLocation | null; value: AST.SourceLocation | null };

/**
 * Where the keys and values of a TOML text are. Made only when there is something to show: values are smol-toml's.
 * @param text valid TOML
 */
export function positionsIn(text: string): {
  has: (path: Path) => boolean;
  place: (path: Path, focus?: Focus) => TextPosition;
} {
  const entries: Map<string, KeyValueNode> = new Map();
  const [top] = parseTOML(text).body;
  visitBody(top.body, [], entries);
  const lines = text.split(/\r?\n/);
  const has = (path: Path) => entries.has(JSON.stringify(path));
  return { has, place: position };

  /** The place of a value, or of what should have held it. */
  function position(path: Path, focus: Focus = 'value') {
    for (let depth = path.length; depth > 0; depth--) {
      const entry = entries.get(JSON.stringify(path.slice(0, depth)));
      if (entry) return narrow(placeOf(entry, depth === path.length ? focus : 'key'), focus, lines);
    }
    return { line: 1, column: 1, length: 1 };
  }
}

/** The part of a value that it is about, if it is written there as it is. */
function narrow(position: TextPosition, focus: Focus, lines: string[]): TextPosition {
  if (typeof focus === 'string') return position;
  const at = lines[position.line - 1]
    .slice(0, position.column - 1 + position.length)
    .indexOf(focus.part, position.column - 1);
  return at < 0 ? position : { line: position.line, column: at + 1, length: focus.part.length };
}

function placeOf({ key, value }: KeyValueNode, focus: Focus): TextPosition {
  const oneLine = value && value.start.line === value.end.line;
  const { start, end } = ((focus !== 'key' && oneLine) || !key ? value : key) as AST.SourceLocation;
  const length = start.line === end.line ? end.column - start.column : 1;
  return { line: start.line, column: start.column + 1, length: Math.max(1, length) };
}

function visitBody(
  body: readonly (AST.TOMLTable | AST.TOMLKeyValue)[],
  path: Path,
  entries: Map<string, KeyValueNode>,
) {
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
 * @param resolved the path that a header of a list of tables stands for
 */
function visitKeys(
  keys: readonly (AST.TOMLBare | AST.TOMLQuoted)[],
  path: Path,
  entries: Map<string, KeyValueNode>,
  resolved: Path | null,
): Path {
  const names = keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value));
  if (resolved) add(entries, resolved.slice(0, -1), { key: keys[keys.length - 1].loc, value: null });
  else {
    for (const [i, key] of keys.slice(0, -1).entries()) {
      add(entries, [...path, ...names.slice(0, i + 1)], { key: key.loc, value: null });
    }
  }
  return [...path, ...names];
}

function visitValue(value: AST.TOMLContentNode, path: Path, entries: Map<string, KeyValueNode>) {
  if (value.type === 'TOMLInlineTable') visitBody(value.body, path, entries);
  if (value.type !== 'TOMLArray') return;
  value.elements.forEach((element, i) => {
    add(entries, [...path, i], { key: null, value: element.loc });
    visitValue(element, [...path, i], entries);
  });
}

/** The first mention of a table is where it is made. */
function add(entries: Map<string, KeyValueNode>, path: Path, entry: KeyValueNode) {
  const name = JSON.stringify(path);
  if (!entries.has(name)) entries.set(name, entry);
}
