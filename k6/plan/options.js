import { thresholdsOf } from './thresholds.js';

/** @import { Case } from '../../dist/suite/cases/expand.js' */

/**
 * The tags that k6 gives every sample by itself; each further tag costs a few percent of k6's CPU time. Requests carry
 * their name anyway, by a tag of our own.
 */
const tags = ['scenario', 'expected_response'];

/** In a script, requests may be named by http.url`…`, and checks and groups told apart. */
const scriptTags = [...tags, 'name', 'group', 'check'];

/** System tags that k6 has and a threshold may ask for. */
const optionalTags = [
  'proto',
  'subproto',
  'status',
  'method',
  'url',
  'name',
  'group',
  'check',
  'error',
  'error_code',
  'tls_version',
  'service',
  'ip',
  'ocsp_status',
];

/** k6's own has its version in it: a service that looks at it would see another after an update. */
const usualAgent = 'benchfolio';

/**
 * A case as options of k6.
 * @param {Case} benchCase
 * @param {readonly number[]} quantiles percent
 * @param {boolean} discards bodies are not read by most requests
 * @returns {Record<string, any>}
 */
export function optionsOf(benchCase, quantiles, discards) {
  const thresholdTags = benchCase.thresholds.flatMap(({ selector }) => Object.keys(selector));
  const base = benchCase.script === null ? tags : scriptTags;
  return {
    scenarios: { [benchCase.scenario]: benchCase.k6 },
    thresholds: thresholdsOf(benchCase),
    summaryTrendStats: ['avg', 'min', 'med', 'max', 'count', ...quantiles.map((percent) => `p(${percent})`)],
    systemTags: [...new Set([...base, ...optionalTags.filter((tag) => thresholdTags.includes(tag))])],
    discardResponseBodies: discards && benchCase.script === null,
    throw: benchCase.script === null, // or k6 logs every request that fails: 15,000 lines a second from a dead target
    userAgent: benchCase.user_agent ?? usualAgent,
    noCookiesReset: benchCase.cookies === 'user',
    noVUConnectionReuse: benchCase.connections === 'iteration',
    noConnectionReuse: benchCase.connections === 'request',
    // Declared ones we follow: user/redirects.js. For a script's own requests k6's default holds, ten: where it stops there it
    // says so,
    // and src/run/generator/request-failures.ts counts that. Were ten said here, it would not.
    ...(benchCase.script === null && { maxRedirects: 0 }),
  };
}
