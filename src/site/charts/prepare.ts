import { isTable } from '../../suite/cases/profile.js';
import type { VegaLite } from '../../suite/vega-lite/rules.js';

/**
 * What a page adds to a chart file: titles, types and scales by field, the mark of the layer named "values", and
 * channels for all layers that have a name; panels: the names of those above each other that stay.
 */
export type Patch = {
  fields?: Record<string, Record<string, unknown>>;
  mark?: Record<string, unknown>;
  channels?: Record<string, unknown>;
  panels?: string[];
};

/**
 * The two Vega-Lite specs of a chart file. `drawn` is for the picture: what only answers to a pointer is left out.
 * `live` is for the browser: every line that has a tooltip gets points that find the one nearest to the pointer.
 * @param file a .vl.json
 * @param theme what all charts share
 */
export function prepare(file: VegaLite, theme: VegaLite, patch: Patch = {}): { drawn: VegaLite; live: VegaLite } {
  const { dashes, $comment, own, ...shared } = theme;
  const whole = { ...shared, ...file, config: merge(shared.config, file.config ?? {}) };
  const chart = patched(
    everyPart(whole, (part) => dashed(part, dashes)),
    patch,
  );
  return { drawn: eachUnit(chart, withoutTooltip), live: eachUnit(chart, withNearest()) };
}

/**
 * A chart of a spec with the theme beneath it. It gets the room of our own charts, unless it says what it takes; its title
 * stands above it on the page.
 */
export function themed(file: VegaLite, theme: VegaLite): VegaLite {
  const { dashes, $comment, own, ...shared } = theme;
  const { title, $schema, usermeta, ...chart } = file;
  if (chart.width === 'container') delete chart.width;
  const { width, height, autosize, config } = own;
  const room = isOneView(chart) && chart.width === undefined ? { width, height, autosize } : { autosize: 'pad' };
  const whole = { ...shared, ...room, ...chart, config: merge(merge(shared.config, config), file.config ?? {}) };
  return everyPart(whole, (part) => dashed(part, dashes));
}

/** Vega-Lite cannot fit several views into a room. */
const isOneView = (chart: VegaLite) =>
  !['concat', 'hconcat', 'vconcat', 'facet', 'repeat'].some((key) => chart[key]) &&
  !['row', 'column', 'facet'].some((channel) => chart.encoding?.[channel]);

/** Vega-Lite's own dashes cannot be told apart at this size, and its configuration has no place for others. */
function dashed(part: VegaLite, dashes: number[][]) {
  const dash = part.encoding?.strokeDash;
  if (!dash || dash.scale?.range) return part;
  const scale = { ...dash.scale, range: dashes.slice(0, dash.scale?.domain?.length ?? dashes.length) };
  return { ...part, encoding: { ...part.encoding, strokeDash: { ...dash, scale } } };
}

function patched(chart: VegaLite, { fields = {}, mark, channels = {}, panels }: Patch): VegaLite {
  const withFields = (part: VegaLite) => {
    if (!part.encoding) return part;
    const changed = Object.entries<any>(part.encoding).map(([channel, def]) => [
      channel,
      fields[def?.field] ? merge(def, fields[def.field]) : def,
    ]);
    return { ...part, encoding: Object.fromEntries(changed) };
  };
  const withMark = (part: VegaLite) =>
    mark && part.name === 'values' ? { ...part, mark: { ...part.mark, ...mark } } : part;
  const withChannels = (part: VegaLite) =>
    part.name && part.mark ? { ...part, encoding: { ...part.encoding, ...channels } } : part;
  const whole = panels ? { ...chart, vconcat: chart.vconcat.filter(isOneOf(panels)) } : chart;
  return everyPart(whole, (part) => withChannels(withMark(withFields(part))));
}

const isOneOf =
  (names: string[]) =>
  ({ name }: { name: string }) =>
    names.includes(name);

function withoutTooltip(unit: VegaLite) {
  const { params, ...rest } = unit;
  const { tooltip, ...encoding } = unit.encoding ?? {};
  return { ...rest, encoding };
}

/** A selection's name must be unique in a chart, so each chart counts its own. */
function withNearest() {
  let count = 0;
  return (unit: VegaLite) => {
    const type = unit.mark?.type ?? unit.mark;
    if (type !== 'line' || !unit.encoding?.tooltip) return unit;
    const name = `nearest${count++}`;
    const { data, transform, ...line } = unit;
    const { strokeDash, tooltip, ...encoding } = unit.encoding;
    const opacity = { condition: { param: name, empty: false, value: 1 }, value: 0 };
    const points = {
      params: [{ name, select: { type: 'point', on: 'pointerover', clear: 'pointerout', nearest: true } }],
      mark: { type: 'point', size: 60 },
      encoding: { ...encoding, tooltip, opacity },
    };
    const layer = [{ ...line, encoding: { ...encoding, strokeDash } }, points];
    return { data, ...(transform && { transform }), layer };
  };
}

/** @param change of what has a mark */
const eachUnit = (part: VegaLite, change: (unit: VegaLite) => VegaLite): VegaLite =>
  everyPart(part, (inner) => (inner.mark ? change(inner) : inner));

/** Changes every view of a chart, the innermost first. */
function everyPart(part: VegaLite, change: (part: VegaLite) => VegaLite): VegaLite {
  const inner = ['layer', 'vconcat', 'hconcat', 'concat']
    .filter((key) => Array.isArray(part[key]))
    .map((key) => [key, part[key].map((child: VegaLite) => everyPart(child, change))]);
  return change({ ...part, ...Object.fromEntries(inner) });
}

/** Merges tables deeply; everything else is replaced. */
function merge<T>(base: T, over: unknown): T {
  if (!isTable(base) || !isTable(over)) return over as T;
  const keys = Object.keys(over).map((key) => [key, key in base ? merge(base[key], over[key]) : over[key]]);
  return { ...base, ...Object.fromEntries(keys) };
}
