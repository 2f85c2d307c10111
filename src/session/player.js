/**
 * @typedef {import('../spec/index.js').Case} Case
 * @typedef {'javascript' | 'native'} Player
 */

/** Tags that the native player tells apart (k6/native/tally/metrics.go). */
const tags = ['scenario', 'phase', 'fault', 'side', 'name', 'expected_response', 'group', 'user'];

/** What Go's regular expressions do not have: looking ahead and behind, and back at what a group matched. */
const beyondGo = /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</;

/**
 * Has the native player send what it can of the requests of cases: each that it sends says so, since it is another
 * definition.
 * @param {readonly Case[]} cases
 * @param {{ native: boolean, env: NodeJS.ProcessEnv, note: (text: string) => void }} given native: this k6 has it; note:
 *   is told why a case is left to the JavaScript player
 * @returns {Case[]}
 */
export function playNatively(cases, { note, ...given }) {
  const reasons = cases.map((one) => reasonAgainstNative(one, given));
  for (const reason of new Set(reasons)) {
    if (reason === null) continue;
    const names = cases
      .filter((_, i) => reasons[i] === reason)
      .map(({ system, environment, name }) => `${system}/${environment}/${name}`);
    note(`the JavaScript player, not the native one, sends the requests of ${names.join(', ')}: ${reason}`);
  }
  return cases.map((one, i) => (reasons[i] === null ? { ...one, player: 'native' } : one));
}

/**
 * @param {Case} benchCase
 * @param {{ native: boolean, env: NodeJS.ProcessEnv }} given
 * @returns {string | null} null: the native player can send its requests
 */
function reasonAgainstNative({ script, requests, thresholds, url }, { native, env }) {
  if (script !== null || !requests) return 'it is a script';
  if (!native)
    return 'this k6 has no native player in it: take it off PATH, and `npx benchfolio tools` builds one that has';
  const pattern = patternsOf(requests).find((text) => beyondGo.test(text));
  if (pattern !== undefined) return `the pattern ${pattern} looks ahead, behind or back`;
  const tag = thresholds
    .filter(({ source }) => source === 'k6')
    .flatMap(({ selector }) => Object.keys(selector))
    .find((name) => !tags.includes(name));
  if (tag !== undefined) return `a threshold asks for the tag "${tag}"`;
  const proxy = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'].find((name) => env[name]);
  if (proxy !== undefined && !isLocal(url))
    return `${proxy} is set, and only the JavaScript player goes through proxies`;
  return null;
}

/** Nothing goes through a proxy to this machine. @param {string} url */
const isLocal = (url) => /^https?:\/\/(127\.|localhost[:/]|\[::1\])/.test(`${url}/`);

/** @param {NonNullable<Case['requests']>} requests @returns {string[]} */
const patternsOf = (requests) =>
  requests.flatMap(({ expect, capture }) => [
    ...(typeof expect.body === 'object' && expect.body !== null ? [expect.body.matches] : []),
    ...Object.values(expect.headers).flatMap((header) => (header?.matches === undefined ? [] : [header.matches])),
    ...Object.values(capture).flatMap(({ regex }) => (regex === undefined ? [] : [regex])),
  ]);
