// Writes the ammo, one JSON object a line: node ammo/make.js, then its SHA-256 into spec.toml.
// The write-up shows none of its ammo; this is made up. The same numbers every time.
import { writeFileSync } from 'node:fs';

let state = 1;

/** The minimal standard generator (Park, Miller, Stockmeyer 1993). @param {number} below @returns {number} whole, from 0 */
function random(below) {
  state = (state * 48271) % 2147483647;
  return state % below;
}

const words = [
  'amber',
  'birch',
  'cobalt',
  'dune',
  'ember',
  'fjord',
  'grove',
  'harbour',
  'iris',
  'juniper',
  'kelp',
  'lagoon',
];
const word = () => words[random(words.length)];

const person = () => ({ user: `user-${1000 + random(9000)}`, item: 100000 + random(900000), amount: 1 + random(9) });
const line = () => ({
  item: 100000 + random(900000),
  title: `${word()} ${word()} ${word()}`,
  amount: 1 + random(9),
  cents: 99 + random(99900),
  tags: [word(), word()],
});
const event = () => ({
  at: 1700000000 + random(10000000),
  kind: word(),
  from: word(),
  to: word(),
  took_ms: random(5000),
});

/** @param {number} length @param {() => unknown} make */
const list = (length, make) => Array.from({ length }, make);

/** @param {string} name @param {unknown[]} rows */
const write = (name, rows) =>
  writeFileSync(new URL(name, import.meta.url), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

write('small.jsonl', list(200, person));
write(
  'large.jsonl',
  list(8, () => ({ ...person(), lines: list(75, line), events: list(200, event) })),
);
