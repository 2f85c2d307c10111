import { Rejected } from '../collect/problem.js';

/**
 * Units are checked before anything is drawn: numbers of two units on one axis would be a lie that looks like a chart.
 * @param {{ name: string, unit: string }[]} used what would be drawn
 * @param {string} title of the chart
 * @returns {string} the one unit
 * @throws {Rejected}
 */
export function oneUnit(used, title) {
  const units = new Map(used.map(({ name, unit }) => [unit, name]));
  if (units.size < 2) return used[0]?.unit ?? '';
  const described = [...units]
    .map(([unit, name]) => `${name} is in ${unit === '1' ? 'plain numbers' : unit}`)
    .join(', ');
  throw new Rejected(
    `the chart "${title}" mixes units: ${described}; a y has one unit, so give each a chart of its own`,
  );
}
