import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { textOf } from './read-repository.js';

export type Element = XmlElement;

/** @returns its outermost element; null: there is no file, or it is not XML */
export function xmlOf(file: string): Element | null {
  try {
    return parseXml(textOf(file) ?? '', { ignoreUndefinedEntities: true }).root;
  } catch {
    return null;
  }
}

/** All elements at a path of names. */
export const elementsAt = (from: Element | null, ...path: string[]): Element[] =>
  path.reduce((found, name) => found.flatMap((element) => childrenOf(element, name)), from === null ? [] : [from]);

const childrenOf = ({ children }: Element, name: string) =>
  children.filter((child): child is Element => child instanceof XmlElement && child.name === name);

/** @returns of the first such element */
export const textAt = (from: Element | null, ...path: string[]): string | undefined =>
  elementsAt(from, ...path)[0]?.text.trim();
