// How numbers are printed, when the site is built and in the browser alike.

/**
 * How numbers of a unit are printed: by what they are multiplied, and what stands beside them ('' for plain counts).
 * @typedef {{ factor: number, unit: string }} Print
 */

/** @type {Record<string, Print>} */
const prints = {
  ratio: { factor: 100, unit: '%' },
  bytes: { factor: 1e-6, unit: 'MB' },
  'bytes/s': { factor: 1e-6, unit: 'MB/s' },
  '1/s': { factor: 1, unit: 'per second' },
  1: { factor: 1, unit: '' },
};

/** @param {string} unit as in a record @returns {Print} */
export const printOf = (unit) => prints[unit] ?? { factor: 1, unit };

/**
 * A number with three significant digits, or all of them before the point: 12,345 - 312 - 31.2 - 3.12 - 0.0312.
 * @param {number} value
 * @returns {string}
 */
export const formatNumber = (value) => withDecimals(value, decimalsOf(value));

/**
 * @param {number} value
 * @param {number} decimals
 * @returns {string} with commas between thousands and a true minus
 */
function withDecimals(value, decimals) {
  if (value !== 0 && Math.abs(value) < 0.5 * 10 ** -decimals) return `<${(10 ** -decimals).toFixed(decimals)}`;
  // Intl.NumberFormat says the same and takes ten times as long; a thousand records have half a million numbers.
  const text = Math.abs(value).toFixed(decimals);
  if (text.length < 4 || (decimals && text.length < 5 + decimals)) return value < 0 ? `−${text}` : text;
  const [whole, rest] = text.split('.');
  return `${value < 0 ? '−' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${rest ? `.${rest}` : ''}`;
}

/** @param {number} count @returns {string} 12,345 */
export const formatCount = (count) => withDecimals(count, 0);

/**
 * How a column of numbers is printed: all with the same decimals, for it is read by its decimal points, three
 * significant digits in the middle and two at the smallest. Numbers of very different sizes are printed each by itself.
 * @param {number[]} values
 * @returns {(value: number) => string}
 */
export function columnFormat(values) {
  const sizes = values
    .map(Math.abs)
    .filter((size) => size > 0)
    .sort((a, b) => a - b);
  if (sizes.every(Number.isInteger)) return formatCount;
  const [least, middle, most] = [0, Math.floor(sizes.length / 2), sizes.length - 1].map((i) => sizes[i]);
  if (most / least > 1000) return formatNumber;
  const decimals = Math.min(Math.max(decimalsOf(middle), decimalsOf(least) - 1), decimalsOf(most) + 2);
  return (value) => withDecimals(value, decimals);
}

/** @param {number} value */
function decimalsOf(value) {
  if (value === 0 || !Number.isFinite(value)) return 0;
  return Math.min(4, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
}

/**
 * @param {number | null} value as in a record
 * @param {Print} print
 * @returns {string} '–' when there is no value
 */
export const printed = (value, { factor }) => (value === null ? '–' : formatNumber(value * factor));

/**
 * @param {number} seconds
 * @returns {string} 30 s, 1 min 30 s, 2 h 5 min
 */
export function formatSeconds(seconds) {
  if (seconds < 60) return `${Number(seconds.toPrecision(3))} s`;
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.round(seconds % 60)];
  return [hours && `${hours} h`, minutes && `${minutes} min`, !hours && rest && `${rest} s`].filter(Boolean).join(' ');
}

/**
 * @param {string} time ISO 8601
 * @returns {string} 2026-03-01 10:15 UTC
 */
export const formatTime = (time) => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

/**
 * @param {number} percent
 * @returns {string} with its sign: +3.1, −0.4, +120
 */
function signed(percent) {
  const text = Math.abs(percent) < 10 ? percent.toFixed(1) : percent.toFixed(0);
  if (Number(text) === 0) return '0.0';
  return `${percent > 0 ? '+' : ''}${text.replace('-', '−')}`;
}

/**
 * How head differs from base: a ratio in percent, a difference of two shares in points of a percent.
 * @param {number | null} value
 * @param {string} scale "ratio" or "difference", as in comparison.json
 * @returns {string} '–' when there is no value
 */
export function formatChange(value, scale) {
  if (value === null) return '–';
  return scale === 'difference' ? `${signed(value * 100)} points` : `${signed((value - 1) * 100)} %`;
}
