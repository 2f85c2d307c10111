import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TopLevelSpec } from 'vega-lite';
import { writeWhole } from '../../base/io/files.js';
import type { VegaLite } from '../../suite/vega-lite/rules.js';
import type { Logger } from './draw.js';

/** Another number draws everything again: raise it when a change in this folder changes pictures. */
export const edition = 1;

/** A chart compiled to Vega: what is drawn depends on this text and the data alone. */
export type Compiled = { text: string; hash: string };

/**
 * Compiles Vega-Lite to Vega, or takes it from the cache: loading vega-lite costs half a second, compiling 30 ms.
 * @param chart Vega-Lite, its data by name only
 * @param cache a folder
 * @throws {Error} vega-lite's, when it is not a chart
 */
export async function compileChart(chart: VegaLite, cache: string): Promise<Compiled> {
  const file = join(cache, `${hashOf(JSON.stringify([edition, chart])).slice(0, 32)}.vg.json`);
  const text = (await readFile(file, 'utf8').catch(() => null)) ?? (await compiled(chart, file));
  return { text, hash: hashOf(text) };
}

/** @param file where to keep it */
async function compiled(chart: VegaLite, file: string) {
  const { compile } = await import('vega-lite');
  const log = (...what: unknown[]) => {
    console.error(...what);
    return quiet;
  };
  const quiet: Logger = { warn: () => quiet, info: () => quiet, debug: () => quiet, error: log, level: () => quiet };
  const { spec } = compile(chart as TopLevelSpec, { logger: quiet });
  // Charts have a fixed size (autosize "none"), which Vega-Lite does not work out for panels beneath each other.
  const text = JSON.stringify(chart.vconcat ? { ...spec, height: stackedHeight(chart) } : spec);
  await writeWhole(file, text);
  return text;
}

const stackedHeight = ({ vconcat, spacing = 20 }: VegaLite) => {
  const heights = vconcat.map(({ height }: { height: number }) => height + spacing);
  return heights.reduce((sum: number, height: number) => sum + height, -spacing);
};

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
