// Makes the pictures live: the same charts, drawn again in the browser, with a tooltip. The specs were compiled to Vega
// when the site was built; the interpreter evaluates their expressions, since the page's policy forbids eval.
import { charts } from '@params';
import { parse, View } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { pageOf } from './point-page.js';
import { rowsOf } from './rows.js';
import { tooltipIn } from './tooltip.js';

for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-chart]'))) {
  for (const event of ['pointerenter', 'touchstart']) {
    figure.addEventListener(event, () => enliven(figure), { once: true, passive: true });
  }
  if (figure.matches(':hover')) enliven(figure);
}

const root = new URL('..', /** @type {HTMLScriptElement} */ (document.currentScript).src);

// A chart that a script has made is not a picture yet.
document.addEventListener('chart', ({ target }) => enliven(/** @type {HTMLElement} */ (target)));

/** Puts the live chart in the picture's place, of the same size. @param {HTMLElement} figure */
async function enliven(figure) {
  if (figure.dataset.live) return;
  figure.dataset.live = 'yes';
  const picture = figure.querySelector('.picture');
  const data = JSON.parse(figure.querySelector('script')?.textContent ?? '{}');
  const spec = charts[String(figure.dataset.chart)];
  const view = new View(parse(spec, undefined, { ast: true }), {
    expr: expressionInterpreter,
    renderer: 'svg',
    hover: true,
    tooltip: tooltipIn(figure),
  });
  for (const { name } of spec.data ?? []) if (data[name]) view.data(name, rowsOf(data[name]));
  view.addEventListener('click', (_event, item) => {
    const page = pageOf(item);
    if (page) location.href = new URL(page, root).href;
  });
  const stage = document.createElement('div');
  stage.setAttribute('aria-hidden', 'true'); // the picture says in words what it shows
  await view.initialize(stage).runAsync();
  if (Object.values(data).some((sets) => sets.some((/** @type {any} */ { to }) => to))) stage.className = 'leads';
  picture?.replaceChildren(stage);
}
