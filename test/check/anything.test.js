import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { stringify } from 'smol-toml';
import { parseToml } from '../../dist/suite/cases/cases.js';
import { checkSuite } from '../../dist/suite/check/check.js';
import { openSuite } from '../../dist/suite/suite.js';
import { folderOf, root } from '../support/cli.js';
import { full } from '../support/full.js';

const spec = parseToml(readFileSync(join(root, 'test/fixtures/every-key/specs/shop/spec.toml'), 'utf8'));

/** Every place in a value. @param {any} value @param {(string | number)[]} path @returns {(string | number)[][]} */
const pathsIn = (value, path = []) =>
  value === null || typeof value !== 'object'
    ? [path]
    : [
        path,
        ...Object.entries(value).flatMap(([key, item]) =>
          pathsIn(item, [...path, Array.isArray(value) ? Number(key) : key]),
        ),
      ];

/** @param {any} value @param {(string | number)[]} path @param {(table: any, key: string | number) => void} change */
function changed(value, path, change) {
  const copy = structuredClone(value);
  const parent = path.slice(0, -1).reduce((at, key) => at[key], copy);
  change(parent, path[path.length - 1]);
  return copy;
}

const odd = [
  '',
  'x',
  '${nope}',
  '${',
  '-1s',
  -1,
  0,
  1.5,
  1e15,
  true,
  [],
  {},
  [[]],
  [{}],
  { a: 1 },
  [1, 'a'],
  new Date(0),
];

it('whatever stands in a spec, check says something about it and does not fall over', async () => {
  const folder = await folderOf({ 'bench.toml': '' });
  await cp(join(root, 'test/fixtures/every-key/specs/shop'), join(folder, 'specs/x'), { recursive: true });
  const suite = openSuite(folder);
  const paths = pathsIn(spec).filter((path) => path.length);
  let [refused, tried] = [0, 0];
  for (const [i, path] of paths.entries()) {
    if (!full && i % 7 !== 0) continue; // `make simulate` tries all
    const shapes = [
      (/** @type {any} */ table, /** @type {any} */ key) =>
        Array.isArray(table) ? table.splice(key, 1) : delete table[key],
      (/** @type {any} */ table, /** @type {any} */ key) =>
        Array.isArray(table) ? table.push(table[key]) : Object.assign(table, { [`${key}_`]: table[key] }),
    ];
    const variants = [
      changed(spec, path, (table, key) => Object.assign(table, { [key]: odd[i % odd.length] })),
      ...(i % 2 ? [changed(spec, path, shapes[(i >> 1) % 2])] : []),
    ];
    for (const variant of variants) {
      const text = stringify(variant);
      await writeFile(join(folder, 'specs/x/spec.toml'), text);
      const checked = checkSuite(suite, ['x'], { memory: 1e12 });
      for (const { file, line, column, length, message } of checked.problems) {
        assert.ok(message.length > 5 && !/undefined|\[object|NaN/.test(message), `${path.join('.')}: ${message}`);
        const source = text.split('\n')[Number(line) - 1];
        if (line !== null)
          assert.ok(Number(column) + Number(length) - 1 <= source.length, `${file}:${line}:${column} ${message}`);
      }
      assert.ok(checked.render().length > 0);
      tried++;
      refused += Number(!checked.ok);
    }
  }
  assert.ok(tried > (full ? 400 : 40) && refused < tried && refused / tried > 0.6, `${refused} of ${tried} refused`);
});
