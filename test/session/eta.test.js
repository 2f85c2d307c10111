// The time left that a run shows, against when it ends: of runs whose parts take as long as is said here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plannedPair } from '../../dist/run/duet/planned-blocks.js';
import { scheduleOf } from '../../dist/run/session/eta.js';
import { progressOn } from '../../dist/run/session/progress.js';

/** @import { Block } from '../../dist/run/run-context.js' */

/**
 * @typedef {object} Costs seconds of a case beside its loads
 * @property {number} start
 * @property {number} first of the first round
 * @property {number} later of each other round
 * @property {number} end
 * @property {number} reduce a case, after the last
 * @property {number} conclude judging and printing all
 */

/**
 * Goes through a run, and notes after each of its parts when it would end, and when it did.
 * @param {(number | null)[]} lengths of the cases' loads; null: unknown before they ran
 * @param {number} rounds
 * @param {Costs} costs
 * @returns {{ at: number, said: number | null, part: string }[]} said: when it was to end
 */
function pathOf(lengths, rounds, { start, first, later, end, reduce, conclude }, actual = 10) {
  const schedule = scheduleOf(
    lengths.map((duration_s) => ({ duration_s })),
    rounds,
  );
  let at = 0;
  /** @type {{ at: number, said: number | null, part: string }[]} */
  const said = [];
  const note = (/** @type {string} */ part) => {
    const left = schedule.left();
    said.push({ at, said: left === null ? null : at + left, part });
  };
  note('begin');
  for (const [index, length] of lengths.entries()) {
    schedule.begin(index);
    note(`${index} starts`);
    at += start;
    schedule.startTook(start);
    note(`${index} started`);
    for (let round = 0; round < rounds; round += 1) {
      const took = (length ?? actual) + (round === 0 ? first : later);
      at += took;
      schedule.roundTook(took);
      note(`${index} round ${round}`);
    }
    at += end;
    schedule.endTook(end);
    note(`${index} ended`);
  }
  at += conclude + lengths.length * reduce;
  return [...said, { at, said: at, part: 'end' }];
}

/** @param {ReturnType<typeof pathOf>} path @param {string} from after which part */
function assertTrue(path, from) {
  const { at: end } = /** @type {typeof path[number]} */ (path.at(-1));
  const begin = path.findIndex(({ part }) => part === from);
  for (const { at, said, part } of path.slice(begin)) {
    assert.ok(said !== null, `nothing at ${part}`);
    const off = Math.abs(said - end);
    // a fifth of what is left; at the very end less than a second more
    assert.ok(off <= 0.2 * (end - at) + 0.8, `at ${part}, ${at} s, it was to end at ${said} s, and ended at ${end} s`);
  }
}

/** As measured on two cores that other programs use, too. */
const usual = { start: 0.9, first: 2.1, later: 0.7, end: 0.3, reduce: 0.1, conclude: 1.5 };

test('the time left is true to a fifth from the beginning, where things take as long as they do', () => {
  for (const lengths of [[10], [5, 5, 5], [30, 5, 20, 5]]) assertTrue(pathOf(lengths, 3, usual), 'begin');
});

test('it is from the first case on, where services and requests are slow', () => {
  // a database that is filled before each case, requests that take seconds to be tried
  const slow = { start: 12, first: 9, later: 0.7, end: 3, reduce: 0.1, conclude: 1.5 };
  assertTrue(pathOf([5, 5, 5, 5], 3, slow), '0 ended');
  assertTrue(pathOf([5, 20, 5], 1, slow), '0 ended');
});

test('a first round that tries the requests says nothing of those after it', () => {
  const tried = { start: 0.5, first: 8, later: 0.5, end: 0.3, reduce: 0.1, conclude: 1.5 };
  assertTrue(pathOf([5], 6, tried), '0 round 0');
});

test('a case whose answers take ten seconds says nothing of the others', () => {
  const schedule = scheduleOf(
    Array.from({ length: 5 }, () => ({ duration_s: 5 })),
    2,
  );
  for (const index of [0, 1, 2]) {
    schedule.begin(index);
    schedule.startTook(1);
    schedule.roundTook(index === 1 ? 25 : 7);
    schedule.roundTook(index === 1 ? 15 : 5.7);
    schedule.endTook(0.3);
  }
  const left = Number(schedule.left());
  const true_s = 2 * (1 + 7 + 5.7 + 0.3) + 1.5 + 5 * 0.1;
  assert.ok(Math.abs(left - true_s) < 0.2 * true_s, `${left} s, and it takes ${true_s} s`);
});

/**
 * Goes through cases that differ, and says how far off the time left was at worst after the odd one, as a share of what was
 * left. Where the first is odd nothing can know that before the second has ended.
 * @param {(Costs & { rounds?: number })[]} cases rounds: after so many it failed, in the midst of the next
 * @param {number} odd
 */
function worstAfter(cases, odd) {
  const [length, rounds] = [5, 3];
  const schedule = scheduleOf(
    cases.map(() => ({ duration_s: length })),
    rounds,
  );
  let at = 0;
  /** @type {{ at: number, left: number }[]} */
  const said = [];
  for (const [index, { start, first, later, end, rounds: until = rounds }] of cases.entries()) {
    schedule.begin(index);
    schedule.startTook(start);
    at += start;
    for (let round = 0; round < until; round += 1) {
      const took = length + (round === 0 ? first : later);
      schedule.roundTook(took);
      at += took;
      if (index > Math.max(1, odd)) said.push({ at, left: Number(schedule.left()) });
    }
    const ends = until < rounds ? 4 + end : end;
    schedule.endTook(ends);
    at += ends;
    if (index > 0 && index > odd) said.push({ at, left: Number(schedule.left()) });
  }
  at += usual.conclude + cases.length * usual.reduce;
  return Math.max(...said.map((one) => Math.abs(one.left - (at - one.at)) / Math.max(at - one.at, 4)));
}

