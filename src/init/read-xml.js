import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { textOf } from './read-repository.js';

/** @typedef {XmlElement} Element */

/**
 * @param {string} file
 * @returns {Element | null} its outermost element; null: there is no file, or it is not XML
 */
export function xmlOf(file) {
  try {
    return parseXml(textOf(file) ?? '', { ignoreUndefinedEntities: true }).root;
  } catch {
    return null;
  }
}

/**
 * All elements at a path of names.
 * @param {Element | null} from
 * @param {string[]} path
 * @returns {Element[]}
 */
export const elementsAt = (from, ...path) =>
  path.reduce((found, name) => found.flatMap((element) => childrenOf(element, name)), from === null ? [] : [from]);

/** @param {Element} element @param {string} name */
const childrenOf = ({ children }, name) =>
  children.filter(/** @returns {child is Element} */ (child) => child instanceof XmlElement && child.name === name);

/** @param {Element | null} from @param {string[]} path @returns {string | undefined} of the first such element */
export const textAt = (from, ...path) => elementsAt(from, ...path)[0]?.text.trim();
