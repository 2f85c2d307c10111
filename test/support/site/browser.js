import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

/** @import { Browser, BrowserContextOptions, LaunchOptions, Page } from 'playwright-core' */

/** Undefined where there is no Chromium: tests that need one are skipped. */
export const executablePath = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync);

/** A name that wants to be markup. */
export const hostile = '<img src=x onerror=alert(1)>"\'</script><script>alert(2)</script>';

/**
 * Chromium without anything of its own on the network.
 * @param {LaunchOptions} [options]
 */
export const launch = ({ args = [], ...options } = {}) =>
  chromium.launch({
    executablePath,
    ...options,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  });

/**
 * Opens a page and listens for whatever should not be.
 * @param {Browser} browser
 * @param {string} url
 * @param {{ address: string, options?: BrowserContextOptions }} where address: of the site;
 *   whatever is asked of another place is a trouble
 */
export async function openPage(browser, url, { address, options = {} }) {
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

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * What axe finds in a page that was opened with bypassCSP, for it to get in.
 * @param {Page} page
 * @returns {Promise<string[]>}
 */
export async function violationsIn(page) {
  await page.addScriptTag({ content: axe });
  const { violations } = /** @type {any} */ (await page.evaluate('axe.run()'));
  return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0].html}`);
}
