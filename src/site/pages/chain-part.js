import { formatChangeInterval } from '../../format.js';
import { certainSteps, chainChart, shortCommit } from '../charts/chain.js';
import { groupBy } from '../model/series.js';
import { link } from './page.js';
import { asSentence } from './text.js';

/**
 * @typedef {import('../model/chains.js').ChainLine} ChainLine
 */

/** What is always drawn; of what else is gated, what has changed for certain. */
const always = ['cpu_ms_per_request', 'latency_ms_p50', 'latency_ms_p50{lane:load}', 'throughput_rps{lane:saturation}'];

/**
 * The history of a system without what differs between sessions: what duets of successive commits found, multiplied.
 * @param {string} system
 * @param {import('../model/site-model.js').Overview} overview
 * @param {import('../charts/drawings.js').Draw} draw
 * @returns {Promise<{ from: string, to: string, count: number, charts: import('../charts/drawings.js').Drawn[],
 *   steps: { text: string, verdict: string, commit: string, url: string }[] } | null>} null: there is no chain of it
 */
export async function chainPart(system, { chains, names, duets: shown }, draw) {
  const chain = chains.find(({ lines }) => lines.some((line) => line.system === system && line.steps.length > 1));
  if (!chain) return null;
  const { duets } = chain;
  const lines = chain.lines.filter((line) => line.system === system);
  const several = new Set(lines.map(({ environment }) => environment)).size > 1;
  const whoIs = (/** @type {ChainLine} */ line) => [several && line.environment, line.case].filter(Boolean).join(', ');
  const moved = new Set(certainSteps(lines).map(({ line }) => line.metric));
  const wanted = [...groupBy(lines, ({ metric }) => metric)]
    .filter(
      ([metric, own]) => (always.includes(metric) || moved.has(metric)) && own.some(({ steps }) => steps.length > 1),
    )
    .sort(([a], [b]) => names.orderOf(a) - names.orderOf(b));
  const places = new Set(shown);
  return {
    from: shortCommit(duets[0].outcome.commits.base),
    to: shortCommit(duets[duets.length - 1].outcome.commits.head),
    count: duets.length,
    charts: await draw(wanted.map(([metric, own]) => chainChart(names.titleOf(metric), own, duets, whoIs))),
    steps: certainSteps(lines).map(({ line, step }) => {
      const duet = duets[step.at];
      const name = names.titleOf(line.metric);
      const { ratio, low, high } = step;
      return {
        text: `${asSentence(name)} ${formatChangeInterval({ unit: line.unit, scale: 'ratio', ratio, low, high })}${lines.length > 1 && new Set(lines.map(whoIs)).size > 1 ? ` (${whoIs(line)})` : ''}`,
        verdict: step.verdict,
        commit: shortCommit(duet.outcome.commits.head),
        url: places.has(duet) ? link('', duet.url).url : '',
      };
    }),
  };
}
