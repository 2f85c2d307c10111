import { watchCrossings } from './crossings.js';
import { foreignFile } from './foreign-files.js';
import { imagesOf, sameImages } from './same-images.js';
import { builtPrograms, sameProgram } from './same-programs.js';

/** @import { Services } from '../services/services.js' */
/** @import { ServiceImage } from './same-images.js' */
/** @import { ServicePrograms } from './same-programs.js' */
/** @import { SideFiles } from './side-files.js' */
/** @import { DuetSide } from './sides.js' */
/** @import { SideName } from './split.js' */

/**
 * What was seen of the two sides while they ran. foreign: what a side runs that is the other's, or no commit's; program: both run the
 * same, though it was built of other sources; crossed: one side calls the other; image: a sentence on images that are the same; starts:
 * how long each start took until it was ready, in seconds
 * @typedef {{ foreign: { base: string, head: string } | null, program: ReturnType<typeof sameProgram>, crossed: string | null,
 *   image: string | null, starts: Record<SideName, number[]> }} WhatRuns
 *
 * found: so far; started: gets services that are ready, and after how many seconds; together: sides that are up, and what it gives ends
 * the watch
 * @typedef {{ found: WhatRuns, started: (side: SideName, services: Services, seconds: number) => Promise<void>,
 *   together: (up: readonly { side: SideName, services: Services }[]) => () => void }} SidesWatch
 */

/** @returns {WhatRuns} before a side has run */
export const nothingSeen = () => ({
  foreign: null,
  program: null,
  crossed: null,
  image: null,
  starts: { base: [], head: [] },
});

/**
 * Looks, each time a side has started, at what its processes and containers are: a base that runs head's files, or a head whose build
 * did nothing, would be compared with itself.
 * @param {{ base: DuetSide, head: DuetSide, headFolders: readonly string[], files: Record<SideName, SideFiles> }} context
 *   headFolders: those of a head that is a commit, or no folder
 * @returns {SidesWatch}
 */
export function watchWhatRuns({ base, head, headFolders, files }) {
  const found = nothingSeen();
  /** @type {Partial<Record<SideName, ServiceImage[] | null>>} */
  const images = {};
  /** @type {Partial<Record<SideName, ServicePrograms[]>>} */
  const programs = {};
  const others = { base: headFolders, head: base.root === head.root || base.url !== null ? [] : [base.top] };
  const compareImages = (/** @type {SideName} */ side, /** @type {Services['list']} */ list) => {
    if (images[side] !== undefined) return;
    images[side] = imagesOf(list);
    const { foreign, note } = sameImages(images.base ?? null, images.head ?? null);
    found.foreign ??= foreign;
    found.image ??= note;
  };
  const comparePrograms = (/** @type {SideName} */ side, /** @type {Services['list']} */ list) => {
    programs[side] = builtPrograms(list, files[side]);
    if (programs.base && programs.head) found.program ??= sameProgram(programs.base, programs.head);
  };
  return {
    found,
    started: async (side, { list }, seconds) => {
      if (list.length > 0) found.starts[side].push(seconds);
      if (headFolders.length === 0) return; // one folder, or an address
      compareImages(side, list);
      if (found.program === null) comparePrograms(side, list);
      const file = foreignFile(list, { own: { base, head }[side].root, others: others[side] });
      if (file !== null) found.foreign ??= { base: `${side}'s ${file}`, head: 'its own' };
    },
    together: (up) =>
      watchCrossings(up, (sentence) => {
        found.crossed ??= sentence;
      }),
  };
}
