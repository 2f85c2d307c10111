// The page of a run under way: what it gets, and what it shows.
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { openLive } from '../../dist/run/live/open-live.js';
import { loadSuite } from '../../dist/suite/suite.js';
import { applied, stateOf, timelineOf } from '../../site/assets/js/live-state.js';
import { executablePath, hostile, launch, openPage, violationsIn } from '../support/site/browser.js';
import { temporarySuite } from '../support/site/build.js';
import { clippedIn } from '../support/site/overflow.js';

/** @import { LiveEvent } from '../../site/assets/js/live-state.js' */
/** @import { LiveFigures } from '../../dist/run/run-context.js' */

/**
 * The n-th second of a load of 100 requests/s, of which one fails.
 * @param {number} n
 * @param {Partial<LiveFigures>} [more]
 */
const second = (n, more = {}) => ({
  type: /** @type {const} */ ('second'),
  seconds: n,
  complete: 100 * n,
  whole: 30,
  left_s: 60 - n,
  live: () => ({
    requests: 100 * n,
    errors: n,
    dropped: 0,
    p50_ms: 1.5,
    p95_ms: 4,
    cores: { app: 0.4, k6: 0.1 },
    ...more,
  }),
});

/** @param {ReturnType<typeof second>} event @returns {LiveEvent} as a page gets it */
const sent = ({ live, ...event }) => ({ ...event, figures: live() });

describe('the state of a run under way', () => {
  const after = (/** @type {LiveEvent[]} */ ...events) => events.reduce(applied, stateOf('Shop'));

  it('has rates of each second, from counts since the load began', () => {
    const { seconds } = after(sent(second(1)), sent(second(2, { requests: 350, errors: 50, dropped: 7 })));
    assert.deepEqual(
      seconds.map(({ t, responses, errors, dropped }) => [t, responses, errors, dropped]),
      [
        [1, 99, 1, 0],
        [2, 201, 49, 7],
      ],
    );
  });

  it('takes iterations where nobody counts requests', () => {
    const { seconds } = after(sent(second(1, { requests: 0, errors: 0 })), sent(second(3, { requests: 0, errors: 0 })));
    assert.deepEqual(
      seconds.map(({ responses }) => responses),
      [100, 100],
    );
  });

  it('begins again with each round, and with each load of a block', () => {
    const round = after(sent(second(1)), { type: 'round', text: 'round 2 of 3' }, sent(second(1)));
    assert.deepEqual([round.seconds.length, round.round, round.last.requests], [1, 'round 2 of 3', 100]);
    assert.equal(after(sent(second(1)), sent(second(2)), sent(second(1))).seconds.length, 1);
    assert.equal(after(sent(second(1)), sent(second(1))).seconds.length, 1);
  });

  it('keeps ten minutes of seconds, and the last notes', () => {
    const many = after(...Array.from({ length: 700 }, (_, n) => sent(second(n + 1))));
    assert.deepEqual([many.seconds.length, many.seconds[0].t], [600, 101]);
    const notes = Array.from({ length: 30 }, (_, n) => ({ type: /** @type {const} */ ('note'), text: `note ${n}` }));
    assert.deepEqual([after(...notes).notes.length, after(...notes).notes.at(-1)], [20, 'note 29']);
  });

  it('is drawn as the timeline of a record: no line of what did not happen', () => {
    const { data, key } = timelineOf(
      after(sent(second(1, { errors: 0 })), sent(second(2, { errors: 0, p95_ms: null }))).seconds,
    );
    assert.deepEqual(
      key.map(({ text }) => text),
      ['p50 latency', 'p95 latency', 'app CPU', 'k6 CPU'],
    );
    assert.deepEqual(
      [data.load.length, data.latency.length, data.cpu.length],
      [2, 3, 4],
      'one line of load, two of latency with a gap, two of CPU',
    );
    assert.deepEqual(
      timelineOf(after(sent(second(1))).seconds).key.map(({ slot }) => slot),
      ['limit', 1, 2, 3, 4],
    );
  });
});

