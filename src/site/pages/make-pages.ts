import { setImmediate } from 'node:timers/promises';
import type { Draw } from '../charts/drawings.js';
import type { Overview } from '../model/site-model.js';
import { calibrationPage } from './calibration-page.js';
import { changesPage } from './changes-page.js';
import { comparePage } from './compare-page.js';
import { duetComparison, versionComparison } from './comparison-page.js';
import { homePage } from './home-page.js';
import type { Page, RenderedPage } from './page.js';
import { recordPage } from './record-page.js';
import { systemPage } from './system-page.js';
import { trendPages } from './trends-page.js';
import { versionPage } from './version-page.js';

/** Every page that is made from data; those that are written (the method, a suite's own) are Hugo's alone. */
export async function makePages(overview: Overview, draw: Draw): Promise<RenderedPage[]> {
  const pages: RenderedPage[] = [];
  // As text at once: a thousand models at hand keep the garbage collector busy.
  const add = ({ model, ...page }: Page) => pages.push({ ...page, text: JSON.stringify(model) });
  for (const page of [await homePage(overview, draw), await changesPage(overview, draw), comparePage(overview)])
    add(page);
  for (const system of overview.systems) {
    add(await systemPage(system, overview, draw));
    for (const page of await trendPages(system, overview, draw)) add(page);
    const calibration = overview.calibrations.get(system.name);
    if (calibration) add(await calibrationPage(system, calibration, overview, draw));
  }
  for (const version of overview.versions) {
    add(await versionPage(version, overview));
    const judged = overview.comparisons.get(version.version);
    if (judged) add(await versionComparison(version, judged, overview, draw));
    for (const entry of version.entries) add(await recordPage(entry, overview, draw));
    await setImmediate(); // so that what has been drawn is heard of, and the next is given out
  }
  for (const duet of overview.duets) {
    const judged = overview.comparisons.get(duet.url);
    if (judged) add(await duetComparison(duet, judged, overview, draw));
  }
  return pages;
}
