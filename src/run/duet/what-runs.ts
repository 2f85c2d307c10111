import type { Services } from '../services/services.js';
import { watchCrossings } from './crossings.js';
import { foreignFile } from './foreign-files.js';
import { imagesOf, type ServiceImage, sameImages } from './same-images.js';
import { builtPrograms, type ServicePrograms, sameProgram } from './same-programs.js';
import type { SideFiles } from './side-files.js';
import type { DuetSide } from './sides.js';
import type { SideName } from './split.js';

/**
 * What was seen of the two sides while they ran. foreign: a program of the other side, or of no commit; program: both run the
 * same, though it was built of other sources; crossed: one side calls the other; image: a sentence on images that are the same;
 * starts: how long each start took until it was ready, in seconds
 */
export type WhatRuns = {
  foreign: { base: string; head: string } | null;
  program: ReturnType<typeof sameProgram>;
  crossed: string | null;
  image: string | null;
  starts: Record<SideName, number[]>;
};

/**
 * found: so far; started: gets services that are ready, and after how many seconds; together: sides that are up, and what it
 * gives ends the watch
 */
export type SidesWatch = {
  found: WhatRuns;
  started: (side: SideName, services: Services, seconds: number) => Promise<void>;
  together: (up: readonly { side: SideName; services: Services }[]) => () => void;
};

/** @returns before a side has run */
export const nothingSeen = (): WhatRuns => ({
  foreign: null,
  program: null,
  crossed: null,
  image: null,
  starts: { base: [], head: [] },
});

/**
 * Looks, each time a side has started, at what its processes and containers are: a base that runs head's files, or a head whose
 * build did nothing, would be compared with itself.
 * @param context headFolders: those of a head that is a commit, or no folder
 */
export function watchWhatRuns({
  base,
  head,
  headFolders,
  files,
}: {
  base: DuetSide;
  head: DuetSide;
  headFolders: readonly string[];
  files: Record<SideName, SideFiles>;
}): SidesWatch {
  const found = nothingSeen();
  const images: Partial<Record<SideName, ServiceImage[] | null>> = {};
  const programs: Partial<Record<SideName, ServicePrograms[]>> = {};
  const others = { base: headFolders, head: base.root === head.root || base.url !== null ? [] : [base.top] };
  const compareImages = (side: SideName, list: Services['list']) => {
    if (images[side] !== undefined) return;
    images[side] = imagesOf(list);
    const { foreign, note } = sameImages(images.base ?? null, images.head ?? null);
    found.foreign ??= foreign;
    found.image ??= note;
  };
  const comparePrograms = (side: SideName, list: Services['list']) => {
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
