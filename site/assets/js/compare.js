// Any two versions or records side by side. The choice is in the address after the #, so that it can be sent to somebody
// and the way back leads through it. Names come from specs and branches: they only ever become text.
import { catalogOf } from './compare/catalog.js';
import { makeChooser } from './compare/chooser.js';
import { link } from './compare/dom.js';
import { fetchJson } from './compare/fetch.js';
import { outcomeOf } from './compare/outcome.js';
import { choiceIn, hashOf } from './compare-link.js';
import { namesFrom } from './metric-names.js';

/** @import { ComparedPair } from './compare-link.js' */
/** @import { CompareResult } from './compare/outcome.js' */

/** An element that the page has; a selector that it has not is a bug. @param {string} selector @returns {HTMLElement} */
const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

// Browsers refuse to fetch from files, and would say so in red: the page has all that it needs already.
if (location.protocol !== 'file:') start();
else sayWhatItNeeds();

function sayWhatItNeeds() {
  find('#needs').classList.add('stays');
  find('#compare').remove();
}

async function start() {
  const [main, status] = [find('#compare'), find('[role=status]')];
  const command = find('#judge ~ pre code');
  const [outcome, anyCommand] = [find('#compare .outcome'), command.textContent];
  find('#needs').hidden = true;
  main.hidden = false;
  const { names, titles, judged, k6 } = JSON.parse(String(find('#given').textContent));
  const catalog = await fetchJson('index.json').then(catalogOf, (error) => {
    status.textContent = error.message;
  });
  if (!catalog) return;
  const [titled, against] = [titles, judged].map((table) => new Map(Object.entries(table)));
  const options = { catalog, names: namesFrom(names), titles: titled, judged: against, k6 };
  const chooser = makeChooser(find('#compare .sides'), options, choose);
  const title = document.title;
  let turn = 0;

  /**
   * Each arrow key chooses what is next in a list: the way back would be long if each were a step of it.
   * @param {ComparedPair} choice @param {boolean} again
   */
  function choose(choice, again) {
    if (!again) {
      location.hash = hashOf(choice);
      return;
    }
    history.replaceState(null, '', hashOf(choice) || location.pathname);
    show();
  }

  async function show() {
    const choice = choiceIn(location.hash);
    if (!choice) return;
    chooser.show(choice);
    const mine = ++turn;
    outcome.setAttribute('aria-busy', 'true');
    /** @type {CompareResult} */
    const found = await outcomeOf(choice, options).catch((error) => ({ sentence: error.message }));
    if (mine !== turn) return; // something else was chosen meanwhile
    status.textContent = found.sentence;
    document.title = found.command ? `${choice.head} beside ${choice.base} · ${title}` : title;
    command.textContent = found.command ?? anyCommand;
    find('#ready').hidden = !found.ready;
    const ready = found.ready && link(found.ready.text, found.ready.href);
    find('#ready').replaceChildren(...(ready ? ['Judged already: ', ready, '.'] : []));
    outcome.replaceChildren(...(found.parts ?? []));
    outcome.removeAttribute('aria-busy');
    found.shown?.();
  }

  addEventListener('hashchange', show);
  await show();
}
