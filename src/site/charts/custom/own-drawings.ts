import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../../base/io/files.js';
import type { VegaLite } from '../../../suite/vega-lite/rules.js';
import { edition, hashOf } from '../compile.js';
import { ownDrawer } from './drawing.js';

/**
 * The charts of specs in one build. Each is drawn when it is asked for: only then it is known whether it can be, and the
 * page can say so.
 * @param cache a folder, for what was compiled
 * @param there the pictures of builds before
 */
export function openOwn(cache: string, there: Set<string>, keep: (name: string, svg: string, data: string) => void) {
  const drawer = ownDrawer();
  const requested: Map<string, Promise<string>> = new Map();
  const live: Map<string, string> = new Map();
  let drawn = 0;

  /** @returns compiled to Vega */
  async function vegaOf(name: string, chart: VegaLite, data: string): Promise<string> {
    const file = join(cache, `${name}.own.json`);
    const before = there.has(`${name}.svg`) ? await readFile(file, 'utf8').catch(() => null) : null;
    if (before !== null) return before;
    const { vega, svg } = await drawer.draw(chart, data);
    await writeWhole(file, vega);
    keep(name, svg, data);
    drawn += 1;
    return vega;
  }

  return {
    /**
     * @param chart Vega-Lite, themed
     * @param data JSON
     * @returns name: of its picture; live: of its Vega
     * @throws {Rejected} it cannot be drawn
     */
    async want(chart: VegaLite, data: string): Promise<{ name: string; live: string }> {
      const name = hashOf(JSON.stringify([edition, chart]) + data).slice(0, 32);
      const vega = requested.get(name) ?? vegaOf(name, chart, data);
      requested.set(name, vega);
      const text = await vega;
      const liveName = `own-${hashOf(text).slice(0, 12)}`;
      live.set(liveName, text);
      return { name, live: liveName };
    },
    live,
    drawn: () => drawn,
    close: drawer.close,
  };
}
