import type { Recorded, Recording } from './recording.js';

/** A recording as the text of a spec. */
export function specText(
  recording: Recording,
  { system, scenario, file, schema }: { system: string; scenario: string; file: string; schema: string },
): string {
  const { origin, requests } = recording;
  const host = origin.replace(/^https?:\/\//, '');
  const isLocal = /^(localhost|127\.|\[::1\])/.test(host);
  return [
    `#:schema ${schema}`,
    `# Made of the recording ${line(file)} by: benchfolio import har`,
    ...remarksOf(recording),
    `title = ${text(system)}`,
    '',
    '[environments.recorded]',
    `url = ${text(origin)}`,
    ...(isLocal ? [] : [`confirm = ${text(`this loads ${host}: only if it is yours`)}`]),
    '',
    `[scenarios.${scenario}]`,
    '# one user who does what was recorded, again and again: raise `vus` for more of them',
    'executor = "constant-vus"',
    'vus = 1',
    'duration = "30s"',
    ...requests.flatMap((recorded, i) => ['', ...requestLines(recorded, scenario, nameOf(recorded, requests, i))]),
    '',
  ].join('\n');
}

function remarksOf({ left, headers, variables }: Recording) {
  return [
    Object.keys(left).length && `# Left out: ${line(countsOf(left))}.`,
    headers.length &&
      `# Headers left out, for they may be secret or belong to the browser: ${line(headers.join(', '))}.`,
    variables.length &&
      `# What looked like a secret, by its name or its form, comes from the environment: ${variables.join(', ')}.`,
    '# No rule finds every secret: read paths, queries and bodies below before you commit them.',
    "# What a page answers and a later request sends back (a form's token, an id) is still as it was recorded: see `capture`.",
  ].filter((remark) => typeof remark === 'string');
}

function requestLines(
  { method, path, headers, status, body, left, think_ms: think }: Recorded,
  scenario: string,
  name: string | null,
) {
  return [
    `[[scenarios.${scenario}.requests]]`,
    left && `# left out: ${line(left)}`,
    name !== null && `name = ${text(name)}`,
    `${method} = ${text(path)}`,
    Object.keys(headers).length > 0 && `headers = ${value(headers)}`,
    Boolean(body) && `body = ${value(body)}`,
    think > 0 && `think = "${think / 1000}s"`,
    status === null
      ? "# was 304, from the browser's cache: without the cache it is answered anew"
      : `expect = { status = ${status} }`,
    status !== null && status >= 300 && status < 400 && 'redirects = 0 # what it leads to is a request of its own',
  ].filter((part) => typeof part === 'string');
}

/** Metrics are by name: two requests that are sent to one path are told apart. */
function nameOf(recorded: Recorded, requests: Recorded[], at: number) {
  const plain = ({ method, path }: Recorded) => `${method.toUpperCase()} ${path.split('?', 1)[0]}`;
  const same = requests.slice(0, at).filter((other) => plain(other) === plain(recorded)).length;
  const safe = plain(recorded)
    .replace(/\$\$?\{/g, '{')
    .replaceAll(',', '_');
  if (same > 0) return `${safe} (${same + 1})`;
  return safe === plain(recorded) ? null : safe;
}

/** Says how many were left out for which reason. */
export const countsOf = (left: Record<string, number>) =>
  Object.keys(left)
    .sort()
    .map((why) => `${left[why]} ${why}`)
    .join(', ');

/** A comment is one line, whatever it quotes. */
const line = (words: string) => words.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');

/** A string of TOML: JSON's, but for one character that it leaves as it is. */
const text = (words: string) => JSON.stringify(words).replaceAll('\u007f', '\\u007f');

/**
 * @param json without null
 * @returns TOML in one line
 */
function value(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(value).join(', ')}]`;
  if (typeof json === 'string') return text(json);
  if (typeof json !== 'object' || json === null) return String(json);
  return `{ ${Object.entries(json)
    .map(([key, entry]) => `${/^[A-Za-z0-9_-]+$/.test(key) ? key : text(key)} = ${value(entry)}`)
    .join(', ')} }`;
}
