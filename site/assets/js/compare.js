// Any two versions or records side by side. The choice is in the address after the #, so that it can be sent to somebody
// and the way back leads through it. Names come from specs and branches: they only ever become text.
import { catalogOf } from './compare/catalog.js';
import { makeChooser } from './compare/chooser.js';
import { link } from './compare/dom.js';
import { fetchJson } from './compare/fetch.js';
import { outcomeOf } from './compare/outcome.js';
import { choiceIn, hashOf } from './compare-link.js';
import { namesFrom } from './metric-names.js';

const byId = (id) => document.getElementById(id);

// Browsers refuse to fetch from files, and would say so in red: what the page needs stands there already.
if (location.protocol !== 'file:') start();
else sayWhatItNeeds();

function sayWhatItNeeds() {
  byId('needs').classList.add('stays');
  byId('compare').remove();
}

async function start() {
  const [main, status] = [byId('compare'), document.querySelector('[role=status]')];
  const command = document.querySelector('#judge ~ pre code');
  const [outcome, anyCommand] = [main.querySelector('.outcome'), command.textContent];
  byId('needs').hidden = true;
  main.hidden = false;
  const { names, titles, judged, k6 } = JSON.parse(byId('given').textContent);
  const catalog = await fetchJson('index.json').then(catalogOf, (error) => {
    status.textContent = error.message;
  });
  if (!catalog) return;
  const [titled, against] = [titles, judged].map((table) => new Map(Object.entries(table)));
  const given = { catalog, names: namesFrom(names), titles: titled, judged: against, k6 };
  const chooser = makeChooser(main.querySelector('.sides'), given, choose);
  const title = document.title;
  let turn = 0;

  /** Each arrow key chooses what is next in a list: the way back would be long if each were a step of it. */
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
    const found = await outcomeOf(choice, given).catch((error) => ({ said: error.message }));
    if (mine !== turn) return; // something else was chosen meanwhile
    status.textContent = found.said;
    document.title = found.command ? `${choice.head} beside ${choice.base} · ${title}` : title;
    command.textContent = found.command ?? anyCommand;
    byId('ready').hidden = !found.ready;
    const ready = found.ready && link(found.ready.text, found.ready.href);
    byId('ready').replaceChildren(...(ready ? ['Judged already: ', ready, '.'] : []));
    outcome.replaceChildren(...(found.parts ?? []));
    outcome.removeAttribute('aria-busy');
    found.shown?.();
  }

  addEventListener('hashchange', show);
  await show();
}
