import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { executablePath, hostile, launch, openPage, violationsIn } from '../support/site/browser.js';
import { build, temporarySuite } from '../support/site/build.js';
import { writeDeclaredSuite } from '../support/site/declared-suite.js';
import { hostileRecord } from '../support/site/hostile-record.js';
import { duetOf, keepDuet } from '../support/site/kept-duets.js';
import { looksFor } from '../support/site/looks.js';
import { clippedIn } from '../support/site/overflow.js';
import { serveFolder } from '../support/site/serve-folder.js';
import { lastRun, writeKept } from '../support/site/synthetic-records.js';

/** @import { Browser, BrowserContextOptions } from 'playwright-core' */

const run = `versions/${lastRun}`;
const fresh = `${run}/alpha/single/hello,rate=2000`;
const pages = [
  'index',
  'changes',
  'compare',
  'method',
  'systems/alpha',
  run,
  `${run}/compared`,
  'versions/v1.1/compared',
  fresh,
  'versions/v1.1/alpha/single/hello,rate=4000',
  'versions/v1.1/alpha/cluster/hello,rate=1000',
  'duets/main-3',
];

describe('the pages in Chromium', { skip: !executablePath && 'there is no Chromium' }, () => {
  const folder = temporarySuite({ systems: 1, cases: 6, versions: 2, title: hostile });
  /** @type {Browser} */
  let browser;
  /** @type {Awaited<ReturnType<typeof serveFolder>>} */
  let server;
  let address = '';

  before(async () => {
    writeDeclaredSuite(folder, { text: hostile });
    writeKept(folder, hostileRecord());
    for (const i of [0, 1, 2]) {
      const worse = { latency_ms_p50: i === 2 ? 1.3 : 1 };
      keepDuet(
        folder,
        `main-${i + 1}`,
        await duetOf(i, [{ system: 'alpha', name: 'hello,rate=1000', worse }], hostile),
      );
    }
    await build(folder, { keepGoing: true });
    browser = await launch();
    server = await serveFolder(join(folder, 'public'), '/some/path/');
    address = server.address;
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });

  /** @param {string} url @param {BrowserContextOptions} [options] */
  const open = (url, options) => openPage(browser, url, { address, options });

  const fileOf = (/** @type {string} */ path) => pathToFileURL(join(folder, 'public', `${path}.html`)).href;

  for (const [n, path] of pages.entries()) {
    it(`${path}: quiet and accessible, narrow and dark or wide and light`, async () => {
      for (const { width, colorScheme } of looksFor(n)) {
        const look = { viewport: { width, height: 800 }, colorScheme, bypassCSP: true }; // for axe to get in
        const { page, troubles, close } = await open(`${address}${path}.html`, look);
        assert.deepEqual(await violationsIn(page), []);
        assert.deepEqual(troubles, []);
        assert.deepEqual(await clippedIn(page), [], `at ${width}`);
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        assert.ok(wide <= width, `${path} is ${wide} wide`);
        await close();
      }
    });
  }

  it('that cut text off would be found', async () => {
    const { page, close } = await open(`${address}index.html`, {
      bypassCSP: true,
      viewport: { width: 360, height: 800 },
    });
    await page.addStyleTag({ content: 'h1 { width: 2em; overflow: hidden; white-space: nowrap }' });
    assert.match((await clippedIn(page)).join('\n'), /^cut off: h1/);
    await page.addStyleTag({ content: 'h1 { width: auto; overflow: visible; margin-left: 300px }' });
    assert.match((await clippedIn(page)).join('\n'), /^beyond the page: h1/);
    await close();
  });

  it('show every chart with scripts off, from files', async () => {
    const { page, troubles, close } = await open(fileOf('systems/alpha'), { javaScriptEnabled: false });
    const pictures = page.locator('.picture[role=img][aria-label]');
    assert.equal(
      await pictures.count(),
      6 + (3 + 2 * 3) + 3 + 2,
      "the system's own, of two environments, one of them over versions, and two over commits",
    );
    for (const picture of await pictures.all()) {
      const box = await picture.locator('svg').boundingBox();
      assert.ok(box && box.width > 300 && box.height > 200);
      assert.ok((await picture.locator('path[stroke^="var(--s"], path[fill^="var(--s"]').count()) > 0, 'it has lines');
    }
    assert.deepEqual(troubles, []);
    await close();
  });

  for (const [where, urlOf] of /** @type {[string, (path: string) => string][]} */ ([
    ['files', fileOf],
    ['a base path', (path) => `${address}${path}.html`],
  ])) {
    it(`make charts live when touched, without a shift, from ${where}`, async () => {
      const { page, troubles, close } = await open(urlOf(fresh));
      assert.equal(await page.evaluate('document.scripts.length'), 5, 'one script and four charts of data');
      const figure = page.locator('[data-chart="latency-distribution"]');
      const [picture, still] = [figure.locator('.picture'), await figure.boundingBox()];
      const strokes = () => picture.locator('path').evaluateAll((all) => all.map((one) => one.getAttribute('stroke')));
      const lines = (await strokes()).filter(Boolean);
      await picture.hover();
      await picture.locator('div svg').waitFor();
      assert.deepEqual(await figure.boundingBox(), still);
      const live = await strokes();
      for (const line of lines) assert.ok(live.includes(line));
      const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (await picture.boundingBox());
      await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
      await page.mouse.move(box.x + box.width * 0.51, box.y + box.height * 0.5);
      const tooltip = figure.locator('.tooltip');
      await tooltip.waitFor();
      const text = await tooltip.innerText();
      const [, percentile, latency] = /percentile\s*([\d.]+)\s*latency, ms\s*([\d.]+)/.exec(text) ?? [];
      assert.equal(Number(latency), latencyAt(Number(percentile)));
      assert.deepEqual(troubles, []);
      await close();
    });
  }

  /** @param {number} p what the record says, with the four digits of a chart */
  function latencyAt(p) {
    const { distribution } = JSON.parse(readFileSync(join(folder, 'public', `${fresh}.json`), 'utf8'));
    return Number(distribution.values[distribution.p.indexOf(p)].toPrecision(4));
  }

  it('take names from specs and records as text', async () => {
    const path = 'versions/v1.1/alpha/cluster/hostile';
    for (const one of ['index', 'systems/alpha', 'versions/v1.1', path]) {
      const { page, troubles, close } = await open(`${address}${one}.html`);
      assert.ok((await page.locator('main').innerText()).includes('<img src=x onerror=alert(1)>'), one);
      assert.equal(await page.locator('main img').count(), 0);
      for (const figure of await page.locator('.chart').all()) {
        await figure.scrollIntoViewIfNeeded();
        await figure.hover();
        await figure.locator('.picture div svg').waitFor();
      }
      assert.deepEqual(troubles, [], one);
      await close();
    }
  });
});
