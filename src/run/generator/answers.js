import { limits } from '../../suite/cases/tables.js';

/**
 * What came back, as the players say of the answers that they look at (k6/user/answers.js, k6/native/player/look.go).
 *
 * @typedef {Record<string, number>} Counts by value
 * @typedef {object} Answers to one request in a round
 * @property {number} count how many were sampled
 * @property {Counts} statuses
 * @property {Counts} types media types; "" for none
 * @property {number} redirected how many came after a redirect
 * @property {Counts} protocols that they came by: "HTTP/2 over TLS 1.3"; those of calls and sessions are not known
 * @property {Counts} sizes of bodies in bytes, where known
 * @property {{ count: number, distinct: number }} bodies how many were hashed, and how many different ones there were
 * @property {{ count: number, paths: Record<string, Field> }} [fields] of the JSON bodies whose structure was described, by path; absent: of
 *   none
 *
 * @typedef {{ kinds: Counts, values: Counts | null, distinct: number }} Field values: digests, or lengths of arrays; null: there were too
 *   many; distinct: how many different ones there were
 */

const line = /level=info msg=("benchfolio(?:\[(?<side>\w+)\])?: answer: (?:[^"\\]|\\.)*") source=console/g;

/**
 * Counts what came back.
 * @param {string[]} logs the text of each k6 process'
 * @param {string | null} [side] of a duet; null: there is one only
 * @returns {Record<string, Answers>} by name of the request
 */
export function answersIn(logs, side = null) {
  /** @type {Map<string, Answers & { hashes: Set<string> }>} */
  const found = new Map();
  for (const { 1: quoted, groups } of logs.flatMap((log) => [...log.matchAll(line)])) {
    if ((groups?.side ?? null) !== side) continue;
    const answer = parsed(quoted);
    if (answer === null) continue;
    const [name, status, bytes, type, redirected, hash, fields, protocol] = answer;
    const of = found.get(name) ?? none();
    found.set(name, of);
    of.count += 1;
    of.redirected += redirected;
    add(of.statuses, status);
    add(of.types, type);
    if (protocol) add(of.protocols, protocolText(protocol));
    if (bytes !== null) add(of.sizes, bytes);
    if (hash !== null) {
      of.hashes.add(hash);
      of.bodies = { count: of.bodies.count + 1, distinct: of.hashes.size };
    }
    if (fields) {
      of.fields ??= { count: 0, paths: {} };
      of.fields.count += 1;
      for (const [path, described] of Object.entries(fields)) addField(of.fields.paths, path, described);
    }
  }
  return Object.fromEntries([...found].map(([name, { hashes, ...answers }]) => [name, answers]));
}

/** @returns {Answers & { hashes: Set<string> }} */
const none = () => ({
  count: 0,
  statuses: {},
  types: {},
  protocols: {},
  redirected: 0,
  sizes: {},
  bodies: { count: 0, distinct: 0 },
  hashes: new Set(),
});

/**
 * A protocol as people say it.
 * @param {[string, string]} protocol its version in Go's words, and that of TLS or ""
 */
const protocolText = ([version, tls]) => `${version.replace('HTTP/2.0', 'HTTP/2')}${tls && ` over ${tls}`}`;

/**
 * @param {Record<string, Field>} paths
 * @param {string} path
 * @param {string} described as the players say it: "number#1a2b3c4d"
 */
function addField(paths, path, described) {
  const [kinds, value] = described.split('#');
  if (!Object.hasOwn(paths, path)) Object.defineProperty(paths, path, { value: noField(), enumerable: true });
  const field = paths[path];
  add(field.kinds, kinds);
  if (value === undefined || field.values === null) return;
  add(field.values, value);
  field.distinct = Object.keys(field.values).length;
  if (field.distinct > limits.answer_values) field.values = null;
}

/** @returns {Field} */
const noField = () => ({ kinds: {}, values: {}, distinct: 0 });

/** @param {Counts} counts @param {string | number} value */
const add = (counts, value) => {
  counts[value] = (counts[value] ?? 0) + 1;
};

/**
 * @param {string} quoted as Go does, which is JSON but for rare letters
 * @returns {[string, number, number | null, string, number, string | null, (Record<string, string> | null)?, ([string, string] | null)?] | null}
 */
function parsed(quoted) {
  try {
    const text = JSON.parse(quoted);
    return JSON.parse(text.slice(text.indexOf(': answer: ') + 10));
  } catch {
    return null;
  }
}