describe('the page of a run under way', () => {
  /** @type {Awaited<ReturnType<typeof openLive>>} */
  let live;
  before(async () => {
    live = await openLive(loadSuite(temporarySuite({ systems: 1, cases: 1, versions: 0, title: hostile })));
  });
  after(() => live.close(0));

  /** @param {string} path @param {Record<string, string>} [headers] @returns {Promise<{ status: number | undefined, text: string }>} */
  const fetched = (path, headers = {}) =>
    new Promise((resolve, reject) => {
      get(new URL(path, live.url), { headers }, (response) => {
        let text = '';
        response.on('data', (part) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode, text }));
      }).on('error', reject);
    });

  it('has its own parts, and nothing else', async () => {
    for (const path of [
      '/',
      '/live/live.js',
      '/assets/css/site.css',
      '/vega.js',
      '/live/vega-interpreter.js',
      '/assets/js/live-state.js',
    ])
      assert.equal((await fetched(path)).status, 200, path);
    for (const path of [
      '/bench.toml',
      '/assets/js/../../../bench.toml',
      '/assets/js/%2e%2e/x.js',
      '/constructor',
      '/assets/js/none.js',
      '/%',
    ])
      assert.equal((await fetched(path)).status, 404, path);
    assert.doesNotMatch((await fetched('/live/vega-interpreter.js')).text, /^import/m);
  });

  it('is not shown to a page of another site that has got itself a name here', async () => {
    assert.equal((await fetched('/', { host: 'evil.example:80' })).status, 403);
    assert.equal((await fetched('/', { host: 'localhost:9999' })).status, 200, 'through a tunnel');
  });

  it('shows what happens to who comes late, as it goes on, and how it ended', {
    skip: !executablePath && 'there is no Chromium',
  }, async () => {
    const browser = await launch();
    try {
      live.watcher({ type: 'begin', cases: ['shop/local/steady', `shop/local/${hostile}`] });
      live.watcher({ type: 'case', index: 0 });
      live.watcher({ type: 'round', text: 'round 1 of 3' });
      for (const n of [1, 2, 3]) live.watcher(second(n));
      for (const { width, colorScheme } of /** @type {const} */ ([
        { width: 360, colorScheme: 'dark' },
        { width: 1280, colorScheme: 'light' },
      ])) {
        const { page, troubles, close } = await openPage(browser, live.url, {
          address: live.url,
          options: { viewport: { width, height: 800 }, colorScheme, bypassCSP: true },
        });
        await page.getByRole('heading', { name: 'shop/local/steady' }).waitFor();
        await page.getByText('round 1 of 3, 3 of 30 s of load, about 57 s left in all').waitFor();
        await page.locator('#figures', { hasText: '99.0 /s' }).waitFor();
        await page.locator('#chart .picture svg path').first().waitFor();
        assert.deepEqual(await violationsIn(page), []);
        assert.deepEqual(await clippedIn(page), [], `at ${width}`);
        assert.deepEqual(troubles, []);
        await close();
      }
      const { page, troubles, close } = await openPage(browser, live.url, { address: live.url });
      await page.locator('#figures', { hasText: '1.50 ms' }).waitFor();
      live.watcher(second(4, { requests: 900 }));
      await page.locator('#figures', { hasText: '599 /s' }).waitFor();
      live.watcher({ type: 'outcome', index: 0, text: 'measured, 3 rounds' });
      live.watcher({ type: 'case', index: 1 });
      await page.locator('#cases', { hasText: 'measured, 3 rounds' }).waitFor();
      live.watcher({ type: 'result', text: `Pass: ${hostile}` });
      await live.close(0);
      await page.getByRole('heading', { name: 'Pass: 2 cases' }).waitFor();
      assert.equal(await page.locator('#result').textContent(), `Pass: ${hostile}`);
      const isEnd = (/** @type {string} */ trouble) => trouble.endsWith('/events failed'); // by the page, or by the server
      assert.deepEqual(
        troubles.filter((trouble) => !isEnd(trouble)),
        [],
      );
      await close();
    } finally {
      await browser.close();
    }
  });
});
