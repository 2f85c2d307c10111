import { readInside } from '../../base/io/file-inside.js';
import { lookAt } from './rules.js';

/** @import { ChartAnalysis, ChartProblem, VegaLite } from './rules.js' */

/**
 * @typedef {{ chart: VegaLite } & ChartAnalysis} ChartFile faults: each names the file
 */

/** A chart without data is a page or two; this is more than any of ours by far. */
const mostBytes = 100_000;

/**
 * Reads a chart of a spec: Vega-Lite without data, in the spec's folder.
 * @param {string} folder of the spec
 * @param {string} file relative to it
 * @returns {ChartFile} with faults: it cannot be drawn
 */
export function readChartFile(folder, file) {
  const read = textOf(folder, file);
  if (typeof read !== 'string') return unreadable(read);
  try {
    const chart = JSON.parse(read.replace(/^\uFEFF/, ''));
    const look = lookAt(chart);
    return {
      chart,
      ...look,
      faults: look.faults.map(({ message, ...fault }) => ({ message: `${file} ${message}`, ...fault })),
    };
  } catch (error) {
    const message = `${file} is not JSON: ${/** @type {Error} */ (error).message}`;
    return unreadable({ message });
  }
}

/** @param {ChartProblem} fault @returns {ChartFile} */
const unreadable = (fault) => ({ chart: {}, datasets: [], names: new Set(), fields: new Set(), faults: [fault] });

/** @param {string} folder @param {string} file @returns {string | ChartProblem} */
function textOf(folder, file) {
  const read = readInside(folder, file, mostBytes);
  if (read === 'missing')
    return { message: `there is no chart file ${file}`, hint: 'It is looked for in the folder of the spec.' };
  if (read === 'outside')
    return {
      message: `the chart file ${file} is not in the folder of the spec`,
      hint: 'Put it there, or a copy of it.',
    };
  const { data, bytes } = read;
  if (bytes > mostBytes)
    return {
      message: `${file} has ${bytes} bytes, and a chart file has ${mostBytes} at the most`,
      hint: 'Its data is not in it.',
    };
  return data.toString('utf8');
}
