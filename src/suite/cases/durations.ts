/** Seconds in each unit of a Go duration. */
const units = { ns: 1e-9, us: 1e-6, µs: 1e-6, μs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 };

/** A suite has few durations, and thousands of cases that have them. */
const read: Map<string | number, number> = new Map();

const days = /^(\d+)d/;
const term = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gy;

/**
 * Reads a duration as k6 does (Go's format, and days: "1d12h", "1m30s", "500ms"), except that it must have a unit:
 * k6 takes a bare 30 for 30 milliseconds, which is never meant.
 * @returns seconds
 * @throws {RangeError} not a duration
 */
export function parseDuration(text: string | number): number {
  const seconds = read.get(text) ?? parse(text);
  read.set(text, seconds);
  return seconds;
}

function parse(text: string | number): number {
  const written = String(text).trim();
  if (Number(written) === 0 && written !== '') return 0;
  if (Number.isFinite(Number(written)) && written !== '') {
    throw new RangeError(`the duration ${written} has no unit: write "${written}s" or "${written}ms"`);
  }
  const seconds = sumOfTerms(written);
  if (seconds === null) {
    throw new RangeError(`${JSON.stringify(text)} is not a duration like "30s", "1m30s" or "500ms"`);
  }
  return seconds;
}

/** @returns seconds */
function sumOfTerms(text: string): number | null {
  const whole = days.exec(text);
  let seconds = whole ? Number(whole[1]) * 86400 : 0;
  let position = whole ? whole[0].length : 0;
  if (text === '') return null;
  while (position < text.length) {
    term.lastIndex = position;
    const match = term.exec(text);
    if (!match) return null;
    seconds += Number(match[1]) * units[match[2] as keyof typeof units];
    position = term.lastIndex;
  }
  return Number(seconds.toPrecision(12)); // 0.1 + 0.2 of a second is 0.3
}

/**
 * A duration for people.
 * @returns "1h0m", "1m30s", "500ms"
 */
export function showDuration(seconds: number): string {
  if (seconds < 1 && seconds > 0) return `${Number((seconds * 1000).toPrecision(3))}ms`;
  if (seconds < 60) return `${Number(seconds.toPrecision(3))}s`;
  const rounded = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(rounded / 3600), Math.floor((rounded % 3600) / 60), rounded % 60];
  return hours ? `${hours}h${minutes ? `${minutes}m` : ''}` : `${minutes}m${rest ? `${rest}s` : ''}`;
}
