import exec from 'k6/execution';
import http from 'k6/http';
import { logFor } from './counters.js';

/** @import { PlannedLoad } from '../plan/make-plan.js' */

/**
 * A duet: every iteration goes to both sides, in random order, each with its tag.
 * @param {PlannedLoad} load
 * @param {(load: PlannedLoad) => () => unknown} compile makes the iteration of one side
 * @returns {() => void}
 */
export function compileDuet(load, compile) {
  const sides = createSides(load);
  const runs = sides.targets.map((target) => compile({ ...load, ...target }));
  return () => sides.both((side) => runs[side]());
}

/**
 * The two sides, and which of them requests go to now.
 * @param {PlannedLoad} load
 */
export function createSides({ baseUrl, hosts, ready, headUrl, headHosts, headReady, keepsCookies }) {
  const names = /** @type {const} */ (['base', 'head']);
  const targets = [
    { baseUrl, hosts, ready },
    { baseUrl: /** @type {string} */ (headUrl), hosts: headHosts, ready: headReady },
  ];
  /** @type {number | null} */
  let now = null;
  /** The cookies of a user at each side. @type {Record<string, string[]>[]} */
  const kept = [{}, {}];
  // What is drawn at random, which request and which row, is the same for both: those of the first are drawn again.
  const random = Math.random;
  /** @type {number[]} */
  let drawn = [];
  let next = 0;
  const drawing = () => {
    const x = random();
    drawn.push(x);
    return x;
  };
  const again = () => (next < drawn.length ? drawn[next++] : random());

  /** @param {number} side */
  function enter(side) {
    const before = now;
    now = side;
    exec.vu.metrics.tags.side = names[side];
    logFor(names[side]);
    // Cookies are of a host whatever its port: those of the other side are taken away.
    const jar = http.cookieJar();
    const { baseUrl } = targets[side];
    if (keepsCookies && before !== null) kept[before] = jar.cookiesForURL(baseUrl);
    jar.clear(baseUrl);
    if (keepsCookies) for (const [name, values] of Object.entries(kept[side])) jar.set(baseUrl, name, values[0]);
  }

  return {
    names,
    targets,

    /**
     * Runs what k6 runs once, setup or teardown, for each side, one after the other, with that side's address.
     * @template T
     * @param {'setup' | 'teardown'} what
     * @param {(side: 'base' | 'head') => T | Promise<T>} run
     * @returns {Promise<Record<'base' | 'head', T>>} what each returned
     * @throws {Error} it names the side
     */
    async eachInTurn(what, run) {
      const results = /** @type {Record<'base' | 'head', T>} */ ({});
      for (const side of [0, 1]) {
        enter(side);
        try {
          results[names[side]] = await run(names[side]);
        } catch (error) {
          const { message } = /** @type {Error} */ (error);
          throw new Error(`benchfolio: ${what} failed on ${names[side]}: ${message ?? error}`);
        }
      }
      now = null;
      return results;
    },

    /** @returns {number} 0: base, 1: head */
    now() {
      if (now === null)
        throw new Error(
          'benchfolio: in a duet an address is that of a side: ask for it within an iteration, setup or teardown',
        );
      return now;
    },

    /**
     * Runs an iteration on both.
     * @param {(side: number) => unknown} run may be async
     * @returns {unknown} when both are done
     */
    both(run) {
      const first = random() < 0.5 ? 0 : 1;
      enter(first);
      drawn = [];
      Math.random = drawing;
      const result = run(first);
      if (result instanceof Promise) return result.then(() => second(1 - first));
      return second(1 - first);

      /** @param {number} side */
      function second(side) {
        enter(side);
        next = 0;
        Math.random = again;
        return run(side);
      }
    },
  };
}
