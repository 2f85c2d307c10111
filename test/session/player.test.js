import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { playNatively, wantsNative } from '../../dist/run/session/player.js';
import { definitionOf, expandCases, parseToml } from '../../dist/suite/cases/cases.js';

/**
 * @param {string} scenario TOML of it
 * @param {{ native?: boolean, env?: Record<string, string>, url?: string }} [given]
 */
function play(scenario, { native = true, env = {}, url = 'http://127.0.0.1:1' } = {}) {
  const spec = parseToml(
    `title = "Shop"\n[environments.local]\nurl = "${url}"\n[scenarios.s]\nexecutor = "per-vu-iterations"\n${scenario}`,
  );
  /** @type {string[]} */
  const notes = [];
  const [before] = expandCases({ spec, system: 'shop' });
  const [one] = playNatively([before], { native, env, note: (text) => void notes.push(text) });
  return { before, one, notes };
}

const get = '[[scenarios.s.requests]]\nget = "/"\n';

describe('the native player', () => {
  it('sends declared requests', () => {
    const { one, notes } = play(get);
    assert.equal(one.player, 'native');
    assert.deepEqual(notes, ['the native player sends the requests of 1 case']);
  });

  it('knows patterns and thresholds on tags', () => {
    const thresholds = 'thresholds = { "http_req_duration{name:GET /}" = "p(95)<5" }';
    const { one } = play(`${thresholds}\n${get}expect = { body = { matches = "^(?:a|b)\\\\d+$" } }`);
    assert.equal(one.player, 'native');
  });

  it('is wanted where a case could be its own, unless JavaScript is asked for', () => {
    const [declared, script] = [play(get).before, play('script = "a.js"').before];
    assert.equal(wantsNative([script, declared]), true);
    assert.equal(wantsNative([declared], 'native'), true);
    assert.equal(wantsNative([declared], 'javascript'), false);
    assert.equal(wantsNative([script]), false);
  });

  it('names three cases that are left, and counts the others', () => {
    const { before } = play('script = "a.js"');
    const cases = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...before, name }));
    /** @type {string[]} */
    const notes = [];
    playNatively(cases, { native: true, env: {}, note: (text) => void notes.push(text) });
    assert.equal(notes.length, 1);
    assert.match(notes[0], / of shop\/local\/a, shop\/local\/b, shop\/local\/c, 2 other cases: it is a script$/);
  });

  it('makes another definition', () => {
    const { before, one } = play(get);
    assert.equal('player' in definitionOf(before), false);
    assert.deepEqual(definitionOf(one), { ...definitionOf(before), player: 'native' });
  });

  for (const [name, scenario, given, reason] of /** @type {[string, string, object, RegExp][]} */ ([
    ['a script', 'script = "a.js"', {}, /it is a script/],
    ['a k6 without it', get, { native: false }, /there is no k6 with this version of the native player in it/],
    [
      'a pattern that looks ahead',
      `${get}expect = { body = { matches = "a(?=b)" } }`,
      {},
      /the pattern a\(\?=b\) looks ahead/,
    ],
    [
      'a pattern that looks back at a group',
      `${get}capture = { x = { regex = "(a)\\\\1" } }`,
      {},
      /looks ahead, behind or back/,
    ],
    [
      'a threshold on statuses',
      `thresholds = { "http_req_duration{status:200}" = "p(95)<5" }\n${get}`,
      {},
      /the tag "status"/,
    ],
    ['a proxy', get, { env: { HTTP_PROXY: 'http://proxy:3128' }, url: 'http://shop.example' }, /HTTP_PROXY is set/],
  ])) {
    it(`leaves ${name} to the JavaScript player, and says why`, () => {
      const { before, one, notes } = play(scenario, given);
      assert.equal(one, before);
      assert.match(notes.join(), /^the JavaScript player, not the native one, sends the requests of shop\/local\/s: /);
      assert.match(notes.join(), reason);
    });
  }
});