/** @type {[string, Partial<Costs & { rounds: number }>][]} */
const oddities = [
  ['services that took a minute to start', { start: 60 }],
  ['requests of ten seconds', { first: 20, later: 10 }],
  ['a failure in the midst of its second round', { rounds: 1 }],
  ['a failure in its first round', { rounds: 0 }],
  ['all of it slower', { start: 20, first: 15, later: 8, end: 12 }],
];

for (const [what, costs] of oddities) {
  test(`the time left is true to a fifth again after an odd case: ${what}`, () => {
    for (const odd of [0, 1, 2]) {
      const cases = Array.from({ length: 7 }, (_, index) => ({ ...usual, ...(index === odd ? costs : {}) }));
      const worst = worstAfter(cases, odd);
      assert.ok(worst <= 0.2, `off by ${Math.round(worst * 100)} % after case ${odd + 1} of 7`);
    }
  });
}

test('what is left of an odd case takes as long as what of it is over', () => {
  const schedule = scheduleOf([{ duration_s: 5 }, { duration_s: 5 }, { duration_s: 5 }], 6);
  for (const [index, later] of [0.7, 0.7, 10].entries()) {
    schedule.begin(index);
    schedule.startTook(1);
    for (let round = 0; round < (index === 2 ? 3 : 6); round += 1) schedule.roundTook(5 + later);
    if (index < 2) schedule.endTook(0.3);
  }
  const [left, real] = [Number(schedule.left()), 3 * 15 + 0.3 + 1.8];
  assert.ok(Math.abs(left - real) < 0.2 * real, `${left} s, and it takes ${real} s`);
});

test('a load that begins late moves the end by as much', () => {
  const schedule = scheduleOf([{ duration_s: 12 }], 3);
  schedule.begin(0);
  schedule.startTook(1);
  const late = 20;
  const [begun, quarter] = [schedule.left(late, 0), schedule.left(late + 3, 3)];
  assert.ok(begun !== null && begun > 3 * 12 && begun < 3 * 12 + 4, `${begun} s left when it begins`);
  assert.equal(quarter, begun - 3);
  assert.ok(Number(schedule.left(late)) > 3 * 12, 'and before that');
});

test('a case that ends by its iterations takes as long as its last round, and nothing is said before', () => {
  const path = pathOf([null, null], 3, usual);
  assert.ok(path.slice(0, 6).every(({ said }) => said === null));
  assertTrue(path, '1 round 0');
});

/**
 * Goes through a duet of one case, whose blocks start both sides.
 * @param {Block[]} blocks
 * @param {{ start: number, end: number }} costs of a side; both end at the same time
 */
function duetPath(blocks, { start, end }) {
  const schedule = scheduleOf([{ duration_s: 5, blocks }], blocks.length);
  const said = [{ at: 0, said: schedule.left(), part: 'begin' }];
  let at = 0;
  schedule.begin(0);
  schedule.startTook(0);
  for (const [index, { starts, loads }] of blocks.entries()) {
    const tries = index === 0 ? 1.4 : 0;
    const took = starts * start + loads.reduce((all, one) => all + one + usual.later, 0) + tries + end;
    at += took;
    schedule.roundTook(took);
    said.push({ at, said: at + Number(schedule.left()), part: `block ${index}` });
  }
  schedule.endTook(0);
  at += usual.conclude + usual.reduce;
  return [...said, { at, said: at, part: 'end' }];
}

/** @param {string | null} interleaved */
function pairOf(interleaved) {
  const sided = (/** @type {number} */ duration_s) => ({ head: { duration_s } });
  const solo = { system: 'shop', environment: 'local', name: 'browse', duration_s: 5, interleaved };
  const side = { services: [{}] };
  const lanes = { saturation: sided(2.25), load: sided(2.75) };
  return /** @type {any} */ ({ solo, base: side, head: side, lanes, obstacle: null });
}

test('a duet is announced with a start of services in each block, and with the loads of its lanes', () => {
  for (const interleaved of [null, 'cookies']) {
    const { blocks } = plannedPair(pairOf(interleaved), 12);
    assert.equal(blocks.length, 12);
    assertTrue(duetPath(blocks, { start: 2, end: 0.3 }), 'begin');
    // as soon as a block has shown how long services take to start
    assertTrue(duetPath(blocks, { start: 9, end: 1 }), 'block 0');
  }
});

test('a case whose base cannot be started takes no time', () => {
  assert.deepEqual(plannedPair({ ...pairOf(null), obstacle: 'no such spec' }, 12).blocks, []);
});

test('how long a duet takes is the most, and each case has its own number of blocks', () => {
  let printed = '';
  const progress = progressOn(
    /** @type {any} */ ({ on() {}, write: (/** @type {string} */ text) => (printed += text) }),
  );
  progress.begin([plannedPair(pairOf(null), 12)], 20, 1, { unit: 'block', mayEndSooner: true });
  progress.beginCase(0);
  progress.beginRound(1);
  progress.endRound();
  assert.match(printed, /^1 case, 20 blocks: at most about \d+ min/);
  assert.match(printed, /block 1 of 12 done/);
});
