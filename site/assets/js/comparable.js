/**
 * What must be the same for two records' numbers to be set side by side. Used when the site is built and in the browser
 * alike; reports/lib/compare/comparable.jq has the same rule: test/fixtures/rules/comparable.json has the cases for both.
 * @typedef {{ definition: string, player?: 'native', fingerprint: Record<string, any>, imported?: { format: string } }}
 *   ComparableRecord a record, or as much of one
 */

/** The parts of a fingerprint that are compared; the rest may differ. */
export const essentials = /** @type {const} */ ([
  'cpu_model',
  'cpu_family',
  'cpu_model_number',
  'cpu_stepping',
  'microcode',
  'caches',
  'kernel',
  'cores',
  'memory_bytes',
  'runner',
  'k6',
]);

/** @typedef {'tool' | 'player' | 'definition' | typeof essentials[number]} Difference */

/** @type {Record<Difference, string>} */
const words = {
  tool: 'another tool',
  player: 'another player',
  definition: 'another definition',
  cpu_model: 'another CPU',
  cpu_family: 'another family of CPU',
  cpu_model_number: 'another model of CPU',
  cpu_stepping: 'another stepping of the CPU',
  microcode: 'another microcode',
  caches: 'another set of caches',
  kernel: 'another kernel',
  cores: 'another number of cores',
  memory_bytes: 'another size of memory',
  runner: 'another kind of runner',
  k6: 'another version of k6',
};

/**
 * Lists what is another one. Each tool counts and times in its own way: with another tool nothing else matters. Another
 * player makes another definition: then that is all there is to say of it.
 * @param {ComparableRecord} base
 * @param {ComparableRecord} head
 * @returns {Difference[]} none: the two are comparable
 */
export function differencesOf(base, head) {
  if (base.imported?.format !== head.imported?.format) return ['tool'];
  const ofMachine = essentials.filter((key) =>
    isOther[key](base.fingerprint[key] ?? null, head.fingerprint[key] ?? null),
  );
  if (base.player !== head.player) return ['player', ...ofMachine];
  return base.definition === head.definition ? ofMachine : ['definition', ...ofMachine];
}

/** @param {unknown} base @param {unknown} head */
const isAnother = (base, head) => base !== head;

/** @type {Record<typeof essentials[number], (base: any, head: any) => boolean>} */
const isOther = {
  cpu_model: isAnother,
  cpu_family: isAnother,
  cpu_model_number: isAnother,
  cpu_stepping: isAnother,
  microcode: isAnother,
  caches: isAnother,
  kernel: isAnother,
  cores: isAnother,
  // Two machines of one size report slightly different memory.
  memory_bytes: (base, head) => Math.abs(base - head) > 0.05 * Math.max(base, head),
  runner: isAnother,
  k6: (base, head) => minorOf(base) !== minorOf(head),
};

/** @param {string | null} version @returns {string | undefined} 2.2 */
const minorOf = (version) => version?.replace(/^v/, '').split('.').slice(0, 2).join('.');

/**
 * @param {ComparableRecord} base
 * @param {ComparableRecord} head
 * @returns {string | null} what is another one, in words; null: comparable
 */
export function differenceOf(base, head) {
  const [first] = differencesOf(base, head);
  return first ? words[first] : null;
}

/**
 * The same for cases that are different ones on purpose.
 * @param {ComparableRecord} base
 * @param {ComparableRecord} head
 * @returns {string | null}
 */
export function placeDifferenceOf(base, head) {
  const first = differencesOf(base, head).find((key) => key !== 'definition');
  return first ? words[first] : null;
}
