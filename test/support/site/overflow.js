/** @import { Page } from 'playwright-core' */

/**
 * What of a page cannot be read: what stands beyond its edges, and text that a box around it cuts off. A box that scrolls
 * shows all that is in it.
 * @param {Page} page
 * @returns {Promise<string[]>} one line for each
 */
export async function clippedIn(page) {
  return /** @type {Promise<string[]>} */ (page.evaluate(`(${look})()`));
}

/** Runs in the page. */
function look() {
  const { clientWidth } = document.documentElement;
  const scrolls = (/** @type {Element} */ element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const cuts = (/** @type {Element} */ element) => /hidden|clip/.test(getComputedStyle(element).overflowX);
  /** @param {Element} element @returns {Element[]} nearest first */
  const ancestors = (element) => {
    const all = [];
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) all.push(at);
    return all;
  };
  const isSeen = (/** @type {Element} */ element) => {
    const { width, height } = element.getBoundingClientRect();
    // What is for screen readers alone is a pixel wide.
    return width > 1 && height > 1 && getComputedStyle(element).visibility === 'visible';
  };
  const shown = (/** @type {Element} */ element) => {
    const { left, right } = element.getBoundingClientRect();
    return `${element.tagName.toLowerCase()} ${element.getAttribute('class') ?? ''} ${Math.round(left)} to ${Math.round(right)}: ${(element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 60)}`;
  };
  /** @type {string[]} */
  const found = [];
  for (const element of document.body.querySelectorAll('*:not(.skip)')) {
    // An element may be wide while its text is short: the text itself is what is to be read.
    const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent?.trim());
    if (texts.length === 0 || !isSeen(element)) continue;
    const rows = texts.flatMap((text) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return [...range.getClientRects()].filter(({ width }) => width > 1);
    });
    if (rows.length === 0) continue;
    const left = Math.min(...rows.map((row) => row.left));
    const right = Math.max(...rows.map((row) => row.right));
    const box = [element, ...ancestors(element)].find((one) => scrolls(one) || cuts(one));
    if (box === undefined) {
      if (right > clientWidth + 1 || left < -1) found.push(`beyond the page: ${shown(element)}`);
      continue;
    }
    if (scrolls(box) || !isSeen(box)) continue;
    const edges = box.getBoundingClientRect();
    if (right > edges.right + 1 || left < edges.left - 1) found.push(`cut off: ${shown(element)}`);
  }
  return found;
}
