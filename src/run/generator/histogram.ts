// Histograms of the native player, as its lines have them (k6/native/README.md). Go (k6/native/hist) and jq
// (reports/lib/reduce/histograms.jq) read them by the same rules: k6/native/vectors/histograms.json holds all three.

/** Times of a line in nanoseconds; buckets: pairs, flat */
export type Trend = { count: number; min: number; max: number; buckets: number[] };

/** buckets: how many observations, by index */
type Histogram = { count: number; min: number; max: number; buckets: Map<number, number> };

/** @returns of nothing */
export const emptyHistogram = (): Histogram => ({ count: 0, min: Infinity, max: 0, buckets: new Map() });

/** Adds what a line counted. */
export function addTrend(histogram: Histogram, { count, min, max, buckets }: Trend) {
  histogram.count += count;
  histogram.min = Math.min(histogram.min, min);
  histogram.max = Math.max(histogram.max, max);
  let index = 0;
  for (let i = 0; i < buckets.length; i += 2) {
    index += buckets[i];
    histogram.buckets.set(index, (histogram.buckets.get(index) ?? 0) + buckets[i + 1]);
  }
}

/**
 * The value below which a share of the observations lies. Like k6's, it takes observations for steps of equal size between the
 * first and the last; within a bucket they are taken to lie evenly.
 * @param percent 0 to 100
 * @param subBits of the file's first line
 * @returns milliseconds; null: of nothing
 */
export function quantileOf({ count, min, max, buckets }: Histogram, percent: number, subBits: number): number | null {
  if (count === 0) return null;
  if (percent <= 0) return min / 1e6;
  if (percent >= 100) return max / 1e6;
  const rank = (percent / 100) * (count - 1);
  let below = 0;
  for (const index of [...buckets.keys()].sort((a, b) => a - b)) {
    const inBucket = buckets.get(index) ?? 0;
    if (rank < below + inBucket) {
      const { low, width } = boundsOf(index, 2 ** subBits);
      if (width === 1) return low / 1e6;
      const share = Math.min(1, (rank - below + 0.5) / inBucket);
      return Math.max(min, Math.min(max, low + width * share)) / 1e6;
    }
    below += inBucket;
  }
  return max / 1e6;
}

/**
 * @param index of a bucket
 * @param n buckets for each power of two
 * @returns its least value, and how many values it has, in nanoseconds
 */
function boundsOf(index: number, n: number): { low: number; width: number } {
  if (index < n) return { low: index, width: 1 };
  const width = 2 ** (Math.floor(index / n) - 1);
  return { low: (n + (index % n)) * width, width };
}
