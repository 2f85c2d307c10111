import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../../base/io/files.js';
import { edition, hashOf } from '../compile.js';
import { ownDrawer } from './drawing.js';

/** @import { VegaLite } from '../../../suite/vega-lite/rules.js' */
/** @import { Rejected } from '../../collect/spec-problem.js' */

/**
 * The charts of specs in one build. Each is drawn when it is asked for: only then it is known whether it can be, and the
 * page can say so.
 * @param {string} cache a folder, for what was compiled
 * @param {Set<string>} there the pictures of builds before
 * @param {(name: string, svg: string, data: string) => void} keep
 */
export function openOwn(cache, there, keep) {
  const drawer = ownDrawer();
  /** @type {Map<string, Promise<string>>} */
  const requested = new Map();
  /** @type {Map<string, string>} */
  const live = new Map();
  let drawn = 0;

  /** @param {string} name @param {VegaLite} chart @param {string} data @returns {Promise<string>} compiled to Vega */
  async function vegaOf(name, chart, data) {
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
     * @param {VegaLite} chart Vega-Lite, themed
     * @param {string} data JSON
     * @returns {Promise<{ name: string, live: string }>} name: of its picture; live: of its Vega
     * @throws {Rejected} it cannot be drawn
     */
    async want(chart, data) {
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
