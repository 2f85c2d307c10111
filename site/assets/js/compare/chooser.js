import { byCase, caseOf } from './catalog.js';
import { element } from './dom.js';

/** @import { ComparedPair } from '../compare-link.js' */
/** @import { Catalog } from './catalog.js' */

/**
 * The lists to choose base and head from: a version, and in it all cases or one.
 * @typedef {{ catalog: Catalog, titles: Map<string, string> }} ChooserOptions titles: of systems
 * @typedef {{ version: HTMLSelectElement, one: HTMLSelectElement, follows: boolean }} SideControls follows: its case is that of the
 *   other side, and it was not chosen
 */

/**
 * @param {HTMLElement} root
 * @param {ChooserOptions} options
 * @param {(choice: ComparedPair, again: boolean) => void} choose again: the same list by keyboard, still on the way through it
 * @returns {{ show: (choice: ComparedPair) => void }}
 */
export function makeChooser(root, options, choose) {
  const [base, head] = ['base', 'head'].map((name) => sideIn(root, name, options));
  let [byKeyboard, changes] = [false, 0];
  root.addEventListener('keydown', () => {
    byKeyboard = true;
  });
  root.addEventListener('pointerdown', () => {
    byKeyboard = false;
  });
  root.addEventListener('focusout', () => {
    changes = 0;
  });
  const chosen = () => choose({ base: nameOf(base), head: nameOf(head) }, changes++ > 0 && byKeyboard);
  for (const [side, other] of [
    [base, head],
    [head, base],
  ]) {
    side.version.addEventListener('change', () => {
      listCases(side, side.one.value || other.one.value, options);
      chosen();
    });
    side.one.addEventListener('change', () => {
      // A record is set beside a record: the other side follows until it is chosen itself, and goes back with this one.
      side.follows = false;
      if (!side.one.value || !other.one.value) other.follows = true;
      if (other.follows) other.one.value = hasCase(other, side.one.value) ? side.one.value : '';
      chosen();
    });
  }
  root
    .querySelector('button')
    ?.addEventListener('click', () => choose({ base: nameOf(head), head: nameOf(base) }, false));
  return {
    show(choice) {
      if (nameOf(base) === choice.base && nameOf(head) === choice.head) return; // it was chosen here
      base.follows = head.follows = false;
      select(base, choice.base, options);
      select(head, choice.head, options);
    },
  };
}

/** @param {HTMLElement} root @param {string} name @param {ChooserOptions} given @returns {SideControls} */
function sideIn(root, name, { catalog }) {
  const [version, one] = ['version', 'case'].map(
    (list) => /** @type {HTMLSelectElement} */ (root.querySelector(`[data-side=${name}] [name=${list}]`)),
  );
  one.replaceChildren(option('', 'all cases'));
  version.replaceChildren(
    option('', 'choose'),
    ...[...catalog.versions.values()].map((each) =>
      option(each.version, each.kept ? each.version : `last run, ${each.version}`),
    ),
  );
  one.disabled = true;
  return { version, one, follows: false };
}

/** @param {string} value @param {string} text */
const option = (value, text) => element('option', { value }, text);

/** @param {SideControls} side @param {string} name */
const hasCase = ({ one }, name) => [...one.options].some(({ value }) => value === name);

/** @param {SideControls} side */
const nameOf = ({ version, one }) => [version.value, one.value].filter(Boolean).join('/');

/**
 * A choice that has gone is dropped.
 * @param {SideControls} side
 * @param {string} name
 * @param {ChooserOptions} options
 */
function select(side, name, options) {
  const { versions, records } = options.catalog;
  const record = records.get(name);
  side.version.value = record?.version ?? (versions.has(name) ? name : '');
  listCases(side, record ? caseOf(record) : '', options);
}

/**
 * @param {SideControls} side
 * @param {string} wanted a case
 * @param {ChooserOptions} given
 */
function listCases(side, wanted, { catalog, titles }) {
  /** @type {Map<string, HTMLElement>} */
  const groups = new Map();
  for (const listed of [...(catalog.versions.get(side.version.value)?.records ?? [])].sort(byCase)) {
    const label = `${titles.get(listed.system) ?? listed.system}, ${listed.environment}`;
    const group = groups.get(label) ?? element('optgroup', { label });
    group.append(option(caseOf(listed), listed.case));
    groups.set(label, group);
  }
  side.one.replaceChildren(option('', 'all cases'), ...groups.values());
  side.one.disabled = !side.version.value;
  side.one.value = hasCase(side, wanted) ? wanted : '';
}
