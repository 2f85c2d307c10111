import { limits } from '../../suite/cases/tables.js';

/**
 * What came back, as the players say of the answers that they look at (k6/user/answers.js, k6/native/player/look.go).
 * by value
 */
type Counts = Record<string, number>;

/** To one request in a round. */
export type Answers = {
  /** how many were sampled */
  count: number;
  statuses: Counts;
  /** media types; "" for none */
  types: Counts;
  /** how many came after a redirect */
  redirected: number;
  /** that they came by: "HTTP/2 over TLS 1.3"; those of calls and sessions are not known */
  protocols: Counts;
  /** of bodies in bytes, where known */
  sizes: Counts;
  /** how many were hashed, and how many different ones there were */
  bodies: { count: number; distinct: number };
  /** of the JSON bodies whose structure was described, by path; absent: of none */
  fields?: { count: number; paths: Record<string, Field> };
};

/** values: digests, or lengths of arrays; null: there were too many; distinct: how many different ones there were */
type Field = { kinds: Counts; values: Counts | null; distinct: number };

const line = /level=info msg=("benchfolio(?:\[(?<side>\w+)\])?: answer: (?:[^"\\]|\\.)*") source=console/g;

/**
 * Counts what came back.
 * @param logs the text of each k6 process'
 * @param side of a duet; null: there is one only
 * @returns by name of the request
 */
export function answersIn(logs: string[], side: string | null = null): Record<string, Answers> {
  const found: Map<string, Answers & { hashes: Set<string> }> = new Map();
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

const none = (): Answers & { hashes: Set<string> } => ({
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
 * @param protocol its version in Go's words, and that of TLS or ""
 */
const protocolText = ([version, tls]: [string, string]) =>
  `${version.replace('HTTP/2.0', 'HTTP/2')}${tls && ` over ${tls}`}`;

/** @param described as the players say it: "number#1a2b3c4d" */
function addField(paths: Record<string, Field>, path: string, described: string) {
  const [kinds, value] = described.split('#');
  if (!Object.hasOwn(paths, path)) Object.defineProperty(paths, path, { value: noField(), enumerable: true });
  const field = paths[path];
  add(field.kinds, kinds);
  if (value === undefined || field.values === null) return;
  add(field.values, value);
  field.distinct = Object.keys(field.values).length;
  if (field.distinct > limits.answer_values) field.values = null;
}

const noField = (): Field => ({ kinds: {}, values: {}, distinct: 0 });

const add = (counts: Counts, value: string | number) => {
  counts[value] = (counts[value] ?? 0) + 1;
};

/** @param quoted as Go does, which is JSON but for rare letters */
function parsed(
  quoted: string,
):
  | [
      string,
      number,
      number | null,
      string,
      number,
      string | null,
      (Record<string, string> | null)?,
      ([string, string] | null)?,
    ]
  | null {
  try {
    const text = JSON.parse(quoted);
    return JSON.parse(text.slice(text.indexOf(': answer: ') + 10));
  } catch {
    return null;
  }
}
