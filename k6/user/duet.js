import exec from 'k6/execution';
import http from 'k6/http';

/** @import { Load } from '../plan/index.js' */

/**
 * A duet: every iteration goes to both sides, in random order, each with its tag.
 * @param {Load} load
 * @param {(load: Load) => () => unknown} compile makes the iteration of one side
 * @returns {() => void}
 */
export function compileDuet(load, compile) {
  const base = { side: 'base', url: load.baseUrl, run: compile(load) };
  const head = { side: 'head', url: /** @type {string} */ (load.headUrl), run: compile({ ...load, baseUrl: /** @type {string} */ (load.headUrl) }) };
  return () => {
    const [first, second] = Math.random() < 0.5 ? [base, head] : [head, base];
    enter(first);
    first.run();
    enter(second);
    second.run();
  };
}

/** Cookies are of a host whatever its port: those of the other side are taken away. @param {{ side: string, url: string }} side */
export function enter({ side, url }) {
  exec.vu.metrics.tags.side = side;
  http.cookieJar().clear(url);
}
