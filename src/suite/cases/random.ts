/**
 * Values that are drawn anew for each request. int: from, to, both included; string: how many letters and digits
 */
export type Draw = { int: [number, number] } | { string: number } | { uuid: true };

/** The kinds of random values, as people write them. */
export const randomForms = ['random.int(1, 100)', 'random.string(8)', 'random.uuid'];

/** How long a random text may be: more is a body of its own. */
const longest = 1000;

const whole = /^-?\d{1,16}$/;

/**
 * Reads what stands in a placeholder behind `random.`.
 * @param written `int(1, 100)`, say
 * @returns a text: what is wrong with it
 */
export function readRandom(written: string): Draw | string {
  const [, kind, list] = /^(\w+)(?:\(([^()]*)\))?$/.exec(written) ?? [];
  const values = list === undefined ? [] : list.split(',').map((value) => value.trim());
  const numbers = values.map(Number);
  const fine = values.every((value) => whole.test(value)) && numbers.every(Number.isSafeInteger);
  switch (kind) {
    case 'uuid':
      return list === undefined ? { uuid: true } : 'random.uuid takes no values';
    case 'int': {
      if (!fine || numbers.length !== 2) return 'random.int takes two whole numbers: the lowest and the highest';
      const [from, to] = numbers;
      if (from > to) return `random.int goes from the lower number to the higher one, not from ${from} to ${to}`;
      return Number.isSafeInteger(to - from) ? { int: [from, to] } : 'random.int has more numbers than can be drawn';
    }
    case 'string': {
      const [length] = numbers;
      if (fine && numbers.length === 1 && length >= 1 && length <= longest) return { string: length };
      return `random.string takes how many letters and digits: 1 to ${longest}`;
    }
  }
  return `there is no \${random.${written}}`;
}

/**
 * A name without what stands in parentheses: its commas would cut the name of a request.
 * @param text with placeholders
 */
export const withoutRanges = (text: string): string => text.replace(/(\$\{random\.\w+)\([^(){}]*\)\}/g, '$1}');
