/**
 * How far a metric of head is from base, as a picture in a cell: its interval on a logarithmic axis that all rows of a page
 * share, with the tolerance as a band. To the right head has more of it.
 */
type Compared = {
  scale: string;
  ratio: number | null;
  low: number | null;
  high: number | null;
  tolerance: number;
  verdict: string;
};

const width = 220;
const height = 22;
const middle = width / 2;

/** So far the axis reaches at least and at most, as logarithms of a ratio. */
const reaches = { least: Math.log(1.12), most: Math.log(8) };

/**
 * How far the axis of a page has to reach.
 * @param all its metrics
 * @returns the logarithm of the ratio at its right end; at its left end is that of the reciprocal
 */
export function reachOf(all: Compared[]): number {
  // An undecided interval may be a hundred times as wide as a decided one, which would be a dot beside it: it ends in arrows.
  const ends = all
    .filter(isDrawable)
    .flatMap(({ verdict, ratio, low, high }) => (verdict === 'unclear' ? [ratio] : [low, high]))
    .map((ratio) => Math.abs(Math.log(Number(ratio))));
  return 1.05 * Math.min(reaches.most, Math.max(reaches.least, ...ends));
}

const isDrawable = ({ scale, low, high }: Compared) =>
  scale === 'ratio' && low !== null && high !== null && low > 0 && high > 0;

/**
 * @param reach as reachOf says
 * @returns SVG; '' where there is no ratio
 */
export function intervalBar(metric: Compared, reach: number): string {
  if (!isDrawable(metric)) return '';
  const { ratio, low, high, tolerance, verdict } = metric;
  const x = (value: number) => round(middle + (bounded(Math.log(value), reach) / reach) * middle);
  const [from, to, at] = [Number(low), Number(high), Number(ratio)].map(x);
  const band = [1 / (1 + tolerance), 1 + tolerance].map(x);
  const beyond = [
    Math.log(Number(low)) < -reach ? `<path d="M7 5L1 11L7 17Z"/>` : '',
    Math.log(Number(high)) > reach ? `<path d="M${width - 7} 5L${width - 1} 11L${width - 7} 17Z"/>` : '',
  ];
  return (
    `<svg class="interval of-${verdict}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true">` +
    `<rect class="tolerance" x="${band[0]}" y="0" width="${round(band[1] - band[0])}" height="${height}"/>` +
    `<path class="zero" d="M${middle} 0V${height}"/><path class="line" d="M${from} 11H${to}"/>${beyond.join('')}` +
    `<circle cx="${at}" cy="11" r="4"/></svg>`
  );
}

/** What is labelled on the axis, where there is room. */
const ticks = [0.125, 0.25, 0.5, 0.75, 0.9, 0.95, 1, 1.05, 1.1, 1.25, 1.5, 2, 4, 8];

/** Half a label, as "+300 %". */
const room = 22;

/** Units that two labels stand apart at least. */
const apart = 46;

/**
 * The axis above the bars.
 * @returns SVG
 */
export function intervalAxis(reach: number): string {
  const places = ticks
    .map((ratio) => ({ ratio, x: middle + (Math.log(ratio) / reach) * middle }))
    .filter(({ x }) => x >= room && x <= width - room);
  const shown: typeof places = [];
  // no change first, then outwards
  for (const tick of places.sort((a, b) => Math.abs(a.x - middle) - Math.abs(b.x - middle)))
    if (shown.every(({ x }) => Math.abs(x - tick.x) >= apart)) shown.push(tick);
  const labels = shown.map(({ ratio, x }) => `<text x="${round(x)}" y="11">${percent(ratio)}</text>`);
  return `<svg class="interval-axis" viewBox="0 0 ${width} 14" width="${width}" height="14" aria-hidden="true">${labels.join('')}</svg>`;
}

function percent(ratio: number) {
  const change = Math.round((ratio - 1) * 1000) / 10;
  return change === 0 ? '0 %' : `${change > 0 ? '+' : '−'}${Math.abs(change)} %`;
}

const bounded = (value: number, reach: number) => Math.max(-reach, Math.min(reach, value));

const round = (value: number) => Math.round(value * 10) / 10;
