import { textOf } from './read.js';

/**
 * An element: its name, its attributes, its own text and what is in it.
 * @typedef {{ name: string, attributes: Record<string, string>, text: string, children: Element[] }} Element
 */

const token =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[(?<data>[\s\S]*?)\]\]>|<(?<end>\/)?(?<name>[\w.:-]+)(?<attributes>(?:\s+[\w.:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(?<empty>\/)?>|(?<text>[^<]+)/g;

/**
 * As much of XML as project files have: no DTD, no entities of their own.
 * @param {string} file
 * @returns {Element | null} its outermost element; null: there is none
 */
export function xmlOf(file) {
  /** @type {Element} */
  const top = { name: '', attributes: {}, text: '', children: [] };
  const open = [top];
  for (const { groups = {} } of (textOf(file) ?? '').matchAll(token)) {
    const inner = open[open.length - 1];
    inner.text += groups.data ?? plain(groups.text ?? '');
    if (groups.name === undefined) continue;
    if (groups.end) {
      if (open.length > 1) open.pop();
      continue;
    }
    const element = { name: groups.name, attributes: attributesOf(groups.attributes), text: '', children: [] };
    inner.children.push(element);
    if (!groups.empty) open.push(element);
  }
  return top.children[0] ?? null;
}

/** @param {string} text @returns {Record<string, string>} */
const attributesOf = (text) =>
  Object.fromEntries(
    [...text.matchAll(/([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name, double, single]) => [
      name,
      plain(double ?? single),
    ]),
  );

/** @type {Record<string, string>} */
const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' };

/** @param {string} text */
const plain = (text) => text.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity]);

/**
 * All elements at a path of names.
 * @param {Element | null} from
 * @param {string[]} path
 * @returns {Element[]}
 */
export const elementsAt = (from, ...path) =>
  path.reduce(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    from === null ? [] : [from],
  );

/** @param {Element | null} from @param {string[]} path @returns {string | undefined} of the first such element */
export const textAt = (from, ...path) => elementsAt(from, ...path)[0]?.text.trim();
