import type { Key } from '../../../site/assets/js/latency-lines.js';
import type { VegaLite } from '../../suite/vega-lite/rules.js';
import type { Data } from './draw.js';
import type { Patch } from './prepare.js';

/** A chart before it is drawn. */
export type Chart = {
  /** the name of its .vl.json, without the ending */
  file: string;
  /** a spec's own Vega-Lite, in place of a file of ours */
  own?: VegaLite;
  title: string;
  /** what must be known before it is believed */
  note?: string;
  /** how it was made, when that is not plain */
  about?: string;
  /** what it shows, in words, for who cannot see it */
  summary: string;
  /** the names of its lines */
  key: Key[];
  patch?: Patch;
  /**
   * the datasets the file names, in columns; `to`: the page that a point leads to, from the site's root without ending, {field}
   * is that of its row
   */
  data: Data;
  /** its most telling numbers */
  table: { head: string[]; rows: string[][] };
};

const slots = 8;

/** The colour and dashes of the i-th line, counted from 0; they repeat after eight. */
export const slotOf = (i: number) => (i % slots) + 1;

/**
 * The names of lines, for a chart whose file has a layer "names": they are put beside the lines where there is room. None where
 * there is one line only, or two have the same colour.
 * @param texts of the lines in their order
 */
export const namesOf = (texts: string[]): Record<string, unknown>[] =>
  texts.length > 1 && texts.length <= slots ? [{ slot: texts.map((_, i) => slotOf(i)), text: texts }] : [];

export { allRounded, rounded } from '../../../site/assets/js/quantiles.js';
