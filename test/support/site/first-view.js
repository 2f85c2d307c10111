import assert from 'node:assert/strict';

/** @import { Browser, Page } from 'playwright-core' */

/** What a page may cost before anybody touches it, charts included: bytes as compressed. */
export const budget = { bytes: 150_000, requests: 10 };

/** Layout shifts so far: how far things moved, and what moved first. */
const shifts = `new Promise((resolve) => {
  const found = [];
  const nameOf = (node) => (node?.outerHTML ?? node?.textContent)?.slice(0, 80);
  const take = (list) => found.push(...list.map(({ value, sources }) => [value, nameOf(sources[0]?.node)]));
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(found), 200);
})`;

/**
 * What moved since the page began.
 * @param {Page} page
 * @returns {Promise<[number, string | undefined][]>}
 */
export const shiftsOf = (page) => /** @type {any} */ (page.evaluate(shifts));

/**
 * Text and charts of a page, as they are before anybody touches it.
 * @param {Browser} browser
 * @param {string} url
 * @param {boolean} javaScriptEnabled
 */
async function shown(browser, url, javaScriptEnabled) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(url);
  const text = await page.locator('body').innerText();
  const charts = await page.locator('.picture').evaluateAll((all) => all.map((one) => one.innerHTML));
  await context.close();
  return { text, charts };
}

/**
 * Scripts add to a page that is whole without them.
 * @param {Browser} browser
 * @param {string} url
 */
export async function sameWithoutScripts(browser, url) {
  const [without, live] = [await shown(browser, url, false), await shown(browser, url, true)];
  assert.ok(without.text.length > 0);
  assert.deepEqual(live, without, `${url} is another without JavaScript`);
}
