/**
 * A table of keys: of a TOML file, or an object of JSON. depth: 0 is the whole; list: there are several; to: the path of the table that a key's own
 * keys are in.
 * @typedef {{ path: string, depth: number, list: boolean, text: string, keys: { name: string, required: boolean, facts: string, text: string, to: string | null }[] }} KeyTable
 * @typedef {Record<string, any>} Schema
 */

/**
 * The tables of a schema, in the order of its keys. What several keys have in common is one table, at the outermost of them.
 * @param {Schema} schema
 * @returns {KeyTable[]}
 */
export function tablesOf(schema) {
  /** @type {KeyTable[]} */
  const tables = [];
  /** @type {Map<Schema, string>} where the properties of a definition are described */
  const described = new Map();
  const visit = (/** @type {string} */ path, /** @type {Schema} */ node, depth = 0, list = false) => {
    const table = { path, depth, list, text: node.description ?? '', keys: /** @type {KeyTable['keys']} */ ([]) };
    tables.push(table);
    const within = [];
    for (const [name, raw] of Object.entries(node.properties)) {
      const key = resolved(schema, /** @type {Schema} */ (raw));
      const inner = innerOf(schema, key);
      const at = inner && `${path}${path && '.'}${name}${inner.named ? '.<name>' : ''}`;
      const to = inner && (described.get(inner.node.properties) ?? at);
      table.keys.push({
        name,
        required: node.required?.includes(name) ?? false,
        facts: factsOf(schema, key),
        text: key.description ?? '',
        to,
      });
      if (!inner || at === null || to !== at) continue;
      described.set(inner.node.properties, at);
      within.push({ at, inner });
    }
    for (const { at, inner } of within) visit(at, inner.node, depth + 1, inner.list);
  };
  visit('', resolved(schema, schema));
  return tables;
}

/**
 * A key's own words override those of what it refers to.
 * @param {Schema} schema
 * @param {Schema} node
 * @returns {Schema}
 */
function resolved(schema, { $ref, allOf, ...own }) {
  const ref = $ref ?? (allOf?.length === 1 ? allOf[0].$ref : undefined);
  if (ref === undefined) return own;
  const target = ref
    .slice(2)
    .split('/')
    .reduce((/** @type {any} */ at, /** @type {string} */ part) => at[part], schema);
  return { ...resolved(schema, target), ...own };
}

/**
 * The keys within a key: its own, those of each table in a list, or of each table by name.
 * @param {Schema} schema
 * @param {Schema} node
 * @returns {{ node: Schema, list: boolean, named: boolean } | null}
 */
function innerOf(schema, node) {
  if (node.properties) return { node, list: false, named: false };
  const [items, values] = [node.items, node.additionalProperties].map((one) =>
    typeof one === 'object' ? resolved(schema, one) : null,
  );
  if (items?.properties) return { node: items, list: true, named: false };
  if (values?.properties) return { node: values, list: false, named: true };
  return null;
}

const words = /** @type {Record<string, string>} */ ({
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a table',
  array: 'a list',
  null: 'null',
});

/** @param {Schema} schema @param {Schema} node @returns {string} what it may be */
function factsOf(schema, node) {
  if (node.enum) return node.enum.map((/** @type {any} */ one) => `\`${JSON.stringify(one)}\``).join(', ');
  if ('const' in node) return `\`${JSON.stringify(node.const)}\``;
  if (node['x-expects']) return node['x-expects'];
  const each = [node.items, node.additionalProperties].find((one) => typeof one === 'object');
  const types = [node.type ?? []]
    .flat()
    .map((/** @type {string} */ type) => words[type])
    .join(' or ');
  const inner = each ? resolved(schema, each) : null;
  return inner && !inner.properties && types ? `${types}; each: ${factsOf(schema, inner)}` : types;
}
