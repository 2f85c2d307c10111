import { readInside } from '../../base/io/file-inside.js';
import { type ChartAnalysis, type ChartProblem, lookAt, type VegaLite } from './rules.js';

/** Faults: each names the file */
export type ChartFile = { chart: VegaLite } & ChartAnalysis;

/** A chart without data is a page or two; this is more than any of ours by far. */
const mostBytes = 100_000;

/**
 * Reads a chart of a spec: Vega-Lite without data, in the spec's folder.
 * @param folder of the spec
 * @param file relative to it
 * @returns with faults: it cannot be drawn
 */
export function readChartFile(folder: string, file: string): ChartFile {
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
    const message = `${file} is not JSON: ${(error as Error).message}`;
    return unreadable({ message });
  }
}

const unreadable = (fault: ChartProblem): ChartFile => ({
  chart: {},
  datasets: [],
  names: new Set(),
  fields: new Set(),
  faults: [fault],
});

function textOf(folder: string, file: string): string | ChartProblem {
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
