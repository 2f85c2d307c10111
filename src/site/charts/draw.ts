import { parse, View, type ViewOptions } from 'vega';
import { rowsOf } from '../../../site/assets/js/rows.js';
import { compactSvg } from './compact-svg.js';
import { type DrawnLine, placeLabels } from './place-labels.js';
import { columnsOf } from './points.js';

/** Datasets by name, each in columns: see rowsOf. */
export type Columns = Record<string, any>;

export type Data = Record<string, Columns[]>;

type Interpreter = ViewOptions['expr'];

export type Logger = NonNullable<ViewOptions['logger']>;

/** A mark of Vega's scene, as much of it as is read here. */
type Mark = { marktype: string; items: Item[] };

type Item = { items?: Mark[]; defined?: boolean; datum?: { slot?: unknown }; x: number; y: number };

/** Drawing again with other data takes a third of the time of a new view, so views are kept by the text of their spec. */
const views: Map<string, View> = new Map();

/** Vega says what goes wrong while it draws and goes on: half a picture looks like one. */
const strict: Logger = {
  warn: () => strict,
  info: () => strict,
  debug: () => strict,
  level: () => strict,
  error: (message: unknown) => {
    throw message instanceof Error ? message : new Error(String(message));
  },
};

/**
 * Draws a chart.
 * @param vega the compiled chart's text
 * @param data every dataset it names, in columns
 * @param interpreter of its expressions, when they may not become functions
 * @returns an `<svg>` element
 */
export async function draw(vega: string, data: Data, interpreter?: Interpreter): Promise<string> {
  const view = await viewWith(vega, data, interpreter);
  return compactSvg(await view.toSVG());
}

/**
 * Draws a chart of ours, with the names of lines beside them where there is room. Its dataset "names" has them before
 * (slot, text), and those that have a place after (left, middle, in pixels).
 * @param vega the compiled chart's text
 * @returns data: for the browser, which draws the same
 */
export async function drawLabelled(vega: string, data: Data): Promise<{ svg: string; data: Data }> {
  if (!data.names?.length) return { svg: await draw(vega, data), data };
  const view = await viewWith(vega, { ...data, names: [] });
  const plot = { width: view.width(), height: view.height() };
  const names = rowsOf(data.names) as { slot: unknown; text: string }[];
  const labels = placeLabels(names, linesIn((view.scenegraph() as unknown as { root: Mark }).root), plot);
  view.data('names', labels);
  return {
    svg: compactSvg(await view.toSVG()),
    data: { ...data, names: labels.length ? [columnsOf(labels)] : [] },
  };
}

/** Every line of a scene. */
function linesIn({ marktype, items }: Mark): DrawnLine[] {
  if (marktype === 'group') return items.flatMap((group) => (group.items ?? []).flatMap(linesIn));
  const points = marktype === 'line' ? items.filter(({ defined }) => defined !== false) : [];
  return points.length ? [{ slot: points[0].datum?.slot, points }] : [];
}

/** @returns drawn */
async function viewWith(vega: string, data: Data, interpreter?: Interpreter): Promise<View> {
  const view = views.get(vega) ?? viewOf(vega, interpreter);
  views.set(vega, view);
  // Marks that stay from the drawing before would keep their places, and lie above or beneath others because of it.
  for (const name of Object.keys(data)) view.data(name, []);
  await view.runAsync();
  for (const [name, sets] of Object.entries(data)) view.data(name, rowsOf(sets));
  return view.runAsync();
}

const viewOf = (vega: string, interpreter?: Interpreter) =>
  interpreter
    ? new View(parse(JSON.parse(vega), undefined, { ast: true }), {
        renderer: 'none',
        logger: strict,
        expr: interpreter,
      })
    : new View(parse(JSON.parse(vega)), { renderer: 'none', logger: strict });
