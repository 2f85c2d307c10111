import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What may happen to raw files on a bad day without one being damaged: a sample or second that is not there, two at the
 * same moment, a clock that is set back, nothing counted, much counted, a metric or service that never was.
 *
 * @typedef {(below: number) => number} Random
 */

/** @param {Random} random @template T @param {readonly T[]} all @returns {T} */
const oneOf = (random, all) => all[random(all.length)];

/** Keys of moments, in epoch milliseconds. */
const moments = ['t', 'from_ms', 'to_ms'];

/** What says how the others are to be read is always there, and sums are written last. @param {any} line */
const isHead = ({ format, event, total }) =>
  format !== undefined || total || (event !== undefined && event !== 'snapshot');

/** @type {((lines: any[], random: Random) => any[])[]} */
const onLines = [
  (lines, random) => lines.filter((line) => isHead(line) || random(10) > 0),
  (lines, random) => {
    const to = 1 + random(lines.length);
    return lines.filter((line, i) => isHead(line) || i < to);
  },
  (lines, random) => lines.flatMap((line) => (!isHead(line) && random(10) === 0 ? [line, line] : [line])),
  (lines, random) => {
    const from = random(lines.length);
    const by = oneOf(random, [1, 1000, 3600e3]);
    return lines.map((line, i) => (i < from || isHead(line) ? line : moved(line, -by)));
  },
  (lines, random) => {
    const at = random(lines.length);
    const { from_ms } = lines[at];
    return lines.map((line, i) => (i === at && from_ms !== undefined ? { ...line, to_ms: from_ms + 1 } : line));
  },
  (lines, random) => lines.map((line) => (!isHead(line) && random(5) === 0 ? changed(line, random) : line)),
];

/** @param {any} line @param {number} by */
const moved = (line, by) =>
  Object.fromEntries(
    Object.entries(line).map(([key, value]) => [key, moments.includes(key) ? Number(value) + by : value]),
  );

/** Keys that are of the format, and not counted. */
const fixed = [...moments, 'version', 'sub_bits', 'started_ms', 'buckets', 'at', 'started', 'ended'];

/**
 * The same with some of its counts none or many, and some of what is by name gone.
 * @param {any} value @param {Random} random @param {string} [key] @returns {any}
 */
function changed(value, random, key = '') {
  if (fixed.includes(key)) return value;
  if (typeof value === 'number') {
    const some = Number.isInteger(value) ? Math.floor(value / 1e3) : value / 1e3;
    return random(4) > 0 ? value : oneOf(random, [0, value * 1e3, some]);
  }
  if (Array.isArray(value)) return value.map((one) => changed(one, random, key));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, one]) => [name, changed(one, random, name)]);
  return Object.fromEntries(entries);
}

/** @param {any} summary @param {Random} random */
const fewer = (summary, random) => ({
  ...summary,
  metrics: Object.fromEntries(Object.entries(summary.metrics).filter(() => random(8) > 0)),
});

/**
 * Makes raw files of a case odd, where they are.
 * @param {string} folder of a case
 * @param {Random} random
 * @returns {string[]} what was changed
 */
export function makeOdd(folder, random) {
  const files = readdirSync(folder, { recursive: true }).map(String);
  const raw = files.filter((file) => /round-[^/]*\/.*(ndjson|summary\.json)$/.test(file)).sort();
  const odd = Array.from({ length: 1 + random(3) }, () => oneOf(random, raw));
  for (const name of odd) {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    if (name.endsWith('summary.json')) {
      const summary = JSON.parse(text);
      const change = oneOf(random, [fewer, changed]);
      writeFileSync(file, JSON.stringify(change(summary, random)));
    } else {
      const lines = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const change = oneOf(random, onLines);
      writeFileSync(
        file,
        change(lines, random)
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      );
    }
  }
  return odd;
}
