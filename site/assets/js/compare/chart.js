import { curves, keyOf, limitsOf } from '../latency-lines.js';
import { quantilesOf } from '../quantiles.js';
import { element, headOf } from './dom.js';

/** @import { Key } from '../latency-lines.js' */
/** @import { RecordSide } from './records.js' */

/**
 * Latency by percentile of two records, as charts are in pages: the script that makes those live draws it.
 * @param {RecordSide} base
 * @param {RecordSide} head
 * @returns {HTMLElement | null} null: neither has a distribution
 */
export function besideChart(base, head) {
  const apart = ['version', 'system', 'environment', 'case'].filter(
    (key) => listedValue(base, key) !== listedValue(head, key),
  );
  const lines = [head, base].flatMap((side) => {
    const { distribution } = side.record;
    if (!distribution?.count) return [];
    const name = side === head ? 'head' : 'base';
    const who = [name, ...apart.map((key) => listedValue(side, key))].join(' ');
    return [{ slot: side === head ? 1 : 'base', who, ...quantilesOf(distribution) }];
  });
  if (!lines.length) return null;
  const limits = limitsOf(head.record.thresholds);
  const { file, summary, table } = curves(lines);
  const key = [...keyOf(lines), ...(limits.p.length ? [{ slot: 'limit', text: 'threshold of head' }] : [])];
  return element(
    'figure',
    { class: 'chart', 'data-chart': file },
    element(
      'figcaption',
      {},
      'Latency by percentile',
      noteOf(base, head),
      element('ul', { class: 'key' }, key.map(keyItem)),
    ),
    element('div', { class: 'picture', role: 'img', 'aria-label': summary }),
    element(
      'details',
      {},
      element('summary', {}, 'Numbers'),
      element(
        'table',
        { class: 'plain' },
        headOf(table.head),
        element(
          'tbody',
          {},
          table.rows.map(([first, ...rest]) =>
            element(
              'tr',
              {},
              element('th', { scope: 'row' }, first),
              rest.map((text) => element('td', { class: 'number' }, text)),
            ),
          ),
        ),
      ),
    ),
    element(
      'script',
      { type: 'application/json' },
      JSON.stringify({ quantiles: [...lines].reverse(), limits: [limits] }),
    ),
  );
}

/** @param {RecordSide} side @param {string} key */
const listedValue = ({ listed }, key) => String(/** @type {any} */ (listed)[key]);

/** @param {RecordSide} base @param {RecordSide} head */
function noteOf(base, head) {
  const out = Object.entries({ base, head })
    .filter(([, { record }]) => record.metrics.latency_ms_p50?.valid === false)
    .map(([name, { record }]) => `${name} (${record.metrics.latency_ms_p50.reason ?? 'not valid'})`);
  return out.length ? element('p', { class: 'note' }, `⊘ These do not count: ${out.join('; ')}.`) : null;
}

/** @param {Key} key */
function keyItem({ slot, text }) {
  const [svg, path] = ['svg', 'path'].map((name) => document.createElementNS('http://www.w3.org/2000/svg', name));
  const frame = { viewBox: '0 0 22 8', width: '22', height: '8', 'aria-hidden': 'true' };
  for (const [name, value] of Object.entries(frame)) svg.setAttribute(name, value);
  path.setAttribute('d', 'M1 4h20');
  path.setAttribute('class', `slot-${slot}`);
  svg.append(path);
  return element('li', {}, svg, ` ${text}`);
}

/** @type {Promise<void> | null} */
let charts = null;

/**
 * Draws a chart that is in the page.
 * @param {HTMLElement} figure
 */
export async function enliven(figure) {
  try {
    charts ??= fetchCharts();
    await charts;
    figure.dispatchEvent(new CustomEvent('chart', { bubbles: true }));
  } catch (error) {
    charts = null;
    figure
      .querySelector('.picture')
      ?.replaceWith(element('p', { class: 'note' }, /** @type {Error} */ (error).message));
    figure.querySelector('details')?.setAttribute('open', '');
  }
}

/** The script of all charts, which boot.js knows. @returns {Promise<void>} */
function fetchCharts() {
  const boot = /** @type {HTMLScriptElement} */ (document.querySelector('script[data-charts]'));
  const script = document.createElement('script');
  script.src = new URL(boot.dataset.charts ?? '', boot.src).href;
  return new Promise((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error('The script that draws charts cannot be fetched.')));
    document.head.append(script);
  });
}
