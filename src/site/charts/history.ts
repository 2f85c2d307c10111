import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import { counted, type Print } from '../../base/format.js';
import type { Entry } from '../collect/collect-record.js';
import { headingOf } from '../model/metric-names.js';
import { differenceOf, groupBy, valuesText } from '../model/series.js';
import { type Chart, namesOf, rounded, slotOf } from './chart.js';
import { columnsOf, extentOf, isDrawable } from './points.js';

type Step = { entry: Entry; stretch: number; event: string | null };

/** How a metric of a record was compared: with which version, and how much change counts as none; null: it was not. */
export type ComparedWith = (
  entry: Entry,
  metric: string,
) => { baseline: string; base: number; tolerance: number } | null;

/**
 * A metric over versions, a line for each case of a scenario in one environment. A change of definition or machine ends
 * a line: the next version begins another series. Around what the newest record was compared with lies its tolerance.
 * @param entries of all versions, oldest first
 * @returns null: nothing was measured twice
 */
export function history(
  metric: string,
  entries: Entry[],
  names: MetricNames,
  nameOf: (entry: Entry) => string,
  comparedWith: ComparedWith,
): Chart | null {
  const drawable = entries.filter(({ record }) => isDrawable(record.metrics[metric]));
  const unit = drawable.at(-1)?.record.metrics[metric].unit ?? '';
  const has = drawable.filter(({ record }) => record.metrics[metric].unit === unit); // one axis, one unit
  const cases = [...groupBy(has, (entry) => entry.case).values()].map(stepsOf).filter((steps) => steps.length > 1);
  if (!cases.length) return null;
  const print = names.printOf(
    metric,
    unit,
    has.map(({ record }) => record.metrics[metric].value),
  );
  const title = headingOf(names, metric, print.unit);
  const versions = [...new Set(has.map(nameOf))];
  const lines = cases.map((steps) =>
    steps.map(({ entry, stretch }) => ({
      version: nameOf(entry),
      stretch,
      who: whoIs(entry),
      ...extentOf(entry.record.metrics[metric], print),
    })),
  );
  const events = eventsOf(cases.flat(), nameOf);
  const bands = cases
    .map((steps, i) => bandOf(steps, i, comparedWith(steps[steps.length - 1].entry, metric), print, nameOf))
    .filter((band) => band !== null);
  return {
    file: 'history',
    note: events.map(({ version, event }) => `${event} from ${version} on`).join('; '),
    title: names.titleOf(metric),
    summary: `${title} of ${counted(lines.length, 'case')} over ${
      versions.length
    } versions, from ${versions[0]} to ${versions.at(-1)}.`,
    key: [
      ...(cases.length > 1 ? cases.map((steps, i) => ({ slot: slotOf(i), text: whoIs(steps[0].entry) })) : []),
      ...(bands.length ? [{ slot: 'tolerance', text: 'no change for the newest: within its tolerance' }] : []),
    ],
    patch: { fields: { y: { title }, low: { title }, from: { title } } },
    data: {
      frame: [{ at: [0] }],
      versions: [{ version: versions }],
      bands: bands.map(columnsOfOne),
      points: lines.map((line, i) => ({ slot: slotOf(i), to: addressOf(cases[i][0].entry), ...columnsOf(line) })),
      events: events.length ? [columnsOf(events)] : [],
      names: namesOf(cases.map((steps) => whoIs(steps[0].entry))),
    },
    table: {
      head: ['case', ...versions],
      rows: lines.map((line) => {
        const values = new Map(line.map(({ version, value }) => [version, value]));
        return [line[0].who, ...versions.map((version) => values.get(version) ?? '–')];
      }),
    },
  };
}

/**
 * @param steps of one case
 * @param compared how the newest was
 */
function bandOf(
  steps: Step[],
  i: number,
  compared: ReturnType<ComparedWith>,
  { factor }: Print,
  nameOf: (entry: Entry) => string,
) {
  const base = compared && steps.find(({ entry }) => entry.version === compared.baseline);
  if (!compared || !base) return null;
  const [from, to] = [1 / (1 + compared.tolerance), 1 + compared.tolerance].map((by) =>
    rounded(compared.base * by * factor),
  );
  return { slot: slotOf(i), version: nameOf(base.entry), until: nameOf(steps[steps.length - 1].entry), from, to };
}

const columnsOfOne = (point: Record<string, unknown>) => columnsOf([point]);

/** Where the record of each version is: the last run is called otherwise than its page. */
const addressOf = ({ system, environment, case: name }: Entry) => `versions/{version}/${system}/${environment}/${name}`;

const whoIs = (entry: Entry) => valuesText(entry.record) || entry.case;

/** @param entries one case's, oldest first */
function stepsOf(entries: Entry[]): Step[] {
  let stretch = 0;
  return entries.map((entry, i) => {
    const event = i ? differenceOf(entries[i - 1], entry) : null;
    if (event) stretch++;
    return { entry, stretch, event };
  });
}

function eventsOf(steps: Step[], nameOf: (entry: Entry) => string) {
  const events = steps.filter(({ event }) => event).map(({ entry, event }) => ({ version: nameOf(entry), event }));
  return [...new Map(events.map((event) => [`${event.version} ${event.event}`, event])).values()];
}
