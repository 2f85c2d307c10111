import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Key } from '../../../site/assets/js/latency-lines.js';
import { makeFolder } from '../../base/io/files.js';
import type { Chart } from './chart.js';
import { compileFile, readChart } from './chart-file.js';
import { hashOf } from './compile.js';
import { openOwn } from './custom/own-drawings.js';
import { openPool } from './draw-workers.js';
import { themed } from './prepare.js';
import { keepPicture, textOf } from './svg-cache.js';

/**
 * A chart as a template prints it. drawing: the name of its picture (.svg) and of its data (.json);
 * live: the name of the Vega spec that a browser draws it with.
 */
export type Drawn = {
  file: string;
  title: string;
  note: string;
  about: string;
  summary: string;
  key: Key[];
  table: Chart['table'];
  drawing: string;
  live: string;
};

export type Draw = (charts: (Chart | null)[]) => Promise<Drawn[]>;

/** Pictures that no page has asked for since are kept this long: a corrupt record may be fixed tomorrow. */
const keptFor = 24 * 3600 * 1000;

/**
 * The drawings of one build. What was drawn from the same spec and data before is not drawn again.
 * @param cache a folder
 * @param siteFolders where assets/charts is looked for, the first that has a file wins
 */
export async function openDrawings(cache: string, siteFolders: string[]) {
  const pictures = join(cache, 'charts');
  makeFolder(pictures);
  const there = new Set(await readdir(pictures));
  const pool = openPool(pictures);
  const tasks = new Set();
  const used = new Set<string>();
  const compiled: Map<string, ReturnType<typeof compileFile>> = new Map();

  const own = openOwn(join(cache, 'vega'), there, (name, svg, data) => keepPicture(pictures, name, svg, data));

  async function want(chart: Chart): Promise<Drawn> {
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
     * @param make charts that are null are left out
     */
    async drawFor<T>(make: (draw: Draw) => Promise<T>): Promise<{ made: T; drawn: number; reused: number }> {
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
    /** The specs for the browser. */
    async live(): Promise<Map<string, string>> {
      const all = await Promise.all(compiled.values());
      return new Map([...own.live, ...all.map(({ liveName, live }) => [liveName, live.text] as const)]);
    },
  };
}

async function prune(folder: string, there: Set<string>, used: Set<string>) {
  for (const file of [...there].filter((name) => !used.has(name.split('.')[0]))) {
    const path = join(folder, file);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() })); // another build was faster
    if (Date.now() - mtimeMs > keptFor) await rm(path, { force: true });
  }
}
