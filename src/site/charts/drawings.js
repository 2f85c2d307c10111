import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../base/io/files.js';
import { compileFile, readChart } from './chart-file.js';
import { hashOf } from './compile.js';
import { openOwn } from './custom/own-drawings.js';
import { openPool } from './draw-workers.js';
import { themed } from './prepare.js';
import { keepPicture, textOf } from './svg-cache.js';

/** @import { Key } from '../../../site/assets/js/latency-lines.js' */
/** @import { Chart } from './chart.js' */

/**
 * A chart as a template prints it. drawing: the name of its picture (.svg) and of its data (.json);
 * live: the name of the Vega spec that a browser draws it with.
 * @typedef {{ file: string, title: string, note: string, about: string, summary: string,
 *   key: Key[], table: Chart['table'], drawing: string, live: string }} Drawn
 * @typedef {(charts: (Chart | null)[]) => Promise<Drawn[]>} Draw
 */

/** Pictures that no page has asked for since are kept this long: a corrupt record may be fixed tomorrow. */
const keptFor = 24 * 3600 * 1000;

/**
 * The drawings of one build. What was drawn from the same spec and data before is not drawn again.
 * @param {string} cache a folder
 * @param {string[]} siteFolders where assets/charts is looked for, the first that has a file wins
 */
export async function openDrawings(cache, siteFolders) {
  const pictures = join(cache, 'charts');
  makeFolder(pictures);
  const there = new Set(await readdir(pictures));
  const pool = openPool(pictures);
  const tasks = new Set();
  const used = new Set();
  /** @type {Map<string, ReturnType<typeof compileFile>>} */
  const compiled = new Map();

  const own = openOwn(join(cache, 'vega'), there, (name, svg, data) => keepPicture(pictures, name, svg, data));

  /** @param {Chart} chart @returns {Promise<Drawn>} */
  async function want(chart) {
    const { file, title, note = '', about = '', summary, key, table, patch, data } = chart;
    const text = textOf(data);
    const shown = { file, title, note, about, summary, key, table };
    if (chart.own) {
      const { name, live } = await own.want(themed(chart.own, await readChart('theme.json', siteFolders)), text);
      used.add(name);
      return { ...shown, drawing: name, live };
    }
    const id = JSON.stringify([file, patch ?? null]);
    const both = compiled.get(id) ?? compileFile(file, patch, siteFolders, join(cache, 'vega'));
    compiled.set(id, both);
    const { drawn, liveName } = await both;
    const name = hashOf(drawn.hash + text).slice(0, 32);
    used.add(name);
    if (!there.has(`${name}.svg`) && !tasks.has(name)) {
      tasks.add(name);
      pool.add({ name, vega: drawn.text, data: text });
    }
    return { ...shown, drawing: name, live: liveName };
  }

  return {
    folder: pictures,
    /**
     * Draws what is asked for while something is made of it.
     * @template T
     * @param {(draw: Draw) => Promise<T>} make charts that are null are left out
     * @returns {Promise<{ made: T, drawn: number, reused: number }>}
     */
    async drawFor(make) {
      try {
        const made = await make((charts) => Promise.all(charts.filter((chart) => chart !== null).map(want)));
        await pool.finish();
        await prune(pictures, there, used);
        const drawn = tasks.size + own.drawn();
        return { made, drawn, reused: used.size - drawn };
      } finally {
        pool.close();
        await own.close();
      }
    },
    /** The specs for the browser. @returns {Promise<Map<string, string>>} */
    async live() {
      const all = await Promise.all(compiled.values());
      return new Map([...own.live, ...all.map(({ liveName, live }) => /** @type {const} */ ([liveName, live.text]))]);
    },
  };
}

/**
 * @param {string} folder
 * @param {Set<string>} there
 * @param {Set<string>} used
 */
async function prune(folder, there, used) {
  for (const file of [...there].filter((name) => !used.has(name.split('.')[0]))) {
    const path = join(folder, file);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() })); // another build was faster
    if (Date.now() - mtimeMs > keptFor) await rm(path, { force: true });
  }
}
