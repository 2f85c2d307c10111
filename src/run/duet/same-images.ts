import type { RunningService } from '../services/service.js';

/** Of the service `name`; built: of a checkout */
export type ServiceImage = { name: string; id: string; image: string; built: boolean };

/**
 * The images that services run.
 * @param services of a side
 * @returns null: one of them is a process, or mounts a folder of this machine
 */
export function imagesOf(services: readonly Pick<RunningService, 'name' | 'running'>[]): ServiceImage[] | null {
  const images = services.flatMap(({ name, running }) =>
    // what it mounts of this machine may be the code
    'container' in running && running.container.mounts.length === 0 ? [{ name, ...running.container.image }] : [],
  );
  return images.length < services.length || images.length === 0 ? null : images;
}

/**
 * Do both sides of a duet of two commits run the same? Where no image is built of a checkout, nothing of a commit is
 * measured. Where one is and all of them came out the same, nothing that it copies has changed.
 * @returns foreign: the program of base that is not its own, and head's; note: for people
 */
export function sameImages(
  base: ServiceImage[] | null,
  head: ServiceImage[] | null,
): { foreign: { base: string; head: string } | null; note: string | null } {
  const none = { foreign: null, note: null };
  if (base === null || head === null) return none;
  const isSame = (image: ServiceImage) => head.some(({ name, id }) => name === image.name && id === image.id);
  const built = base.filter((image) => image.built);
  if (!(built.length > 0 ? built : base).every(isSame)) return none;
  if (built.length === 0) {
    const [{ name, image }] = base;
    return { foreign: { base: `base's service ${name} runs the image ${image}`, head: 'the same image' }, note: null };
  }
  const names = built.map(({ name }) => name).join(' and ');
  return { foreign: null, note: `The image of ${names} is the same on both sides: nothing in it has changed.` };
}
