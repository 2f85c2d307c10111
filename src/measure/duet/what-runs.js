import { foreignFile } from './foreign-files.js';
import { imagesOf, sameImages } from './same-images.js';
import { staleBuild } from './stale-build.js';

/** @import { Services } from '../../services/services.js' */
/** @import { PairedCase } from './pair-cases.js' */
/** @import { ServiceImage } from './same-images.js' */
/** @import { DuetSide } from './sides.js' */
/** @import { SideName } from './split.js' */

/**
 * @typedef {{ foreign: { base: string, head: string } | null, stale: string | null,
 *   starts: Record<SideName, number[]> }} WhatRuns foreign: what base runs that is head's, or no commit's; stale: a build that wrote
 *   nothing, or made what base's made; starts: how long each start took until it was ready, in seconds
 */

/**
 * Looks, each time a side has started, at what its processes and containers are: a base that runs head's files, or a head
 * whose build changed nothing, would be compared with itself.
 * @param {PairedCase} pair
 * @param {{ base: DuetSide, head: DuetSide, headFolders: readonly string[],
 *   since?: number }} context headFolders: those of a head that is a commit, or no folder; since: when building began, in
 *   epoch milliseconds
 * @returns {{ found: WhatRuns, started: (side: SideName, services: Services, seconds: number) => Promise<void> }}
 *   found: so far; seconds: until they were ready
 */
export function watchWhatRuns(pair, { base, head, headFolders, since }) {
  /** @type {WhatRuns} */
  const found = { foreign: null, stale: null, starts: { base: [], head: [] } };
  /** @type {Partial<Record<SideName, ServiceImage[] | null>>} */
  const images = {};
  let isFirst = true; // of head's starts
  const compareImages = (/** @type {SideName} */ side, /** @type {Services['list']} */ list) => {
    if (headFolders.length === 0 || images[side] !== undefined) return;
    images[side] = imagesOf(list);
    const { foreign, note } = sameImages(images.base ?? null, images.head ?? null);
    found.foreign ??= foreign;
    found.stale ??= note;
  };
  return {
    found,
    started: async (side, { list }, seconds) => {
      if (list.length > 0) found.starts[side].push(seconds);
      compareImages(side, list);
      if (side === 'base') {
        const file = foreignFile(list, { own: base.root, others: headFolders });
        found.foreign ??= file === null ? null : { base: file, head: 'its own' };
      } else if (isFirst && since !== undefined && headFolders.length > 0) {
        isFirst = false;
        found.stale ??= await staleBuild(list, { benchCase: pair.head, root: head.root, base: base.root, since });
      }
    },
  };
}
