import { setImmediate } from 'node:timers/promises';
import { calibrationPage } from './calibration-page.js';
import { changesPage } from './changes-page.js';
import { comparePage } from './compare-page.js';
import { duetComparison, versionComparison } from './comparison-page.js';
import { homePage } from './home-page.js';
import { recordPage } from './record-page.js';
import { systemPage } from './system-page.js';
import { versionPage } from './version-page.js';

/**
 * Every page that is made from data; those that are written (the method, a suite's own) are Hugo's alone.
 * @param {import('./overview.js').Overview} overview
 * @param {import('./page.js').Draw} draw
 * @returns {Promise<import('./page.js').Page[]>}
 */
export async function makePages(overview, draw) {
  const pages = [homePage(overview), changesPage(overview), comparePage(overview)];
  for (const system of overview.systems) {
    pages.push(await systemPage(system, overview, draw));
    const calibration = overview.calibrations.get(system.name);
    if (calibration) pages.push(await calibrationPage(system, calibration, overview, draw));
  }
  for (const version of overview.versions) {
    pages.push(versionPage(version, overview));
    const told = overview.comparisons.get(version.version);
    if (told) pages.push(await versionComparison(version, told, overview, draw));
    for (const entry of version.entries) pages.push(await recordPage(entry, overview, draw));
    await setImmediate(); // so that what has been drawn is heard of, and the next is given out
  }
  const { duet } = overview;
  const told = duet && overview.comparisons.get(duet.id);
  if (duet && told) pages.push(await duetComparison(duet, told, overview, draw));
  return pages;
}
