// The driver's entry, for `benchfolio run` and plain k6 alike:
//
//   k6 run -e SPEC=specs/express/spec.toml -e SCENARIO=hello -e BASE_URL=http://127.0.0.1:3000 k6/main.js
//
// Also read: ENVIRONMENT, PROFILE, parameters and swept values by their names, and SUMMARY (a file for the summary; without
// it, text is printed). The runner gives a resolved case in place of a spec: CASE, a case.json (src/run/measure/case-file.ts),
// with PART, where a round has several, SEED, which random values are drawn from (never the same ones without it), and
// HEAD_URL in a duet (BASE_URL is base's address then). SMOKE sends each request once in place of the load, and prints what
// failed. PACKED is in archives.
import { handleSummary, load, options } from './plan.js';
import { compileIteration } from './user/iteration.js';

if (load.script) {
  const { refuse } = /** @type {typeof import('./shared/refuse.js')} */ (require('./shared/refuse.js'));
  refuse(`scenario ${load.scenario} is a script: run ${load.script} in place of k6/main.js, with the same -e`);
}

export { handleSummary, options };
export default load.smoke ? smoke() : load.headUrl === null ? compileIteration(load) : duet();

/** Its module is loaded before a load only. */
function smoke() {
  const { compileSmoke } = /** @type {typeof import('./user/smoke.js')} */ (require('./user/smoke.js'));
  return compileSmoke(load);
}

/** Its module is loaded for a duet only: each costs every user 10 kB. */
function duet() {
  const { compileDuet } = /** @type {typeof import('./user/duet.js')} */ (require('./user/duet.js'));
  return compileDuet(load, compileIteration);
}
