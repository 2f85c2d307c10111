import { median } from '../../support/median.js';

/**
 * Prints what the sides of a comparison cost.
 * @param {{ name: string }[]} sides
 * @param {number[][]} rounds of rates, by side
 */
export function printRatios(sides, rounds) {
  sides.forEach(({ name }, side) => {
    const rate = median(rounds.map((rates) => rates[side]));
    const shown = `${Math.round(rate).toLocaleString('en')} requests per CPU second`;
    console.log(`  ${name.padEnd(20)} ${shown}${side ? `, ${ratioText(rounds, side)} the first` : ''}`);
  });
}

/**
 * @param {number[][]} rounds of rates
 * @param {number} side to compare with the first
 */
function ratioText(rounds, side) {
  const ratios = rounds.map((rates) => rates[side] / rates[0]);
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  const deviation = Math.sqrt(ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (ratios.length - 1));
  const errors = (2 * deviation) / Math.sqrt(ratios.length);
  return `${mean.toFixed(3)} ± ${errors.toFixed(3)} (two standard errors of ${ratios.length} repeats) times`;
}
