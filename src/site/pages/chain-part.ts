import type { ComparedCase } from '../../../reports/schema/types.d.ts';
import { formatChangeInterval } from '../../base/format.js';
import { certainSteps, chainChart, shortCommit } from '../charts/chain.js';
import type { Draw, Drawn } from '../charts/drawings.js';
import { type Chain, type ChainLine, commitsOf } from '../model/chains.js';
import { groupBy } from '../model/series.js';
import type { Overview } from '../model/site-model.js';
import { hrefOf } from './page.js';
import { asSentence } from './text.js';

/** What is always drawn; of what else is gated, what has changed for certain. */
const always = ['cpu_ms_per_request', 'latency_ms_p50', 'latency_ms_p50{lane:load}', 'throughput_rps{lane:saturation}'];

/**
 * The history of a system without what differs between sessions: what duets of successive commits found, multiplied.
 * open: how many of its duets are undecided, or have no trustworthy measurement
 */
type ChainPart = { from: string; to: string; count: number; open: number; charts: Drawn[]; steps: ChainEvent[] };

/** Something certain at a commit; url: '' where its duet has no page */
type ChainEvent = { text: string; verdict: string; commit: string; url: string };

/** @returns a part for each chain, that of the newest duet first */
export async function chainParts(system: string, overview: Overview, draw: Draw): Promise<ChainPart[]> {
  const lastOf = ({ duets }: Chain) => duets[duets.length - 1].time;
  const own = overview.chains.filter(({ lines }) =>
    lines.some((line) => line.system === system && line.steps.length > 1),
  );
  const parts = [];
  for (const chain of own.sort((a, b) => lastOf(b).localeCompare(lastOf(a))))
    parts.push(await chainPart(chain, system, overview, draw));
  return parts;
}

async function chainPart(
  { duets, lines: all }: Chain,
  system: string,
  { names, duets: shown }: Overview,
  draw: Draw,
): Promise<ChainPart> {
  const lines = all.filter((line) => line.system === system);
  const environments = new Set(lines.map(({ environment }) => environment)).size;
  const whoIs = (line: ChainLine) => [environments > 1 && line.environment, line.case].filter(Boolean).join(', ');
  const severalCases = new Set(lines.map(whoIs)).size > 1;
  const certain = certainSteps(lines);
  const moved = new Set(certain.map(({ line }) => line.metric));
  const metricGroups = [...groupBy(lines, ({ metric }) => metric)]
    .filter(
      ([metric, own]) => (always.includes(metric) || moved.has(metric)) && own.some(({ steps }) => steps.length > 1),
    )
    .sort(([a], [b]) => names.orderOf(a) - names.orderOf(b));
  const at = (position: number) => ({
    place: position,
    commit: shortCommit(commitsOf(duets[position]).head),
    url: shown.includes(duets[position]) ? hrefOf(duets[position].url) : '',
  });
  const steps = certain.map(({ line, step: { at: position, verdict, ratio, low, high } }) => {
    const change = formatChangeInterval({ unit: line.unit, scale: 'ratio', ratio, low, high });
    const of = severalCases ? ` (${whoIs(line)})` : '';
    return { ...at(position), verdict, text: `${asSentence(names.titleOf(line.metric))} ${change}${of}` };
  });
  // New errors, a missed threshold and a service that fell over are in no line, and must not be a silence.
  const worse = new Set(certain.filter(({ step }) => step.verdict === 'worse').map(({ step }) => step.at));
  const failed = duets.flatMap(({ outcome }, position) =>
    outcome.cases
      .filter(
        (comparedCase) => comparedCase.system === system && comparedCase.verdict === 'fail' && !worse.has(position),
      )
      .map(({ verdict, reason }) => ({ ...at(position), verdict, text: String(reason) })),
  );
  const isOpen = (comparedCase: ComparedCase) =>
    comparedCase.system === system && ['inconclusive', 'invalid', 'error'].includes(comparedCase.verdict);
  return {
    from: shortCommit(commitsOf(duets[0]).base),
    to: shortCommit(commitsOf(duets[duets.length - 1]).head),
    count: duets.length,
    open: duets.filter(({ outcome }) => outcome.cases.some(isOpen)).length,
    charts: await draw(metricGroups.map(([metric, own]) => chainChart(names.titleOf(metric), own, duets, whoIs))),
    steps: [...steps, ...failed].sort((a, b) => b.place - a.place),
  };
}
