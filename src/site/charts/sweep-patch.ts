import type { Value } from '../../suite/cases/sweep.js';
import type { ChartSpec } from '../collect/declared-parts.js';
import type { Patch } from './prepare.js';
import type { SweepLine } from './sweep-chart.js';

/** What a chart of values takes from its wish: titles, scales and marks. */
export function sweepPatch(
  { type = 'line', scale = 'linear' }: ChartSpec,
  lines: SweepLine[],
  titles: { x: string | null; y: string },
): Patch {
  const places = lines.flatMap(({ points }) => points.map(({ x }) => x));
  const isOrdinal = type === 'bar' || places.some((position) => typeof position !== 'number');
  const x = isOrdinal ? ordinal(places, titles.x) : { title: titles.x, ...scaleOf(scale, places.map(Number)) };
  return {
    fields: { x, y: { title: titles.y }, low: { title: titles.y } },
    ...(type !== 'line' && { mark: { type, point: false, ...(type === 'point' && { size: 50 }) } }),
    ...(type === 'bar' && lines.length > 1 && { channels: { xOffset: { field: 'slot', type: 'nominal' } } }),
  };
}

/** How wide the middle of the chart is, as in its file. */
const width = 308;

/** What Vega reckons that a letter takes, without a font to measure. */
const letter = 9;

/**
 * A bar has a place of its own; so has text, which is broken where it is too long for the room beside the next, and
 * takes the room of the axis' title then. What the file says of a scale of numbers is taken back.
 */
function ordinal(places: Value[], title: string | null) {
  const isText = places.some((position) => typeof position !== 'number');
  const domain = [...new Set(places)];
  const room = Math.floor(width / domain.length) - 4;
  const isBroken = isText && domain.some((position) => String(position).length * letter > room);
  return {
    type: 'ordinal',
    title: isBroken ? null : title,
    scale: {
      nice: undefined,
      zero: undefined,
      padding: 0.3,
      domain: isText ? domain : domain.map(Number).sort((a, b) => a - b),
    },
    axis: {
      labelAngle: 0,
      tickCount: undefined,
      ...(isText && {
        labelOverlap: false,
        labelLimit: room,
        labelLineHeight: 11,
        labelExpr: `length(datum.label) * ${letter} > ${room} ? split(datum.label, regexp('[-_ ]')) : datum.label`,
      }),
    },
  };
}

/** Zero has no place on a logarithmic scale; "symlog" is one that has. */
const scaleOf = (wish: 'linear' | 'log' | 'symlog', places: number[]) =>
  wish === 'linear'
    ? {}
    : {
        scale: { type: wish === 'log' && places.some((position) => position <= 0) ? 'symlog' : wish },
        axis: { values: { expr: "pluck(data('points'), 'x')" } },
      };
