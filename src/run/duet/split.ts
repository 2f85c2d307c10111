import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, writeJson, writeWhole } from '../../base/io/files.js';
import { scopeOf } from '../../suite/cases/metrics.js';
import { parseSubMetric, subMetricName } from '../../suite/cases/sub-metric.js';
import type { HistogramLine, ServicesLine, TimelineLine } from '../generator/results.js';

export type SideName = 'base' | 'head';

export const sideNames: readonly SideName[] = ['base', 'head'];

/**
 * Parts the raw files of a block into those of its two sides, each as if it had been measured alone: all that comes
 * after reads them like those of any round.
 * @param folder the block's
 * @param targets where the files of each side go; only one: it was measured alone
 */
export async function splitBlock(folder: string, targets: Partial<Record<SideName, string>>) {
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const summary = JSON.parse(await read('summary.json'));
  // The native player leaves histograms, k6 itself a timeline.
  const linesIn = async (name: string) => (existsSync(join(folder, name)) ? linesOf(await read(name)) : null);
  const timeline = (await linesIn('timeline.ndjson')) as TimelineLine[] | null;
  const histograms = (await linesIn('histograms.ndjson')) as HistogramLine[] | null;
  const services = linesOf(await read('services.ndjson')) as ServicesLine[];
  const round = JSON.parse(await read('round.json'));
  const both = Object.keys(targets).length > 1;
  for (const [side, folder] of Object.entries(targets) as [SideName, string][]) {
    const target = makeFolder(folder);
    await writeJson(
      join(target, 'summary.json'),
      both ? { ...summary, metrics: metricsOf(summary.metrics, side) } : summary,
    );
    if (timeline)
      await writeWhole(join(target, 'timeline.ndjson'), textOf(both ? timelineOf(timeline, side) : timeline));
    if (histograms)
      await writeWhole(join(target, 'histograms.ndjson'), textOf(both ? histogramsOf(histograms, side) : histograms));
    await writeWhole(join(target, 'services.ndjson'), textOf(services.map((line) => servicesOf(line, side))));
    // last: now it is whole
    await writeJson(
      join(target, 'round.json'),
      both ? { ...round, problems: round.problems[side], answers: round.answers[side] } : round,
    );
  }
}

/**
 * The metrics of one side, by the names that they have without sides. What k6 has of both together belongs to neither, but for
 * what is of an iteration or of the process.
 */
function metricsOf<T>(metrics: Record<string, T>, side: SideName): Record<string, T> {
  return Object.fromEntries(
    Object.entries(metrics).flatMap(([name, value]) => {
      const own = nameOn(name, side);
      return own === null ? [] : [[own, value]];
    }),
  );
}

/** An iteration goes to both sides, users and times are the process'. */
const isCommon = (metric: string) => ['iteration', 'process'].includes(scopeOf(metric));

/**
 * @param name "http_req_duration{phase:steady,side:base}"
 * @returns "http_req_duration{phase:steady}"; null: not of this side
 */
function nameOn(name: string, side: SideName): string | null {
  const { metric, selector } = parseSubMetric(name);
  const { side: own, ...others } = selector;
  if (own === undefined) return isCommon(metric) ? name : null;
  return own === side ? subMetricName({ metric, selector: others }) : null;
}

/** The recorder's lines for one side. A snapshot has its values in the order of all names declared so far, sorted. */
function timelineOf(lines: TimelineLine[], side: SideName) {
  let declared: string[] = [];
  return lines.map((line) => {
    if (line.event === 'metric') {
      declared = [...new Set([...declared, ...Object.keys(line.data)])].sort();
      return { ...line, data: metricsOf(line.data, side) };
    }
    if (line.event !== 'snapshot' && line.event !== 'cumulative') return line;
    const values = Object.fromEntries(declared.map((name, i) => [name, line.data[i] ?? []]));
    const own = metricsOf(values, side);
    return {
      ...line,
      data: Object.keys(own)
        .sort()
        .map((name) => own[name]),
    };
  });
}

/** The native player's lines for one side; lines without a side are of iterations and users, and belong to both. */
const histogramsOf = (lines: HistogramLine[], side: SideName) =>
  lines
    .filter(({ tags }) => (tags?.side ?? side) === side)
    .map(({ tags, ...line }) => (tags ? { ...line, tags: { ...tags, side: undefined } } : line));

const servicesOf = (line: ServicesLine, side: SideName) => ({
  ...line,
  services: Object.fromEntries(
    Object.entries(line.services)
      .filter(([name]) => name.startsWith(`${side}/`))
      .map(([name, value]) => [name.slice(side.length + 1), value]),
  ),
});

const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const textOf = (lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
