// Numbers are printed by reports/lib/numbers.jq and by site/assets/js/format.js: the same text for the same number.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import * as format from '../../site/assets/js/format.js';
import { root } from '../support/cli.js';
import { engines, jqIn } from '../support/engines.js';
import { randomFrom } from '../support/site/random.js';

/** @import { Engine } from '../support/engines.js' */

/**
 * How each rule is called, on both sides.
 * @type {Record<string, { jq: string, js: (input: any) => unknown }>}
 */
const rules = {
  number: { jq: 'numbers::number', js: format.formatNumber },
  plain: { jq: 'numbers::plain', js: format.formatPlain },
  count: { jq: 'numbers::count', js: format.formatCount },
  counted: { jq: '.[1] as $noun | .[0] | numbers::count($noun)', js: ([many, noun]) => format.counted(many, noun) },
  percent: { jq: 'numbers::percent', js: format.formatPercent },
  change: { jq: 'numbers::change', js: format.formatChange },
  points: { jq: 'numbers::points', js: format.formatPoints },
  ratio: { jq: 'numbers::ratio', js: format.formatRatio },
  ratio_interval: { jq: 'numbers::ratio_interval', js: format.formatRatioInterval },
  change_interval: { jq: 'numbers::change_interval', js: format.formatChangeInterval },
  level: { jq: 'numbers::level', js: format.formatLevel },
  bytes: { jq: 'numbers::bytes', js: format.formatBytes },
  in_unit: {
    jq: '.[1] as $unit | .[0] | numbers::in_unit($unit)',
    js: ([value, unit]) => format.formatInUnit(value, unit),
  },
  duration: { jq: 'numbers::duration', js: format.formatDuration },
  time: { jq: 'numbers::time', js: format.formatTime },
  column: { jq: 'numbers::column', js: (values) => values.map(format.columnFormat(values)) },
};

/** @type {Record<string, [any, any][]>} */
const cases = JSON.parse(readFileSync(join(root, 'test', 'fixtures', 'rules', 'numbers.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'benchfolio-numbers-'));
const all = await engines();
after(() => rmSync(folder, { recursive: true }));

/** What JSON cannot hold stands in it as text. */
const special = { Infinity, '-Infinity': -Infinity, NaN };
const read = (/** @type {any} */ input) => special[/** @type {keyof typeof special} */ (input)] ?? input;
const readInJq = '({ Infinity: infinite, "-Infinity": -infinite, NaN: nan }[strings] // .)';

/**
 * @param {Engine} engine
 * @param {Record<string, any[]>} inputs by rule
 * @returns {Promise<Record<string, any[]>>} what is printed, by rule
 */
async function printedIn(engine, inputs) {
  const file = join(folder, 'inputs.json');
  writeFileSync(file, JSON.stringify(inputs));
  const parts = Object.keys(inputs).map((rule) => `${rule}: [.${rule}[] | ${readInJq} | ${rules[rule].jq}]`);
  return JSON.parse(await jqIn(engine, [`import "lib/numbers" as numbers; input | { ${parts.join(', ')} }`, file]));
}

test('every rule has its cases', () => assert.deepEqual(Object.keys(cases).sort(), Object.keys(rules).sort()));

for (const [rule, listed] of Object.entries(cases))
  test(`${rule} in JavaScript`, () => {
    for (const [input, text] of listed) assert.deepEqual(rules[rule].js(read(input)), text, JSON.stringify(input));
  });

for (const engine of all)
  test(`all rules in ${engine.name}`, async () => {
    const inputs = Object.fromEntries(
      Object.entries(cases).map(([rule, listed]) => [rule, listed.map(([one]) => one)]),
    );
    const texts = Object.fromEntries(
      Object.entries(cases).map(([rule, listed]) => [rule, listed.map(([, one]) => one)]),
    );
    assert.deepEqual(await printedIn(engine, inputs), texts);
  });

/** A number as likely small as large, whole as broken, everyday as extreme. @param {() => number} random */
function anyNumber(random) {
  const sign = random() < 0.3 ? -1 : 1;
  const kinds = [
    () => 10 ** (random() * 20 - 8),
    () => Math.round(random() * 10 ** Math.floor(random() * 16)),
    () => Math.round(random() * 1e5) / 10 ** Math.floor(random() * 8), // halves, which are rounded up
    () => 10 ** (random() * 600 - 300),
    () => 1 + sign * random() * 10 ** (-5 * random()), // ratios
  ];
  return sign * kinds[Math.floor(random() * kinds.length)]();
}

/** @param {() => number} random */
function anyColumn(random) {
  const size = 10 ** (random() * 14 - 7);
  return Array.from({ length: 1 + Math.floor(random() * 6) }, () =>
    random() < 0.1 ? null : random() < 0.1 ? 0 : size * 10 ** (random() * 4 - 2),
  );
}

test('thousands of numbers are printed alike everywhere', async () => {
  const random = randomFrom('numbers');
  const numbers = Array.from({ length: 2000 }, () => anyNumber(random));
  const ofNumbers = ['number', 'plain', 'count', 'percent', 'change', 'points', 'ratio', 'level', 'bytes', 'duration'];
  /** @type {Record<string, any[]>} */
  const inputs = {
    ...Object.fromEntries(ofNumbers.map((rule) => [rule, numbers])),
    column: Array.from({ length: 500 }, () => anyColumn(random)),
  };
  const wanted = Object.fromEntries(Object.entries(inputs).map(([rule, list]) => [rule, list.map(rules[rule].js)]));
  for (const engine of all) assert.deepEqual(await printedIn(engine, inputs), wanted, engine.name);
});
