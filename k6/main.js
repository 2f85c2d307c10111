// The driver's entry, for `benchfolio run` and plain k6 alike:
//
//   k6 run -e SPEC=specs/express/spec.toml -e SCENARIO=hello -e BASE_URL=http://127.0.0.1:3000 k6/main.js
//
// Also read: ENVIRONMENT, PROFILE, parameters and swept values by their names, SUMMARY (a file for the summary; without
// it, text is printed) and DURATION_SHARE (2/3: this process is the second of three parts of the window).
import { handleSummary, load, options } from './plan.js';
import { compileIteration } from './user/iteration.js';

if (load.script) {
  const { refuse } = /** @type {typeof import('./refuse.js')} */ (require('./refuse.js'));
  refuse(`scenario ${load.scenario} is a script: run ${load.script} in place of k6/main.js, with the same -e`);
}

export { handleSummary, options };
export default compileIteration(load);
