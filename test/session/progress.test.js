// What a run shows while it goes on, at the width of its terminal.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { progressOn } from '../../dist/run/session/progress.js';

/** @param {number} columns */
function terminalOf(columns) {
  let printed = '';
  const stream = { isTTY: true, columns, on() {}, write: (/** @type {string} */ text) => (printed += text) };
  return { progress: progressOn(/** @type {any} */ (stream)), text: () => printed };
}

test('a note is broken between words, at the width of the terminal', () => {
  const { progress, text } = terminalOf(80);
  const note = `the JavaScript player, not the native one, sends the requests of shop/local/steady: it is a script. ${'and more '.repeat(12)}`;
  progress.note(note.trim());
  const lines = text().replaceAll('\r\x1b[K', '').trimEnd().split('\n');
  assert.equal(lines.join(' '), note.trim());
  assert.ok(lines.length > 2 && lines.every(({ length }) => length < 80), lines.join('\n'));
  const indented = terminalOf(40);
  indented.progress.note(`found:\n    ${'and more '.repeat(9).trim()}`);
  assert.match(indented.text(), /found:\n( {4}\S.{1,34}\n){3}$/);
  const long = terminalOf(40);
  long.progress.note(`see ${'x'.repeat(60)} there`);
  assert.match(long.text(), /see\nx{60}\nthere\n$/);
});

test('the time left is never cut off: what stands before it makes room', () => {
  for (const columns of [120, 80, 60, 40]) {
    const { progress, text } = terminalOf(columns);
    const shown = { system: 'shop', environment: 'local', name: 'a-scenario-with-a-long-name', duration_s: 8 };
    progress.begin(/** @type {any} */ ([shown]), 3, 1);
    progress.beginCase(0);
    progress.beginRound(1);
    progress.iterations(196, 2, () => ({ p50_ms: 0.9, p95_ms: 1.11, requests: 196, errors: 0, dropped: 0, cores: {} }));
    const line = /** @type {string} */ (text().split('\r\x1b[K').at(-1));
    assert.match(line, /about \d+ s left$/, `${columns} columns`);
    assert.ok(line.length < columns, line);
  }
});

test('a load that cannot be sent as fast as asked is called saturated while it goes on', () => {
  const { progress, text } = terminalOf(120);
  const shown = { system: 'shop', environment: 'local', name: 'steady', duration_s: 8 };
  progress.begin(/** @type {any} */ ([shown]), 1, 1);
  progress.beginCase(0);
  progress.beginRound(1);
  const said = (/** @type {number} */ dropped) => {
    progress.iterations(10_000, 4, () => ({
      p50_ms: 0.9,
      p95_ms: 1.1,
      requests: 10_000,
      errors: 0,
      dropped,
      cores: {},
    }));
    return text().split('\r\x1b[K').at(-1) ?? '';
  };
  assert.match(said(9), /0 errors, 9 dropped, about/);
  assert.match(said(12), /0 errors, 12 dropped \(saturated\), about/);
});

test('a step that takes long says that it goes on, and where it writes; a short one only that it began', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  try {
    const { progress, text } = terminalOf(120);
    let resolve = (/** @type {string} */ _) => {};
    const promise = new Promise((fulfil) => (resolve = fulfil));
    const done = progress.step('shop/local: building app', `${process.cwd()}/.bench/app.build.log`, () => promise);
    assert.equal(text(), '\r\x1b[Kshop/local: building app\n');
    mock.timers.tick(4999);
    assert.doesNotMatch(text(), /so far/);
    mock.timers.tick(1);
    mock.timers.tick(1000);
    const shown = text().split('\r\x1b[K').slice(2);
    assert.equal(shown.length, 2);
    for (const one of shown) assert.match(one, /^shop\/local: building app: .* so far, log: \.bench\/app\.build\.log$/);
    resolve('built');
    assert.equal(await done, 'built');
    mock.timers.tick(5000);
    assert.ok(text().endsWith('\r\x1b[K'), 'nothing is drawn after its end');
    await assert.rejects(
      progress.step('next', '/log', async () => {
        throw new Error('it failed');
      }),
      /it failed/,
    );
  } finally {
    mock.timers.reset();
  }
});
