// How much of what ships has a type: the share of names in src/, k6/ and site/assets/js/ that are not `any`. Fails below
// the floor; with --list, prints where they are.
import { join, relative } from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import { isTypeNode } from 'typescript/unstable/ast/is';
import { API, TypeFlags } from 'typescript/unstable/sync';
import { root } from '../support/cli.js';

/** @import { Node } from 'typescript/unstable/ast' */

/** A little under what it was when this was last raised, in percent. */
const floor = 96;

/**
 * The names in a file that stand for values, not for types.
 * @param {Node} node
 * @returns {Node[]}
 */
function namesIn(node) {
  if (node.kind === SyntaxKind.Identifier) return [node];
  /** @type {Node[]} */
  const names = [];
  node.forEachChild((child) => {
    if (!isTypeNode(child)) names.push(...namesIn(child));
  });
  return names;
}

const api = new API({ cwd: root });
const projects = api
  .updateSnapshot({ openProjects: ['src', 'site', '.'].map((folder) => join(root, folder, 'tsconfig.json')) })
  .getProjects();
/** A project has the sources of those that it refers to as well. @type {Set<string>} */
const counted = new Set();
const counts = projects.flatMap(({ program, checker }) =>
  program.getSourceFileNames().flatMap((path) => {
    const file = relative(root, path);
    const source = /^(src|k6|site)\//.test(file) && program.getSourceFile(path);
    if (!source || counted.has(file)) return [];
    counted.add(file);
    const names = namesIn(source);
    const untyped = checker.getTypeAtLocation(names).filter((type) => type && type.flags & TypeFlags.Any).length;
    return [{ file, names: names.length, untyped }];
  }),
);
api.close();

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, number) => all + number, 0);
const [names, untyped] = [sum(counts.map((count) => count.names)), sum(counts.map((count) => count.untyped))];
const share = 100 * (1 - untyped / names);
if (process.argv.includes('--list')) {
  const most = counts.filter((count) => count.untyped).sort((a, b) => b.untyped - a.untyped);
  for (const count of most) console.log(`${String(count.untyped).padStart(4)} of ${count.names}\t${count.file}`);
}
console.log(`${share.toFixed(2)} % of ${names} names have a type (floor: ${floor} %)`);
process.exitCode = share < floor ? 1 : 0;
