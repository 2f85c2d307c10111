/**
 * An element. What is in it becomes text, never markup.
 * @param {string} name
 * @param {Record<string, string | boolean | null | undefined>} [attributes] null, undefined and false: left out
 * @param {...(Node | string | null | undefined | (Node | string | null | undefined)[])} children
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** @param {string} text @param {string} href made of names that a build has let through */
export const link = (text, href) => element('a', { href }, text);

/** @param {string} word @param {string} [title] */
export const tag = (word, title) => element('span', { class: 'tag', title }, word);

/** @param {string} id @param {string} title @param {...(Node | string)} children */
export const section = (id, title, ...children) =>
  element('section', { 'aria-labelledby': id }, element('h2', { id }, title), ...children);

/** @param {string} label @param {HTMLElement} table */
export const scrolling = (label, table) =>
  element('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': label }, table);

/** @param {(Node | string | (Node | string)[])[]} titles the first is of the rows, the others of numbers */
export const headOf = (titles) =>
  element(
    'thead',
    {},
    element(
      'tr',
      {},
      titles.map((title, i) => element('th', { scope: 'col', class: i ? 'number' : null }, title)),
    ),
  );

/** A verdict as templates print it. @param {string} word @param {string | null} [reason] */
export function verdict(word, reason = null) {
  const known = /** @type {HTMLTemplateElement} */ (document.getElementById('verdicts')).content;
  const found = [...known.children].find((one) => one.classList.contains(`is-${word}`));
  if (!found) return element('span', { class: 'verdict', title: reason }, word);
  const made = /** @type {HTMLElement} */ (found.cloneNode(true));
  if (reason) made.title = reason;
  return made;
}

/** In a number's place when it does not count. @param {string | null | undefined} reason */
export function doesNotCount(reason) {
  const title = `does not count: ${reason ?? 'not valid'}`;
  return element('span', { class: 'sign', title }, '⊘', element('span', { class: 'hidden' }, ` ${title}`));
}
