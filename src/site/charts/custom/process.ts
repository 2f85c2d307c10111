// Draws charts of specs, one for each message, in a process of its own: see own-drawing.js. What is in such a file must
// not become a program of ours, so Vega's interpreter evaluates its expressions, as in the browser.
import { argv, kill, pid } from 'node:process';
import { Worker } from 'node:worker_threads';
import type { Spec } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { VegaLite } from '../../../suite/vega-lite/rules.js';
import { type Data, draw, type Logger } from '../draw.js';

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

const quiet: Logger = {
  warn: () => quiet,
  info: () => quiet,
  debug: () => quiet,
  error: () => quiet,
  level: () => quiet,
};

process.on('message', async ({ chart, data }: { chart: VegaLite; data: string }) => {
  watch.postMessage(true);
  const answer = await drawn(chart, data).catch(({ message }) => ({ problem: String(message).split('\n')[0] }));
  watch.postMessage(false);
  process.send?.(answer);
});

async function drawn(chart: VegaLite, data: string) {
  const { spec } = compile(chart as TopLevelSpec, { logger: quiet });
  const vega = JSON.stringify(spec);
  return { vega, svg: await draw(vega, known(JSON.parse(data), spec), expressionInterpreter) };
}

/** Vega-Lite leaves a dataset out that only views name which have another. */
function known(data: Data, { data: sources = [] }: Spec) {
  const names = new Set(sources.map(({ name }) => name));
  return Object.fromEntries(Object.entries(data).filter(([name]) => names.has(name)));
}
