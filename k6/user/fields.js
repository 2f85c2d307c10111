/**
 * The values in one place of a body; in an element of an array, in all of them together.
 * @typedef {{ kinds: Set<string>, values: string[], seen: number, of: Field | null, filled: number }} Field of: the object that
 *   it is a key of; filled: how many objects are here
 */

const mostFields = 200; // a body with more is not described: its keys are data
const mostElements = 20; // of an array, the first ones
const largestJson = 100_000; // characters

/** Of all bodies to one request of one side: describing more would cost CPU time that the services are to have. Characters. */
export const mostJson = 300_000;

/**
 * Tells the structure of a JSON body, as k6/native/player/fields.go does.
 * @param {string} body
 * @returns {Record<string, string> | null} by path ("items[].id"; "" is the body itself) the kinds of value, and after a "#" a
 *   digest of the values, or the length of an array: { items: "array#3", "items[].id": "absent|number#1a2b3c4d" }; null: it is
 *   not a JSON object or array, or has more than there is room for
 */
export function fieldsOf(body) {
  if (body.length > largestJson || !/^\s*[{[]/.test(body)) return null;
  /** @type {Map<string, Field>} */
  const fields = new Map();
  try {
    if (!addField(fields, '', null, JSON.parse(body))) return null;
  } catch {
    return null;
  }
  for (const field of fields.values()) if (field.of && field.seen < field.of.filled) field.kinds.add('absent');
  return Object.fromEntries(
    [...fields].map(([path, field]) => [path, [...field.kinds].sort().join('|') + digest(field)]),
  );
}

/**
 * Adds a value, and all within it.
 * @param {Map<string, Field>} fields
 * @param {string} path
 * @param {Field | null} of
 * @param {unknown} value as JSON.parse returns it
 * @returns {boolean} whether there was room
 */
function addField(fields, path, of, value) {
  const field = fields.get(path) ?? { kinds: new Set(), values: [], seen: 0, of, filled: 0 };
  if (field.seen === 0 && fields.size === mostFields) return false;
  fields.set(path, field);
  field.seen += 1;
  if (value === null) {
    field.kinds.add('null');
    return true;
  }
  if (Array.isArray(value)) {
    field.kinds.add(orEmpty('array', value.length));
    field.values.push(String(value.length));
    return value.slice(0, mostElements).every((element) => addField(fields, `${path}[]`, null, element));
  }
  if (typeof value === 'object') {
    const inner = /** @type {Record<string, unknown>} */ (value);
    const keys = Object.keys(inner).sort(); // "a.b" may be two places: their order must not depend on the player
    field.kinds.add(orEmpty('object', keys.length));
    field.filled += 1;
    return keys.every((key) => addField(fields, path === '' ? key : `${path}.${key}`, field, inner[key]));
  }
  field.kinds.add(typeof value === 'string' ? orEmpty('string', value.length) : typeof value);
  field.values.push(String(value));
  return true;
}

/** @param {string} kind @param {number} length */
const orEmpty = (kind, length) => (length === 0 ? `empty ${kind}` : kind);

/** The length of an array, and a hash of other values; of objects and null there is none. @param {Field} field */
function digest({ kinds, values, seen }) {
  if (values.length === 0) return '';
  const [first] = kinds;
  if (seen === 1 && first.endsWith('array')) return `#${values[0]}`;
  return `#${fnv(`${values.join('\0')}\0`)}`;
}

/** FNV-1a of 32 bits, of UTF-8. @param {string} text */
function fnv(text) {
  let hash = 0x811c9dc5;
  for (const letter of unescape(encodeURIComponent(text))) {
    hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, '0');
}
