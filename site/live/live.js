// Shows a run while it measures. The process that measures sends what happens; this page shows it, and asks for nothing.
import { counted, formatCount, formatDuration, formatNumber } from '../assets/js/format.js';
import { applied, stateOf, timelineOf } from '../assets/js/live-state.js';
import { tooltipIn } from '../assets/js/tooltip.js';
import { expressionInterpreter } from './vega-interpreter.js';

/** @import { LiveCase, LiveState } from '../assets/js/live-state.js' */

const { parse, View } = /** @type {typeof import('vega')} */ (/** @type {any} */ (globalThis).vega);

/** @template {HTMLElement} T @param {string} selector @returns {T} */
const find = (selector) => /** @type {T} */ (document.querySelector(selector));
const chart = find('#chart');
const picture = find('#chart .picture');

/** @param {string} tag @param {string} text @param {string} [className] */
function element(tag, text, className) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** Draws the timeline, and then gives it new data. @param {any} spec compiled to Vega */
async function liveTimeline(spec) {
  const stage = document.createElement('div');
  stage.setAttribute('aria-hidden', 'true');
  const view = new View(parse(spec, undefined, { ast: true }), {
    expr: expressionInterpreter,
    renderer: 'svg',
    hover: true,
    tooltip: tooltipIn(chart),
  });
  await view.initialize(stage).runAsync();
  picture.append(stage);
  return (/** @type {LiveState} */ { seconds }) => {
    if (seconds.length < 2) return; // a line has two points: what was drawn before stays
    const { data, key } = timelineOf(seconds);
    for (const [name, rows] of Object.entries(data)) view.data(name, rows);
    void view.runAsync();
    find('#chart .key').replaceChildren(...key.map(({ slot, text }) => keyItem(slot, text)));
  };
}

/** @param {string | number} slot @param {string} text */
function keyItem(slot, text) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  for (const [name, value] of Object.entries({ viewBox: '0 0 22 8', width: '22', height: '8', 'aria-hidden': 'true' }))
    svg.setAttribute(name, value);
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', 'M1 4h20');
  path.setAttribute('class', `slot-${slot}`);
  svg.append(path);
  const item = document.createElement('li');
  item.append(svg, ` ${text}`);
  return item;
}

/** @param {LiveState} state @returns {string} "round 2 of 3, 12 of 30 s, about 40 s left" */
function progressOf({ round, last, whole, left_s, ended }) {
  if (ended) return ended;
  const time =
    last.t === 0 ? '' : `${formatCount(last.t)}${whole === null ? '' : ` of ${formatCount(whole)}`} s of load`;
  const left = left_s === null ? '' : `about ${formatDuration(Math.max(1, Math.round(left_s)))} left in all`;
  return [round, time, left].filter(Boolean).join(', ');
}

/** @param {LiveState} state */
function figuresOf({ seconds, last }) {
  const now = seconds.at(-1);
  if (!now) return [];
  return [
    ['Responses', formatNumber(now.responses), '/s'],
    ['Latency p50', formatNumber(now.p50_ms), 'ms'],
    ['Latency p95', formatNumber(now.p95_ms), 'ms'],
    ['Errors so far', formatCount(last.errors), ''],
    ['Dropped so far', formatCount(last.dropped), ''],
    ...Object.entries(now.cores).map(([who, cores]) => [`CPU of ${who}`, formatNumber(cores), 'cores']),
  ];
}

/** @param {LiveState} state */
function show(state) {
  const { title, cases, at, seconds, notes, result, ended } = state;
  const now = cases[at]?.name ?? '';
  document.title = `${ended || now || 'Benchmark under way'} · ${title}`;
  find('#title').textContent = title;
  find('#case').textContent = ended ? `${ended}: ${counted(cases.length, 'case')}` : now || 'Preparing';
  find('#state').textContent = ended ? '' : progressOf(state);
  const pre = find('#result');
  pre.hidden = result === '';
  if (pre.textContent !== result) pre.textContent = result;
  const figures = figuresOf(state);
  const list = find('#figures');
  list.hidden = figures.length === 0 || ended !== '';
  list.replaceChildren(
    ...figures.map(([name, value, unit]) => {
      const pair = document.createElement('div');
      const shown = document.createElement('dd');
      shown.append(element('strong', value), ` ${unit}`);
      pair.append(element('dt', name), shown);
      return pair;
    }),
  );
  chart.hidden = seconds.length === 0;
  find('#cases').hidden = cases.length === 0;
  find('#cases ol').replaceChildren(...cases.map((one, index) => caseItem(one, index === at && !ended)));
  find('#notes').hidden = notes.length === 0;
  find('#notes ul').replaceChildren(...notes.map((note) => element('li', note)));
}

/** @param {LiveCase} one @param {boolean} isNow */
function caseItem({ name, outcome }, isNow) {
  const item = element('li', name);
  if (isNow) item.setAttribute('aria-current', 'true');
  item.append(element('small', isNow ? ' now' : outcome ? ` ${outcome}` : ''));
  return item;
}

let state = stateOf('');
const draw = await liveTimeline(await (await fetch('chart.json')).json());
const events = new EventSource('events');
events.onmessage = ({ data }) => {
  state = applied(state, JSON.parse(data));
  show(state);
  draw(state);
  if (state.ended) events.close();
};
// A browser tries again by itself; a process that was killed is not there any more.
events.onerror = () => {
  if (!state.ended) find('#state').textContent = 'The connection is lost: the run was ended, or cannot be reached.';
};
