// Searches the documentation while somebody writes, heading by heading. It needs no server: the text came with this script.
import { sections } from '@params';
import MiniSearch from 'minisearch';
import { excerptOf } from './excerpt.js';

/** @import { Section } from '@params' */

const most = 12;

/** Words that are in every section. */
const silent = new Set('a an and are as at be by for from in is it of on or that the to what with'.split(' '));

const index = new MiniSearch({
  idField: 'url',
  fields: ['heading', 'page', 'text'],
  processTerm: (term) => (silent.has(term.toLowerCase()) ? null : term.toLowerCase()),
  searchOptions: {
    boost: { heading: 4, page: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    weights: { prefix: 0.5, fuzzy: 0.2 },
  },
});
index.addAll(sections);
const byUrl = new Map(sections.map((section) => [section.url, section]));

const root = new URL('..', /** @type {HTMLScriptElement} */ (document.currentScript).src);
const box = /** @type {HTMLElement} */ (document.getElementById('search'));
const input = /** @type {HTMLInputElement} */ (box.querySelector('input'));
const found = /** @type {HTMLElement} */ (box.querySelector('.found'));
const status = /** @type {HTMLElement} */ (found.querySelector('[role="status"]'));
const list = /** @type {HTMLElement} */ (found.querySelector('ol'));

/** Sections that have all words, or, where none has, some of them. @param {string} text */
function search(text) {
  const all = index.search(text, { combineWith: 'AND' });
  return all.length ? all : index.search(text);
}

function show() {
  const text = input.value.trim();
  found.hidden = text === '';
  if (text === '') return;
  const results = search(text);
  status.textContent = results.length === 0 ? `Nothing about “${text}”.` : '';
  list.replaceChildren(...results.slice(0, most).map(({ id, terms }) => itemOf(id, terms)));
}

/** @param {string} url @param {string[]} terms words of the section that were found */
function itemOf(url, terms) {
  const { page, heading, text } = /** @type {Section} */ (byUrl.get(url));
  const link = document.createElement('a');
  link.href = new URL(url, root).href;
  link.textContent = heading ? `${page} › ${heading}` : page;
  const excerpt = document.createElement('small');
  excerpt.append(
    ...excerptOf(text, terms).map(({ text: part, found: isTerm }) => {
      if (!isTerm) return part;
      const mark = document.createElement('mark');
      mark.textContent = part;
      return mark;
    }),
  );
  const item = document.createElement('li');
  item.append(link, excerpt);
  return item;
}

function close() {
  found.hidden = true;
}

input.addEventListener('input', show);
input.addEventListener('focus', show);
input.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') list.querySelector('a')?.click();
});
box.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  input.focus();
  close();
});
// A link to a part of the same page changes the page without leaving it.
list.addEventListener('click', close);
document.addEventListener('focusin', ({ target }) => {
  if (!box.contains(/** @type {Node} */ (target))) close();
});
document.addEventListener('pointerdown', ({ target }) => {
  if (!box.contains(/** @type {Node} */ (target))) close();
});
show();
