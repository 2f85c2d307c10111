import assert from 'node:assert/strict';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { build, temporarySuite } from './site/build.js';
import { fullRecord, writeDeclaredSuite } from './site/declared-suite.js';
import { recordsOf, writeKept } from './site/synthetic-records.js';

const hostile = '<img src=x onerror=alert(1)>"\'</script><script>alert(2)</script>';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const types = { html: 'text/html', css: 'text/css', js: 'text/javascript', json: 'application/json', csv: 'text/csv' };

const run = 'versions/20260301T101500Z-4711';
const fresh = `${run}/alpha/single/hello,rate=2000`;
const pages = ['index', 'changes', 'method', 'systems/alpha', run, `${run}/compared`, 'versions/v1.1/compared', fresh, 'versions/v1.1/alpha/single/hello,rate=4000',
  'versions/v1.1/alpha/cluster/hello,rate=1000'];

describe('the pages in Chromium', { skip: !executablePath && 'there is no Chromium' }, () => {
  const folder = temporarySuite({ systems: 1, cases: 6, versions: 2, title: hostile });
  /** @type {import('playwright-core').Browser} */
  let browser;
  /** @type {import('node:http').Server} */
  let server;
  let address = '';

  before(async () => {
    writeDeclaredSuite(folder, { text: hostile });
    writeKept(folder, hostileRecord());
    await build(folder, { keepGoing: true });
    browser = await chromium.launch({ executablePath, args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
    ] });
    server = serveUnder('/some/path/', join(folder, 'public'));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
    address = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/some/path/`;
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });

  /**
   * Opens a page and listens for whatever should not be.
   * @param {string} url
   * @param {import('playwright-core').BrowserContextOptions} [options]
   */
  async function open(url, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    /** @type {string[]} */
    const troubles = [];
    const trouble = (/** @type {unknown} */ isOne, /** @type {string} */ text) => void (isOne && troubles.push(text));
    page.on('console', (message) => trouble(message.type() === 'error', message.text()));
    page.on('pageerror', (error) => trouble(true, error.message));
    page.on('dialog', (dialog) => {
      trouble(true, `dialog ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on('requestfailed', (request) => trouble(true, `${request.url()} failed`));
    page.on('response', (response) => trouble(response.status() >= 400, `${response.url()} ${response.status()}`));
    const ours = new RegExp(`^(file:|data:|${new URL(address).origin}/)`);
    page.on('request', (request) => trouble(!ours.test(request.url()), `asks ${request.url()}`));
    await page.goto(url);
    return { page, troubles, close: () => context.close() };
  }

  const fileOf = (/** @type {string} */ path) => pathToFileURL(join(folder, 'public', `${path}.html`)).href;

  for (const path of pages) {
    it(`${path}: quiet and accessible at both widths and in both colours`, async () => {
      for (const [width, colorScheme] of /** @type {const} */ ([[360, 'dark'], [1280, 'light']])) {
        const look = { viewport: { width, height: 800 }, colorScheme, bypassCSP: true }; // for axe to get in
        const { page, troubles, close } = await open(`${address}${path}.html`, look);
        await page.addScriptTag({ content: axe });
        const { violations } = await page.evaluate('axe.run()');
        assert.deepEqual(violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0].html}`), []);
        assert.deepEqual(troubles, []);
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        assert.ok(wide <= width, `${path} is ${wide} wide`);
        await close();
      }
    });
  }

  it('show every chart with scripts off, from files', async () => {
    const { page, troubles, close } = await open(fileOf('systems/alpha'), { javaScriptEnabled: false });
    const pictures = page.locator('.picture[role=img][aria-label]');
    assert.equal(await pictures.count(), 6 + (3 + 2 * 3) + 3, 'the system\'s own, of two environments, one of them over versions');
    for (const picture of await pictures.all()) {
      const box = await picture.locator('svg').boundingBox();
      assert.ok(box && box.width > 300 && box.height > 200);
      assert.ok(await picture.locator('path[stroke^="var(--s"], path[fill^="var(--s"]').count() > 0, 'it has lines');
    }
    assert.deepEqual(troubles, []);
    await close();
  });

  for (const [where, urlOf] of /** @type {[string, (path: string) => string][]} */ ([
    ['files', fileOf], ['a base path', (path) => `${address}${path}.html`]])) {
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

/** A record that has markup wherever a record has text. */
function hostileRecord() {
  const [, , , record] = recordsOf(['alpha'], 4, 'v1.1', 1);
  const [metrics] = Object.values(record.requests);
  const [service] = Object.values(record.services);
  const { services, ...timeline } = record.timeline;
  const full = fullRecord(record, hostile);
  return {
    ...full, case: 'hostile', title: hostile, values: { rate: 9000, mode: hostile },
    command: hostile, commit: hostile, profile: hostile, definition: hostile,
    fingerprint: { ...record.fingerprint, cpu_model: hostile, os: hostile },
    requests: { [hostile]: metrics, other: metrics }, services: { [hostile]: service },
    timeline: {
      ...timeline, faults: [[10, 12]], services: { [hostile]: services.app },
      requests: { [hostile]: { requests_rps: timeline.t }, other: { requests_rps: timeline.t } },
    },
    groups: { [hostile]: full.groups['list view'] },
    thresholds: [{ ...record.thresholds[0], metric: hostile, selector: { name: hostile }, expr: hostile, reason: hostile }],
    findings: [{ id: 'saturated', level: 'warn', text: hostile, metrics: [] }],
  };
}

/**
 * The pages as a project's pages are: under a path, nothing at the root.
 * @param {string} base
 * @param {string} folder
 */
function serveUnder(base, folder) {
  return createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').split('?')[0];
    const file = join(folder, path.slice(base.length));
    const isThere = path.startsWith(base) && statSync(file, { throwIfNoEntry: false })?.isFile();
    if (!isThere) return void response.writeHead(404).end();
    const ending = /** @type {keyof types} */ (file.split('.').at(-1));
    response.writeHead(200, { 'content-type': types[ending] ?? 'text/plain' });
    createReadStream(file).pipe(response);
  });
}
