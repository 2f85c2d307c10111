// Draws charts of specs, one for each message, in a process of its own: see own-drawing.js. What is in such a file must
// not become a program of ours, so Vega's interpreter evaluates its expressions, as in the browser.
import { argv, kill, pid } from 'node:process';
import { Worker } from 'node:worker_threads';
import { expressionInterpreter } from 'vega-interpreter';
import { compile } from 'vega-lite';
import { draw } from '../draw.js';

/** @import { Data, Logger } from '../draw.js' */
/** @import { Spec } from 'vega' */
/** @import { TopLevelSpec } from 'vega-lite' */
/** @import { VegaLite } from '../../../suite/vega-lite/rules.js' */

const seconds = Number(argv[2]);

/** Ends the process while it is busy: this thread cannot, and who started it may be gone. */
const watch = new Worker(
  `
  const { parentPort } = require('node:worker_threads');
  let late;
  parentPort.on('message', (busy) => {
    clearTimeout(late);
    if (busy) late = setTimeout(() => process.kill(${pid}, 'SIGKILL'), ${1000 * seconds});
  });
`,
  { eval: true },
);
process.on('disconnect', () => kill(pid, 'SIGKILL'));

/** @type {Logger} */
const quiet = { warn: () => quiet, info: () => quiet, debug: () => quiet, error: () => quiet, level: () => quiet };

process.on('message', async (/** @type {{ chart: VegaLite, data: string }} */ { chart, data }) => {
  watch.postMessage(true);
  const answer = await drawn(chart, data).catch(({ message }) => ({ problem: String(message).split('\n')[0] }));
  watch.postMessage(false);
  process.send?.(answer);
});

/** @param {VegaLite} chart @param {string} data */
async function drawn(chart, data) {
  const { spec } = compile(/** @type {TopLevelSpec} */ (chart), { logger: quiet });
  const vega = JSON.stringify(spec);
  return { vega, svg: await draw(vega, known(JSON.parse(data), spec), expressionInterpreter) };
}

/**
 * Vega-Lite leaves a dataset out that only views name which have another.
 * @param {Data} data
 * @param {Spec} spec
 */
function known(data, { data: sources = [] }) {
  const names = new Set(sources.map(({ name }) => name));
  return Object.fromEntries(Object.entries(data).filter(([name]) => names.has(name)));
}
