// The entry for a k6 script that knows nothing of Benchfolio (SCRIPT, its path): as it is, with its own options, setup, teardown,
// handleSummary, checks and metrics. Its load comes from the case, which has it from the script or from the spec. k6 reads this by
// its standard input, in the script's folder: what is looked for beside the main script (files of gRPC) is looked for there.
import exec from 'k6/execution';
import { load } from './plan.js';
import { bench } from './script.js';
import { refuse } from './shared/refuse.js';

/** @type {Record<string, any>} */
const script = require(`file://${__ENV.SCRIPT}`);

const name = load.exec ?? 'default';
const run = script[name];
if (typeof run !== 'function') refuse(`${load.script} exports no function "${name}" to run as an iteration`);

/**
 * Our k6 can keep a script to the hosts of its environment; another one cannot.
 * @type {typeof import('k6/x/benchfolio/hosts') | null}
 */
const guard = guardOf();

function guardOf() {
  try {
    return require('k6/x/benchfolio/hosts');
  } catch {
    return null;
  }
}

const allowed = JSON.parse(__ENV.ALLOWED_HOSTS || '[]');

/**
 * Runs what the script has, and ends the test where it asked for a host that the environment does not name.
 * @template T
 * @param {() => T} part
 * @returns {T}
 */
function guarded(part) {
  if (guard === null || allowed.length === 0) return part();
  guard.only(allowed);
  try {
    const result = part();
    if (result instanceof Promise) return /** @type {T} */ (/** @type {unknown} */ (result.finally(endIfRefused)));
    return result;
  } finally {
    endIfRefused();
  }
}

function endIfRefused() {
  const host = guard?.refused();
  if (!host) return;
  const text =
    `benchfolio: ${load.scriptName} sends to ${host}, which the environment does not name: let it take __ENV.BASE_URL, name ` +
    `its own variable (env = { NAME = "\${url}" }), or add hosts = ["http://${host}"] to the environment`;
  console.error(text);
  exec.test.abort(text);
}

/** k6's options of the whole test that the spec has no key for. What a case says, or needs to be measured, is not the script's. */
const ofCase = [
  'scenarios',
  'vus',
  'duration',
  'iterations',
  'stages',
  'thresholds',
  'summaryTrendStats',
  'systemTags',
  'cloud',
  'ext',
  'paused',
  'linger',
  'executionSegment',
  'executionSegmentSequence',
];

export const options = __VU === 0 ? merged(bench.options, script.options ?? {}) : {};

/**
 * @param {Record<string, any>} ours
 * @param {Record<string, any>} theirs
 */
function merged(ours, theirs) {
  const kept = Object.fromEntries(Object.entries(theirs).filter(([key]) => !ofCase.includes(key)));
  const either = ['noCookiesReset', 'noVUConnectionReuse', 'noConnectionReuse'].map((key) => [
    key,
    ours[key] || kept[key] || false,
  ]);
  const [[scenario, k6]] = Object.entries(ours.scenarios);
  const own = ownName(theirs.scenarios ?? {}, scenario);
  // The spec's come before them.
  const env = Object.entries(theirs.scenarios?.[own]?.env ?? {}).map(([key, value]) => [key, __ENV[key] ?? value]);
  return {
    ...ours,
    ...kept,
    ...(load.userAgent !== null && { userAgent: load.userAgent }),
    ...Object.fromEntries(either),
    summaryTrendStats: [...new Set([...ours.summaryTrendStats, ...(theirs.summaryTrendStats ?? [])])],
    scenarios: {
      [own]: {
        ...k6,
        ...(load.tags !== null && { tags: load.tags }),
        ...(env.length > 0 && { env: Object.fromEntries(env) }),
      },
    },
  };
}

/**
 * The name that the script knows its scenario by (exec.scenario.name, and the tag): its own, and k6's "default" where it has the
 * short forms. Of several, the case says which; a spec with a load of its own chooses one by calling its scenario the same.
 * @param {Record<string, unknown>} theirs
 * @param {string} scenario the spec's
 * @returns {string}
 */
function ownName(theirs, scenario) {
  const names = Object.keys(theirs);
  if (names.length < 2) return names[0] ?? 'default';
  const given = [load.parameters.scenario, scenario].map(String);
  return given.find((name) => names.includes(name)) ?? scenario;
}

// k6 wants functions, also where the script has none.
export const setup = () => (script.setup ? guarded(() => script.setup()) : undefined);

/** @param {unknown} data what setup returned */
export const teardown = (data) => guarded(() => script.teardown?.(data)); // also tells what was refused after the last iteration

export default bench.iteration((_, data) => guarded(() => run(data)));

/**
 * Ours, and what the script makes of it: its files go where the measurement's are, and what it throws costs no numbers.
 * @param {any} data
 * @returns {Promise<Record<string, any>>}
 */
export const handleSummary = async (data) => {
  const files = bench.handleSummary?.(data) ?? {};
  const own = script.handleSummary;
  if (typeof own !== 'function' || !__ENV.SUMMARY) return files;
  const folder = __ENV.SUMMARY.slice(0, __ENV.SUMMARY.lastIndexOf('/'));
  try {
    const theirs = Object.entries((await own(data)) ?? {});
    return { ...Object.fromEntries(theirs.map(([path, content]) => [`${folder}/${fileOf(path)}`, content])), ...files };
  } catch (error) {
    console.warn(`benchfolio: handleSummary threw: ${/** @type {any} */ (error)?.message ?? error}`);
    return files;
  }
};

/** One folder holds them all. @param {string} path stdout, stderr or a path @returns {string} */
const fileOf = (path) => `script-${path.replace(/^(\.?\/)+/, '').replace(/[^\w.-]+/g, '_')}`;
