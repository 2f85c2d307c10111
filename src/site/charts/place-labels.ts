/**
 * A line as it was drawn, in pixels from the upper left corner of the plot. slot: its colour; undefined: it has none of its own
 */
export type DrawnLine = { slot: unknown; points: { x: number; y: number }[] };

type Box = { left: number; right: number; top: number; bottom: number };

/** A name beside its line: where it begins, and the middle of its height. */
type Label = { slot: unknown; text: string; left: number; middle: number };

/** Pixels that a letter takes at the size of a label, without a font to measure. */
const letter = 6.4;
const height = 12;

/** Pixels between a name and its line, and at least between it and any other line. */
const [beside, apart] = [3, 5];

/** As much of a plot's width as a name may take. */
const widest = 0.6;

/** Where along its line a name is tried, the best first: the end is where an eye looks for it. */
const places = [1, 0.75, 0.5, 0.25, 0];

/** Names of lines beside them, where nothing else is in the way. A line without room has none: the key names it. */
export function placeLabels(
  names: { slot: unknown; text: string }[],
  lines: DrawnLine[],
  plot: { width: number; height: number },
): Label[] {
  const taken: Box[] = [];
  return names.flatMap(({ slot, text }) => {
    const own = lines.filter((line) => line.slot === slot).reverse();
    const others = lines.filter((line) => line.slot !== slot);
    const box = boxesBeside(own, text.length * letter, plot).find(
      (candidate) =>
        !taken.some((other) => overlap(candidate, other)) &&
        !others.some((line) => crosses(line, grown(candidate, apart))),
    );
    if (!box) return [];
    taken.push(box);
    return { slot, text, left: tenths(box.left), middle: tenths((box.top + box.bottom) / 2) };
  });
}

/**
 * @param own the parts of one line, the last first
 * @param width of its name
 * @returns within the plot, the best first
 */
function boxesBeside(own: DrawnLine[], width: number, plot: { width: number; height: number }): Box[] {
  if (width > widest * plot.width) return [];
  return own.flatMap((line) =>
    places.flatMap((corner) => {
      const { x } = line.points[Math.round(corner * (line.points.length - 1))];
      const left = Math.min(Math.max(x - corner * width, 0), plot.width - width);
      const heights = heightsWithin(line, left, left + width);
      const [bottom, top] = [Math.min(...heights) - beside, Math.max(...heights) + beside];
      return [
        { left, right: left + width, top: bottom - height, bottom },
        { left, right: left + width, top, bottom: top + height },
      ].filter((box) => box.top >= 0 && box.bottom <= plot.height && !own.some((part) => crosses(part, box)));
    }),
  );
}

const heightsWithin = ({ points }: DrawnLine, left: number, right: number): number[] => [
  ...points.filter(({ x }) => x >= left && x <= right).map(({ y }) => y),
  ...[left, right].flatMap((x) => {
    const after = points.findIndex((point) => point.x >= x);
    return after > 0 ? [heightAt(points[after - 1], points[after], x)] : [];
  }),
];

/** @param x between them */
const heightAt = (a: { x: number; y: number }, b: { x: number; y: number }, x: number) =>
  a.x === b.x ? b.y : a.y + ((x - a.x) / (b.x - a.x)) * (b.y - a.y);

/** Does a line touch a box? */
function crosses({ points }: DrawnLine, { left, right, top, bottom }: Box) {
  return points.some((b, i) => {
    const a = points[Math.max(i - 1, 0)];
    const [first, last] = a.x <= b.x ? [a, b] : [b, a];
    if (last.x < left || first.x > right) return false;
    const ends =
      first.x === last.x
        ? [first.y, last.y]
        : [heightAt(first, last, Math.max(first.x, left)), heightAt(first, last, Math.min(last.x, right))];
    return Math.max(...ends) >= top && Math.min(...ends) <= bottom;
  });
}

const overlap = (box: Box, other: Box) =>
  box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom;

const grown = ({ left, right, top, bottom }: Box, by: number): Box => ({
  left: left - by,
  right: right + by,
  top: top - by,
  bottom: bottom + by,
});

const tenths = (value: number) => Math.round(value * 10) / 10;
