import { sleep } from 'k6';

/**
 * The pause after a request.
 * @param {{ mean: number, deviation: number, distribution: 'uniform' | 'normal' }} think seconds. uniform: between
 *   mean - deviation and mean + deviation; normal: deviation is the standard deviation. Never below 0.
 * @returns {() => void}
 */
export function compileThink({ mean, deviation, distribution }) {
  if (deviation === 0) return () => sleep(mean);
  if (distribution === 'uniform') return () => sleep(Math.max(0, mean + deviation * (2 * Math.random() - 1)));
  return () => sleep(truncatedNormal(mean, deviation));
}

/**
 * Normal, without what falls below 0.
 * @param {number} mean
 * @param {number} deviation
 */
function truncatedNormal(mean, deviation) {
  for (;;) {
    // Box and Muller 1958; 1 - random: never the logarithm of 0
    const radius = Math.sqrt(-2 * Math.log(1 - Math.random()));
    const value = mean + deviation * radius * Math.cos(2 * Math.PI * Math.random());
    if (value >= 0) return value;
  }
}
