import { UserError } from '../../base/errors.js';
import type { Generator } from './read-generators.js';

/** One load, by the parts that share it; part: of a round that is cut into several loads */
export type Load = { round: number; part: number; generators: Generator[] };

/**
 * Sorts generators by what they made load for, and refuses what is not all of it, or not of one load.
 * @param generators some
 * @param parts loads of a round
 * @returns in order
 * @throws {UserError}
 */
export function sortParts(generators: readonly Generator[], parts: number): Load[] {
  const [first] = generators;
  for (const generator of generators.slice(1)) refuseOther(first, generator);
  const rounds = [...new Set(generators.map(({ said }) => said.round))].sort((a, b) => a - b);
  return rounds.flatMap((round) =>
    Array.from({ length: parts }, (_, index) => {
      const part = index + 1;
      const own = generators.filter(({ said }) => said.round === round && said.round_part === part);
      return { round, part, generators: complete(own, { round, of: first.said.part.of }) };
    }),
  );
}

/** What all parts of a case have alike, in words. */
const alike: [string, (said: Generator['said']) => string | number, string][] = [
  [
    'the archive',
    ({ archive }) => archive.slice(0, 12),
    'All parts play the same archive: copy the file, do not pack it again.',
  ],
  ['k6', ({ k6_version }) => k6_version, 'Use one version of Benchfolio and k6 on all machines.'],
  ['the player', ({ player }) => player, 'All parts play the same archive.'],
  ['the number of parts', ({ part }) => part.of, 'All parts are of one cut: --part 1/4 to --part 4/4.'],
];

/** @throws {UserError} it is of another load */
function refuseOther(first: Generator, other: Generator) {
  for (const [what, of, hint] of alike) {
    const [value, another] = [of(first.said), of(other.said)];
    if (value === another) continue;
    throw new UserError(
      `${other.folder} is of another load than ${first.folder}: ${what} is ${another}, not ${value}`,
      {
        hint,
      },
    );
  }
}

/**
 * @param generators of a load
 * @returns by part
 * @throws {UserError} a part is missing or there twice, or they drew other random values
 */
function complete(generators: readonly Generator[], { round, of }: { round: number; of: number }): Generator[] {
  const byPart: Map<number, Generator> = new Map();
  for (const generator of generators) {
    const { index } = generator.said.part;
    const twin = byPart.get(index);
    if (twin) {
      throw new UserError(`part ${index} of round ${round} is there twice: ${twin.folder} and ${generator.folder}`, {
        hint: 'Name each folder once. Of several rounds each has its number: benchfolio generate --round 2.',
      });
    }
    byPart.set(index, generator);
  }
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !byPart.has(index));
  if (missing.length > 0) {
    const named = `${missing.slice(0, 10).join(', ')}${missing.length > 10 ? ', …' : ''}`;
    throw new UserError(`round ${round} is not whole: of ${of} parts these are missing: ${named}`, {
      hint: 'Name the folders of all parts: what is left of a load is another load.',
    });
  }
  const all = [...byPart.values()].sort((a, b) => a.said.part.index - b.said.part.index);
  const other = all.find(({ said }) => said.seed !== all[0].said.seed);
  if (other) {
    throw new UserError(`${other.folder} has another seed than ${all[0].folder}: they are not of one round`, {
      hint: 'Give all parts of a round the same --seed and --round, or none.',
    });
  }
  return all;
}
