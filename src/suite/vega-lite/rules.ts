import type { Hint } from '../cases/error.js';
import { isTable } from '../cases/profile.js';

/** A chart or a part of one, as JSON. Its parts are looked at where they are used. */
export type VegaLite = Record<string, any>;

export type ChartProblem = { message: string; hint?: Hint };

/**
 * datasets: those it names; names: the words in what could be a field or an expression; fields: what encodings take from the
 * data, without what the chart makes itself; faults: why it cannot be drawn
 */
export type ChartAnalysis = { datasets: string[]; names: Set<string>; fields: Set<string>; faults: ChartProblem[] };

/** What a chart file may take its data from; specs/spec.schema.json says what they hold. */
const datasets = ['cases', 'samples', 'timeline', 'spans', 'quantiles'];

/** Those of them that have the metrics that are asked for: of a whole record, and over time. */
export const ofRecords = ['cases', 'samples'];
export const overTime = 'timeline';

const identityFields = ['who', 'version', 'system', 'environment', 'scenario', 'case', 'verdict'];
const ownFields: Record<string, string[]> = {
  cases: identityFields,
  samples: [...identityFields, 'round'],
  timeline: [...identityFields, 'of', 't', 'measured'],
  spans: [...identityFields, 'from', 'to', 'kind'],
  quantiles: [...identityFields, 'p', 'latency_ms'],
};

/**
 * The fields that rows of datasets have, beside the swept parameters.
 * @param names of datasets
 * @param metrics that are asked for
 */
export const fieldsOf = (names: string[], metrics: string[]): string[] => [
  ...new Set([...names.flatMap((name) => ownFields[name]), ...metrics.flatMap((name) => [name, `${name}_unit`])]),
];

/** Without image and geoshape: one asks for files, the other has no data of ours to show. */
const marks = [
  'arc',
  'area',
  'bar',
  'boxplot',
  'circle',
  'errorband',
  'errorbar',
  'line',
  'point',
  'rect',
  'rule',
  'square',
  'text',
  'tick',
  'trail',
];
const views = ['mark', 'layer', 'concat', 'hconcat', 'vconcat', 'facet', 'repeat', 'spec'];
const deepest = 60;

/** What a chart says to people, and what it names itself, is not a field. */
const noField = new Set(['$schema', 'title', 'description', 'name', 'text', 'as', 'usermeta']);

/** What transforms call their results when no "as" does; a pivot's are values of the data. */
const madeByName = ['key', 'value', 'density', 'prob'];

/**
 * What a chart file names, and what is wrong with it as far as that can be seen without drawing.
 * @param chart parsed
 */
export function lookAt(chart: unknown): ChartAnalysis {
  const top = topFault(chart);
  if (top) return { datasets: [], names: new Set(), fields: new Set(), faults: [{ message: top }] };
  const look: ChartAnalysis = { datasets: [], names: new Set(), fields: new Set(), faults: [] };
  const own = new Set(madeByName);
  let open = false;
  for (const { key, value, isField } of partsOf(chart, look)) {
    if (typeof value === 'string' && key === 'as') own.add(value);
    if (typeof value === 'string' && key === 'field' && isField && !/[.[\\]/.test(value)) look.fields.add(value);
    if (key === 'pivot') open = true;
    if (typeof value === 'string' && isField) for (const [word] of value.matchAll(/\w+/g)) look.names.add(word);
    for (const fault of faultsOf(key, value, look)) look.faults.push(fault);
  }
  for (const name of own) look.names.delete(name);
  for (const name of open ? look.fields : own) look.fields.delete(name);
  look.datasets = [...new Set(look.datasets)];
  if (!look.datasets.length && !look.faults.length) {
    look.faults.push({ message: 'takes no dataset', hint: 'Write "data": { "name": "cases" }, or another of them.' });
  }
  return { ...look, faults: [...new Map(look.faults.map((fault) => [fault.message, fault])).values()] };
}

function topFault(chart: unknown) {
  if (!isTable(chart)) return 'is no Vega-Lite chart, which is a JSON object';
  if (/\/vega\/v\d/.test(String(chart.$schema ?? ''))) return 'is a chart for Vega, not for Vega-Lite';
  if (!views.some((key) => key in chart)) return `is no Vega-Lite chart: it has none of ${views.join(', ')}`;
  return null;
}

/** Everything in a chart, without recursion: a file may nest as deep as it likes. */
function* partsOf(chart: unknown, look: ChartAnalysis): Generator<{ key: string; value: unknown; isField: boolean }> {
  const left = [{ key: '', value: chart, isField: true, depth: 0 }];
  for (let part = left.pop(); part; part = left.pop()) {
    const { value, isField, depth } = part;
    yield part;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > deepest) {
      look.faults.push({ message: `is nested deeper than ${deepest} levels` });
      return;
    }
    for (const [name, inner] of Object.entries(value).reverse()) {
      // the last in is the first out
      if (name === 'usermeta') continue;
      const key = Array.isArray(value) ? part.key : name;
      left.push({ key, value: inner, isField: isField && !noField.has(key), depth: depth + 1 });
    }
  }
}

function faultsOf(key: string, value: unknown, look: ChartAnalysis): ChartProblem[] {
  if (key === 'datasets') return [inline];
  if (typeof value === 'string' && /url\s*\(/i.test(value))
    return [{ message: 'has "url(" in a text', hint: 'Published pages load nothing from other hosts.' }];
  if (key === 'href' || key === 'url')
    return [
      { message: `has "${key}"`, hint: 'Published pages load nothing from other hosts, and a chart is not a link.' },
    ];
  if (key === 'data' && isTable(value)) return dataFaults(value, look);
  if (key === 'mark') return markFaults(isTable(value) ? value.type : value);
  if (key === 'bind' && isTable(value) && !('legend' in value)) {
    return [
      { message: 'binds a parameter to an input', hint: 'A picture has none. "scales" and "legend" can be bound.' },
    ];
  }
  return [];
}

const inline = {
  message: 'has data of its own',
  hint: 'Only what was measured is drawn: "data": { "name": "cases" }.',
};

function dataFaults(data: VegaLite, look: ChartAnalysis): ChartProblem[] {
  if ('url' in data) return []; // said of the key
  if ('values' in data) return [inline];
  const maker = ['sequence', 'graticule', 'sphere'].find((key) => key in data);
  if (maker) return [{ message: `makes data by "${maker}"`, hint: inline.hint }];
  if (typeof data.name !== 'string') return [{ message: 'has data without a name', hint: inline.hint }];
  if (!datasets.includes(data.name)) {
    return [
      { message: `takes the dataset "${data.name}", which there is not`, hint: { got: data.name, known: datasets } },
    ];
  }
  look.datasets.push(data.name);
  return [];
}

function markFaults(type: unknown): ChartProblem[] {
  if (type === 'image' || type === 'geoshape')
    return [{ message: `has the mark "${type}"`, hint: 'Published pages load nothing from other hosts.' }];
  return marks.includes(String(type))
    ? []
    : [
        {
          message: `has the mark ${JSON.stringify(type)}, which there is not`,
          hint: { got: String(type), known: marks },
        },
      ];
}
