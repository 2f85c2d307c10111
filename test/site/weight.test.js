import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { executablePath, launch } from '../support/site/browser.js';
import { build, temporarySuite } from '../support/site/build.js';
import { budget, sameWithoutScripts, shiftsOf } from '../support/site/first-view.js';
import { serveFolder } from '../support/site/serve-folder.js';

/** @import { Browser } from 'playwright-core' */

const record = 'versions/v1.2/alpha/single/hello,rate=2000.html';
const pages = ['index.html', 'systems/alpha.html', record];
/** Two versions beside each other are put there by a script: of this page it is asked that it is light and stands still. */
const compare = 'compare.html#base=v1.0&head=v1.1';

describe('the first view of a page', { skip: !executablePath && 'there is no Chromium' }, () => {
  const folder = temporarySuite({ systems: 2, cases: 6, versions: 3 });
  /** @type {Browser} */
  let browser;
  /** @type {Awaited<ReturnType<typeof serveFolder>>[]} */
  let servers;

  before(async () => {
    assert.equal((await build(folder)).code, 0);
    const site = join(folder, 'public');
    servers = [await serveFolder(site, '/some/path/'), await serveFolder(site, '/some/path/', '<main')];
    browser = await launch({ ignoreDefaultArgs: ['--hide-scrollbars'] }); // they take place, as on a desk
  });
  after(async () => {
    await browser?.close();
    for (const server of servers ?? []) server.close();
  });

  /** @param {string} url */
  async function open(url) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 600 } });
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'networkidle' });
    return { page, close: () => context.close() };
  }

  for (const path of [...pages, compare]) {
    it(`${path}: is light, and is asked for in few requests`, async () => {
      const [{ address, sent }] = servers;
      sent.length = 0;
      const { close } = await open(address + path);
      const bytes = sent.reduce((sum, one) => sum + one.bytes, 0);
      assert.ok(sent.some((one) => one.path.endsWith('.css')) && bytes <= budget.bytes, `${bytes} bytes`);
      assert.ok(sent.length <= budget.requests, sent.map((one) => one.path).join(' '));
      await close();
    });

    it(`${path}: stands still, also when its beginning is painted before the rest has come`, async () => {
      for (const { address } of servers) {
        const { page, close } = await open(address + path);
        assert.deepEqual(await shiftsOf(page), []);
        await close();
      }
    });
  }

  for (const path of pages) {
    it(`${path}: is the same without scripts`, () => sameWithoutScripts(browser, servers[0].address + path));
  }

  // Chromium forgives what moves within half a second of a click. It does not forgive it when a chart is pointed at.
  it('stays as it is when a chart becomes live', async () => {
    const { page, close } = await open(servers[0].address + record);
    for (const chart of ['latency-distribution', 'timeline']) {
      const picture = page.locator(`[data-chart="${chart}"] .picture`);
      await picture.hover();
      await picture.locator('div svg').waitFor();
    }
    assert.deepEqual(await shiftsOf(page), []);
    await close();
  });
});
