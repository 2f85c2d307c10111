// Numbers as people read them: in the browser, on pages when the site is built, in the terminal and in k6's summary.
// reports/lib/numbers.jq prints the same: test/fixtures/rules/numbers.json has the cases for both. Each step is exact or
// rounded once by IEEE 754, and done in the same order there.

/** Within, numbers are printed in full; beyond, with an exponent. @param {number} size */
const isPrintedInFull = (size) => size >= 1e-6 && size < 1e15;

/** Number of decimals => 10 to its power. */
const powers = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];

/** From these sizes on, three significant digits have 0, 1, 2 … decimals. */
const sizes = [99.95, 9.995, 0.9995, 0.09995, 0.009995, 0.0009995, 0.00009995, 0.000009995];

/** @param {number} size @returns {number} decimals that make three significant digits of it */
function decimalsOf(size) {
  const found = sizes.findIndex((least) => size >= least);
  return found < 0 ? sizes.length : found;
}

/** @param {number} value */
const halvesUp = (value) => Math.floor(value + 0.5);

/** @param {number} whole from 0 */
function thousands(whole) {
  const text = String(whole);
  return text.length < 4 ? text : text.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** @param {number} size @param {number} decimals @returns {string} 1234.5, 2 => "1,234.50" */
function withDecimals(size, decimals) {
  const scale = powers[decimals];
  const units = halvesUp(size * scale);
  const whole = Math.floor(units / scale);
  return thousands(whole) + (decimals === 0 ? '' : `.${String(units - whole * scale + scale).slice(1)}`);
}

/** @param {string} text */
const withoutZeros = (text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

/** @param {string} text */
const asIs = (text) => text;

/** @param {number} size @param {(text: string) => string} form @returns {string} "1.48e233" */
function scientific(size, form) {
  let [of, exponent] = [size, 0];
  for (; of >= 1e10; exponent += 10) of /= 1e10;
  for (; of >= 10; exponent += 1) of /= 10;
  for (; of < 1e-10; exponent -= 10) of *= 1e10;
  for (; of < 1; exponent -= 1) of *= 10;
  const hundredths = halvesUp(of * 100);
  if (hundredths === 1000) exponent += 1;
  const digits = form(withDecimals(hundredths === 1000 ? 1 : hundredths / 100, 2));
  return `${digits}e${exponent < 0 ? '−' : ''}${Math.abs(exponent)}`;
}

/** @param {number | null | undefined} value @returns {value is null | undefined} */
const isNoNumber = (value) => value === null || value === undefined || Number.isNaN(value);

/**
 * @param {number | null | undefined} value
 * @param {(size: number) => string} form
 * @returns {string} with a true minus; "–" for none
 */
function printed(value, form) {
  if (isNoNumber(value)) return '–';
  const size = Math.abs(value);
  return (value < 0 ? '−' : '') + (size === Infinity ? '∞' : form(size));
}

/** @param {number} size @param {(text: string) => string} form what it may leave out of three digits */
function threeDigits(size, form) {
  if (size === 0) return '0';
  return isPrintedInFull(size) ? form(withDecimals(size, decimalsOf(size))) : scientific(size, form);
}

/**
 * Prints what was measured: three significant digits, or all before the point.
 * @param {number | null} value
 * @returns {string} "12,346", "312", "31.2", "3.10", "0.000312"; "–" for none
 */
export const formatNumber = (value) => printed(value, (size) => threeDigits(size, asIs));

/**
 * Prints what somebody chose, a share, a mean of counts: the same without zeros at the end.
 * @param {number | null} value
 * @returns {string} "50", "1.5", "0.02"
 */
export const formatPlain = (value) => printed(value, (size) => threeDigits(size, withoutZeros));

/** With so many decimals; nothing is -0. @param {number | null} value @param {number} decimals */
function fixed(value, decimals) {
  if (isNoNumber(value)) return '–';
  const size = Math.abs(value);
  if (size >= 1e15) return formatNumber(value);
  if (halvesUp(size * powers[decimals]) === 0) return withDecimals(0, decimals);
  return (value < 0 ? '−' : '') + withDecimals(size, decimals);
}

/** @param {number | null} many @returns {string} "1,234" */
export const formatCount = (many) => fixed(many, 0);

/** @param {number} many @param {string} noun @param {string} [nouns] @returns {string} "1 case", "1,234 cases" */
export const counted = (many, noun, nouns = `${noun}s`) => `${formatCount(many)} ${many === 1 ? noun : nouns}`;

/** @param {number} value @param {number} decimals */
const signed = (value, decimals) => (value * powers[decimals] >= 0.5 ? '+' : '') + fixed(value, decimals);

/** @param {number} ratio */
function changeOf(ratio) {
  const percent = (ratio - 1) * 100;
  return signed(percent, Math.abs(percent) < 99.95 ? 1 : 0);
}

/**
 * Prints how head differs from base.
 * @param {number | null} ratio head/base
 * @returns {string} to the tenth of a percent: "+5.1 %", "−1.9 %", "+135 %"
 */
export const formatChange = (ratio) => (isNoNumber(ratio) ? '–' : `${changeOf(ratio)} %`);

/** @param {number} difference */
function pointsOf(difference) {
  const value = difference * 100;
  return signed(value, Math.abs(value) < 9.995 ? 2 : 1);
}

/**
 * Prints how a share of head differs from that of base.
 * @param {number | null} difference head - base
 * @returns {string} in points of a percent: "+2.00 points"
 */
export const formatPoints = (difference) => (isNoNumber(difference) ? '–' : `${pointsOf(difference)} points`);

/**
 * @param {number | null} ratio head/base
 * @returns {string} to the thousandth: "1.051"; far from 1 to three digits: "12.3", "0.0123"
 */
export const formatRatio = (ratio) =>
  !isNoNumber(ratio) && ratio >= 0.1 && ratio < 9.9995 ? fixed(ratio, 3) : formatNumber(ratio);

/** @param {number} difference @returns {string} "+1.20 MB", "−312 B" */
const signedBytes = (difference) => (difference > 0 ? '+' : '') + formatBytes(difference);

/**
 * An estimate and its interval, as in comparison.json: of the scale "difference" all are differences, of shares or of bytes.
 * @typedef {{ unit?: string, scale: string, ratio: number | null, low: number | null, high: number | null }} Estimate
 */

/**
 * @param {Estimate} estimate
 * @returns {string} "1.051 [1.020, 1.083]", "+2.00 points [+1.00, +3.00]", "+1.20 MB [+1.00 MB, +1.40 MB]"; "–" without
 */
export const formatRatioInterval = (estimate) => interval(estimate, formatRatio, formatRatio);

/** @param {Estimate} estimate @returns {string} the same as changes, for a sentence: "+5.1 % [+2.0, +8.3]" */
export const formatChangeInterval = (estimate) => interval(estimate, formatChange, changeOf);

/**
 * @param {Estimate} estimate
 * @param {(ratio: number) => string} first
 * @param {(ratio: number) => string} rest
 */
function interval({ unit, scale, ratio, low, high }, first, rest) {
  if (ratio === null || low === null || high === null) return '–';
  if (scale === 'difference' && unit === 'bytes')
    return `${signedBytes(ratio)} [${signedBytes(low)}, ${signedBytes(high)}]`;
  if (scale === 'difference') return `${formatPoints(ratio)} [${pointsOf(low)}, ${pointsOf(high)}]`;
  return `${first(ratio)} [${rest(low)}, ${rest(high)}]`;
}

/**
 * Prints the level of confidence of intervals, their miss to two digits.
 * @param {number | null} alpha how often they may miss
 * @returns {string} "99.83 %"
 */
export function formatLevel(alpha) {
  if (isNoNumber(alpha)) return '–';
  const miss = alpha * 100;
  return `${withoutZeros(fixed(100 - miss, Math.max(decimalsOf(miss) - 1, 0)))} %`;
}

/**
 * How numbers of a unit are printed: their factor, and the unit beside them ('' for plain counts).
 * @typedef {{ factor: number, unit: string, format: (value: number) => string }} Print
 */

/** @type {Record<string, Print>} */
const prints = {
  ratio: { factor: 100, unit: '%', format: formatPlain },
  '1/s': { factor: 1, unit: '/s', format: formatNumber },
  1: { factor: 1, unit: '', format: formatPlain },
};

/** @type {(Print & { least: number })[]} */
const bytePrints = [
  { least: 999.5e12, factor: 1e-15, unit: 'PB', format: formatNumber },
  { least: 999.5e9, factor: 1e-12, unit: 'TB', format: formatNumber },
  { least: 999.5e6, factor: 1e-9, unit: 'GB', format: formatNumber },
  { least: 999.5e3, factor: 1e-6, unit: 'MB', format: formatNumber },
  { least: 999.5, factor: 1e-3, unit: 'kB', format: formatNumber },
  { least: 0, factor: 1, unit: 'B', format: formatPlain },
];

/** @param {(number | null)[]} values @returns {number[]} sizes of what has one, the smallest first */
const sizesOf = (values) =>
  values
    .filter((value) => !isNoNumber(value) && value !== 0 && Number.isFinite(value))
    .map((value) => Math.abs(/** @type {number} */ (value)))
    .sort((a, b) => a - b);

/**
 * How numbers are printed together: bytes in the unit of the middle one.
 * @param {string} unit as in a record
 * @param {(number | null)[]} [values]
 * @param {string} [text] that the numbers are put into: a unit of bytes that it names is taken
 * @returns {Print}
 */
export function printOf(unit, values = [], text = '') {
  if (unit !== 'bytes' && unit !== 'bytes/s')
    return Object.hasOwn(prints, unit) ? prints[unit] : { factor: 1, unit, format: formatNumber };
  const all = sizesOf(values);
  const middle = all[Math.floor(all.length / 2)] ?? 0;
  const named = /\b([kMGTP]B)\b/.exec(text)?.[1];
  const fitting = bytePrints.find((one) => (named ? one.unit === named : middle >= one.least)) ?? bytePrints[0];
  const { factor, unit: scaled, format } = fitting;
  return { factor, unit: unit === 'bytes' ? scaled : `${scaled}/s`, format };
}

/**
 * How numbers are printed that stand in one column, or beside each other.
 * @param {Print} print
 * @param {(number | null)[]} values as in a record
 * @returns {Print}
 */
export function inColumn(print, values) {
  const shown = values.map((value) => (isNoNumber(value) ? null : value * print.factor));
  const isCount = print.format === formatPlain && shown.every((value) => value === null || Number.isInteger(value));
  return { ...print, format: isCount ? formatCount : columnFormat(shown) };
}

/** @param {number | null} value as in a record @param {Print} print @returns {string} without the unit; "–" for none */
export const formatAs = (value, { factor, format }) => (isNoNumber(value) ? '–' : format(value * factor));

/**
 * Prints a number in the unit of a record, as a word to stand in a sentence or a cell.
 * @param {number | null} value
 * @param {string} unit
 * @returns {string} "12.3 MB", "80 %", "31.2 ms", "200/s"
 */
export function formatInUnit(value, unit) {
  if (isNoNumber(value)) return '–';
  const print = printOf(unit, [value]);
  return withUnit(formatAs(value, print), print.unit);
}

/** @param {string} text @param {string} unit @returns {string} "31.2 ms", "200/s", "7" */
export const withUnit = (text, unit) => (unit === '' || unit.startsWith('/') ? text + unit : `${text} ${unit}`);

/** @param {number | null} bytes @returns {string} "12.3 MB", "312 B" */
export const formatBytes = (bytes) => formatInUnit(bytes, 'bytes');

/** @param {number | null} share @returns {string} "1.23 %", "80 %" */
export const formatPercent = (share) => formatInUnit(share, 'ratio');

/** @param {number} size in seconds */
function lasting(size) {
  if (size < 59.95) return `${threeDigits(size, withoutZeros)} s`;
  if (size >= 1e15) return `${threeDigits(size, asIs)} s`;
  const seconds = halvesUp(size);
  const minutes = seconds < 3600 ? Math.floor(seconds / 60) : halvesUp(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const [over, rest] = [minutes - hours * 60, hours === 0 ? seconds - minutes * 60 : 0];
  return [hours && `${formatCount(hours)} h`, over && `${over} min`, rest && `${rest} s`].filter(Boolean).join(' ');
}

/** @param {number | null} seconds @returns {string} "30 s", "1 min 24 s", "2 h 5 min" */
export const formatDuration = (seconds) => printed(seconds, lasting);

/** @param {string} time ISO 8601 @returns {string} "2026-03-01 10:15 UTC" */
export const formatTime = (time) => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

/**
 * Prints the numbers of a column, all with the same decimals, for it is read by its points: three significant digits in
 * the middle, two at the smallest. Numbers of very different sizes are printed each by itself.
 * @param {(number | null)[]} values
 * @returns {(value: number | null) => string}
 */
export function columnFormat(values) {
  const known = sizesOf(values);
  const [least, middle, most] = [0, Math.floor(known.length / 2), known.length - 1].map((i) => known[i]);
  if (known.length === 0) return formatCount;
  if (most / least > 1000 || !isPrintedInFull(least) || !isPrintedInFull(most)) return formatNumber;
  const decimals = Math.min(Math.max(decimalsOf(middle), decimalsOf(least) - 1), decimalsOf(most) + 2);
  return (value) => fixed(value, decimals);
}
