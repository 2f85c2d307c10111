import { join } from 'node:path';
import { applied, type LiveEvent, stateOf } from '../../../site/assets/js/live-state.js';
import { exitCodes } from '../../base/errors.js';
import { foldersOf } from '../../site/build/site-folders.js';
import { compileFile } from '../../site/charts/chart-file.js';
import { requireVega } from '../../site/charts/require-vega.js';
import { benchDir, type Suite } from '../../suite/suite.js';
import type { RunEvent, Watcher } from '../run-context.js';
import { serveLive } from './serve.js';

/** How a run ended, by its exit code. */
const endings: Record<number, string> = {
  [exitCodes.pass]: 'Pass',
  [exitCodes.fail]: 'Fail',
  [exitCodes.inconclusive]: 'Invalid or inconclusive',
  [exitCodes.error]: 'Error',
};

/**
 * Shows a run in a browser while it measures: a page on this machine, which gets what happens as server-sent events. The process
 * draws nothing itself: it has a machine to measure.
 * @returns url: of the page; watcher: shows what it gets; close: says how the run ended (null: with an error), and ends
 * @throws {UserError} code 4: Vega is missing
 */
export async function openLive(
  suite: Suite,
): Promise<{ url: string; watcher: Watcher; close: (exit: number | null) => Promise<void> }> {
  requireVega();
  const folders = foldersOf(suite);
  const { live } = await compileFile('timeline', undefined, folders, join(benchDir(suite), 'cache', 'vega'));
  let state = stateOf(String(suite.bench.site?.title ?? 'Benchmarks'));
  const page = await serveLive({ folders, chart: live.text }, () => ({ type: 'state', state }));
  const tell = (event: LiveEvent) => {
    state = applied(state, event);
    page.send(event);
  };
  return {
    url: page.url,
    watcher: (event) => tell(event.type === 'second' ? withFigures(event) : event),
    async close(exit) {
      tell({ type: 'end', text: exit === null ? endings[exitCodes.error] : (endings[exit] ?? 'Interrupted') });
      await page.close();
    },
  };
}

const withFigures = ({ live, ...event }: Extract<RunEvent, { type: 'second' }>): LiveEvent => ({
  ...event,
  figures: live(),
});
