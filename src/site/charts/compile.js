import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../base/io/files.js';

/** @import { TopLevelSpec } from 'vega-lite' */
/** @import { VegaLite } from '../../suite/vega-lite/rules.js' */
/** @import { Logger } from './draw.js' */

/** Another number draws everything again: raise it when a change in this folder changes pictures. */
export const edition = 1;

/**
 * A chart compiled to Vega: what is drawn depends on this text and the data alone.
 * @typedef {{ text: string, hash: string }} Compiled
 */

/**
 * Compiles Vega-Lite to Vega, or takes it from the cache: loading vega-lite costs half a second, compiling 30 ms.
 * @param {VegaLite} chart Vega-Lite, its data by name only
 * @param {string} cache a folder
 * @returns {Promise<Compiled>}
 * @throws {Error} vega-lite's, when it is not a chart
 */
export async function compileChart(chart, cache) {
  const file = join(cache, `${hashOf(JSON.stringify([edition, chart])).slice(0, 32)}.vg.json`);
  const text = (await readFile(file, 'utf8').catch(() => null)) ?? (await compiled(chart, file));
  return { text, hash: hashOf(text) };
}

/**
 * @param {VegaLite} chart
 * @param {string} file where to keep it
 */
async function compiled(chart, file) {
  const { compile } = await import('vega-lite');
  const log = (/** @type {unknown[]} */ ...what) => {
    console.error(...what);
    return quiet;
  };
  /** @type {Logger} */
  const quiet = { warn: () => quiet, info: () => quiet, debug: () => quiet, error: log, level: () => quiet };
  const { spec } = compile(/** @type {TopLevelSpec} */ (chart), { logger: quiet });
  // Charts have a fixed size (autosize "none"), which Vega-Lite does not work out for panels beneath each other.
  const text = JSON.stringify(chart.vconcat ? { ...spec, height: stackedHeight(chart) } : spec);
  await writeWhole(file, text);
  return text;
}

/** @param {VegaLite} chart */
const stackedHeight = ({ vconcat, spacing = 20 }) => {
  const heights = vconcat.map((/** @type {{ height: number }} */ { height }) => height + spacing);
  return heights.reduce((/** @type {number} */ sum, /** @type {number} */ height) => sum + height, -spacing);
};

/** @param {string} text */
export const hashOf = (text) => createHash('sha256').update(text).digest('hex');
