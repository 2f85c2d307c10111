import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { formatAs, formatChange, formatPoints, inColumn, printOf } from '../../dist/base/format.js';
import { executablePath, hostile, launch, openPage, violationsIn } from '../support/site/browser.js';
import { build, built, temporarySuite } from '../support/site/build.js';
import { hostileRecord } from '../support/site/hostile-record.js';
import { looksFor } from '../support/site/looks.js';
import { clippedIn } from '../support/site/overflow.js';
import { serveFolder } from '../support/site/serve-folder.js';
import { lastRun, writeKept } from '../support/site/synthetic-records.js';
import { until } from '../support/until.js';

/** @import { Browser, BrowserContextOptions, Page } from 'playwright-core' */

const one = 'alpha/single/hello,rate=2000';
const saturated = 'alpha/single/hello,rate=4000';
const odd = 'v1.1/alpha/cluster/hostile';

describe('any two beside each other, in Chromium', { skip: !executablePath && 'there is no Chromium' }, () => {
  const folder = temporarySuite({ systems: 1, cases: 6, versions: 3, title: hostile });
  /** @type {Browser} */
  let browser;
  /** @type {Awaited<ReturnType<typeof serveFolder>>} */
  let server;

  before(async () => {
    writeKept(folder, hostileRecord());
    assert.equal((await build(folder)).code, 0);
    browser = await launch();
    server = await serveFolder(join(folder, 'public'), '/some/path/');
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });

  /** @param {string} hash @param {BrowserContextOptions} [options] */
  const open = async (hash, options) => {
    const opened = await openPage(browser, `${server.address}compare.html${hash}`, {
      address: server.address,
      options,
    });
    const { page } = opened;
    return {
      ...opened,
      status: page.getByRole('status'),
      said: (/** @type {RegExp} */ text) => page.getByRole('status').filter({ hasText: text }).waitFor(),
    };
  };
  const record = (/** @type {string} */ name) => JSON.parse(built(folder, `versions/${name}.json`));
  const hashOf = (/** @type {Page} */ page) => new URL(page.url()).hash;

  it('two versions: every case that either has, and its numbers', async () => {
    const { page, said, troubles, close } = await open('#base=v1.1&head=v1.2');
    await said(/^v1\.2 beside v1\.1: 6 cases in both, all comparable; 1 case only in v1\.1\.$/);
    const row = page.locator(`tr[data-case="${one}"]`);
    const [base, head] = [record(`v1.1/${one}`), record(`v1.2/${one}`)].map(
      ({ metrics }) => metrics.throughput_rps.value,
    );
    const cell = row.locator('td').first();
    assert.equal(await cell.locator('.change').innerText(), formatChange(head / base));
    const links = await cell
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.getAttribute('title')?.split(' ')[0]]));
    assert.deepEqual(links, [
      [`versions/v1.1/${one}.html#throughput_rps`, String(base)],
      [`versions/v1.2/${one}.html#throughput_rps`, String(head)],
    ]);
    const text = await cell.getByRole('link').allInnerTexts();
    assert.deepEqual(
      text.map((number) => Number(number.replace(',', ''))),
      [base, head].map(Math.round),
    );
    const full = page.locator(`tr[data-case="${saturated}"]`);
    assert.equal(await full.locator('.sign').first().getAttribute('title'), 'does not count: saturated');
    assert.equal(await page.locator('tr', { hasText: 'hostile' }).locator('.tag').innerText(), 'only in v1.1');
    assert.equal(await page.locator('#judge ~ pre').innerText(), 'npx benchfolio compare v1.1 v1.2');
    const ready = page.getByRole('link', { name: 'v1.2 against v1.1' });
    assert.match(built(folder, String(await ready.getAttribute('href'))), /against v1\.1/);
    await row.getByRole('link').first().click();
    await said(/^Comparable: the same definition, machine and k6\.$/);
    assert.equal(hashOf(page), `#base=v1.1/${one}&head=v1.2/${one}`);
    assert.deepEqual(troubles, []);
    await close();
  });

  it('two versions that are not comparable', async () => {
    const { page, said, close } = await open(`#base=v1.0&head=${lastRun}`);
    await said(/6 cases in both, none comparable \(another definition\)\.$/);
    assert.equal(await page.locator('.tag', { hasText: 'another definition' }).count(), 6);
    await close();
  });

  it('two records: all metrics, thresholds, what differs, and a chart of both', async () => {
    const names = [`v1.2/${one}`, `${lastRun}/${one}`];
    const { page, said, troubles, close } = await open(`#base=${names[0]}&head=${names[1]}`);
    await said(/^Comparable/);
    const [base, head] = names.map(record);
    const rows = page.locator('#metrics ~ .groups tr[data-metric]');
    const shown = await rows.evaluateAll((all) =>
      all.map((row) => [
        /** @type {HTMLElement} */ (row).dataset.metric ?? '',
        ...[...row.querySelectorAll('td')].map((cell) => cell.querySelector('a')?.textContent ?? cell.textContent),
        row.querySelector('th small')?.textContent?.trim() ?? '',
      ]),
    );
    assert.deepEqual(shown.map(([name]) => name).sort(), Object.keys(head.metrics).sort());
    let bytes = 0;
    for (const [name, before, now, change, unit] of shown) {
      const [a, b] = [base, head].map(({ metrics }) => metrics[name]);
      const print = inColumn(printOf(a.unit, [a.value, b.value]), [a.value, b.value]);
      assert.deepEqual(
        [before, now],
        [a, b].map(({ value }) => formatAs(value, print)),
        name,
      );
      // As a reader puts them together: the number, and the unit of its row.
      const size = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9 }[unit.replace('/s', '')];
      if (a.unit.startsWith('bytes')) {
        for (const [text, { value }] of /** @type {const} */ ([
          [before, a],
          [now, b],
        ]))
          assert.ok(
            Math.abs(Number(text.replaceAll(',', '')) * Number(size) - value) <= 0.01 * value,
            `${name}: ${text} ${unit}, ${value}`,
          );
        bytes += 1;
      }
      const wanted = a.unit === 'ratio' ? formatPoints(b.value - a.value) : formatChange(b.value / a.value);
      assert.equal(change, wanted, name);
    }
    assert.ok(bytes > 2);
    const thresholds = page.locator('.thresholds tbody tr');
    assert.equal(await thresholds.count(), head.thresholds.length);
    assert.match(await thresholds.first().innerText(), /p\(95\)<50[\s\S]*✓ met[\s\S]*✓ met/);
    assert.match(await page.locator('.differs').innerText(), /version\s+v1\.2\s+2026/);
    assert.match(await page.locator('#differs ~ .facts').innerText(), /cpu model Synthetic CPU/);
    const strokes = page.locator('.chart .picture svg path[stroke^="var(--"]');
    await strokes.first().waitFor();
    const colours = await strokes.evaluateAll((all) => all.map((line) => line.getAttribute('stroke')));
    assert.deepEqual(
      ['var(--s1)', 'var(--base)'].filter((colour) => !colours.includes(colour)),
      [],
    );
    assert.match(
      await page.locator('#judge ~ pre').innerText(),
      /^npx benchfolio compare reports\/versions\/v1\.2\/\S+2000\.json \.bench\/runs\/\S+2000\/record\.json$/,
    );
    assert.deepEqual(troubles, []);
    await close();
  });

  it('records of different cases, one of them with numbers that do not count', async () => {
    const { page, said, close } = await open(`#base=v1.2/${saturated}&head=v1.2/alpha/single/cpu-time,cpuTime=0`);
    await said(/^Two different cases, on comparable machines/);
    const row = page.locator('#metrics ~ .groups tr[data-metric=latency_ms_p95]');
    assert.match(await row.innerText(), /⊘[\s\S]*saturated[\s\S]*–$/);
    assert.match(await page.locator('.chart .note').innerText(), /^⊘ These do not count: base \(saturated\)\.$/);
    await close();
  });

  it('is chosen by keyboard alone; the address says it, opens it again, and leads back', async () => {
    const { page, said, troubles, close } = await open('');
    await said(/^Choose a base and a head\.$/);
    const focused = () =>
      page.evaluate('document.activeElement.closest("fieldset")?.dataset.side + " " + document.activeElement.name');
    const reach = async (/** @type {string} */ place) => {
      for (let i = 0; i < 20 && (await focused()) !== place; i++) await page.keyboard.press('Tab');
      assert.equal(await focused(), place);
    };
    // By arrows and not by letters: those that come more than a second apart each begin another word.
    const choose = async (/** @type {string} */ place, /** @type {string} */ wanted) => {
      await reach(place);
      const chosen = () => page.evaluate('document.activeElement.value');
      for (let i = 0; i < 20 && (await chosen()) !== wanted; i++) await page.keyboard.press('ArrowDown');
      assert.equal(await chosen(), wanted);
    };
    await choose('base version', 'v1.1');
    await said(/^Choose a head as well\.$/);
    await choose('head version', 'v1.2');
    await said(/^v1\.2 beside v1\.1/);
    await choose('head case', one);
    // Each arrow chooses, and the first ones another case: what is meant is shown when the title says so.
    // (Not by waitForFunction, which the page's policy refuses where it has to look twice.)
    const isShown = async () => /^v1\.2\S+2000 beside v1\.1/.test(await page.title());
    await until(isShown, () => 'the title never says what was chosen');
    await said(/^Comparable/);
    const link = `#base=v1.1/${one}&head=v1.2/${one}`;
    assert.equal(hashOf(page), link, 'base follows to the same case');
    await page.goBack();
    await said(/^v1\.2 beside v1\.1/);
    assert.equal(await page.getByLabel('case').first().inputValue(), '');
    await page.goForward();
    await said(/^Comparable/);
    await page.getByRole('button', { name: 'Swap' }).press('Enter');
    await page.waitForURL(/base=v1\.2/);
    assert.equal(hashOf(page), `#base=v1.2/${one}&head=v1.1/${one}`);
    await page.getByRole('link', { name: 'Skip to the content' }).press('Enter');
    assert.equal(await page.locator('.chart').count(), 1, 'a place in the page is no choice');
    assert.deepEqual(troubles, []);
    const again = await open(link);
    await again.said(/^Comparable/);
    const values = await again.page
      .locator('select')
      .evaluateAll((all) => all.map((list) => /** @type {HTMLSelectElement} */ (list).value));
    assert.deepEqual(values, ['v1.1', one, 'v1.2', one]);
    await again.close();
    await close();
  });

  for (const [hash, sentence] of /** @type {[string, RegExp][]} */ ([
    ['#base=v1.0&head=v9', /^There is no version v9 here\.$/],
    [`#base=v1.0/alpha/single/gone&head=v1.1/${one}`, /^There is no record v1\.0\/alpha\/single\/gone here\.$/],
    [
      `#base=v1.0&head=v1.1/${one}`,
      /^v1\.0 is a version, v1\.1\S+ a record: choose a case for both, or for neither\.$/,
    ],
    ['#base=v1.1', /^Choose a head as well\.$/],
    [
      '#base=constructor&head=__proto__',
      /^There is no version constructor here\. There is no version __proto__ here\.$/,
    ],
    [
      `#base=%E0%A4%A&head=${encodeURIComponent(hostile)}`,
      /^There is no version %E0%A4%A here\. There is no record <img src=x onerror=alert\(1\)>/,
    ],
  ])) {
    it(`${hash.slice(0, 40)} is answered plainly`, async () => {
      const { page, said, troubles, close } = await open(hash);
      await said(sentence);
      assert.equal(await page.locator('.outcome > *').count(), 0);
      assert.equal(await page.locator('#judge ~ pre').innerText(), 'npx benchfolio compare BASE HEAD');
      assert.deepEqual(troubles, []);
      await close();
    });
  }

  it('takes names from specs and records as text', async () => {
    for (const hash of ['#base=v1.1&head=v1.2', `#base=${odd}&head=v1.2/${one}`, `#base=v1.2/${one}&head=${odd}`]) {
      const { page, said, troubles, close } = await open(hash);
      await said(/v1\.2 beside|Two different cases/);
      assert.ok((await page.locator('main').innerText()).includes('<img src=x onerror=alert(1)>'), hash);
      if (hash.includes(odd)) await page.locator('.picture div svg').waitFor();
      assert.equal(await page.locator('main img').count(), 0);
      assert.deepEqual(troubles, [], hash);
      await close();
    }
  });

  it('is accessible, narrow and dark or wide and light', async () => {
    const hashes = ['', '#base=v1.0&head=v1.1', `#base=v1.0/${saturated}&head=${odd}`];
    for (const [n, hash] of hashes.entries()) {
      const { page, status, troubles, close } = await open(hash, { bypassCSP: true });
      await status.filter({ hasText: /\./ }).waitFor();
      if (hash.includes(odd)) await page.locator('.picture div svg').waitFor();
      for (const { width, colorScheme } of looksFor(n)) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await violationsIn(page), [], `${hash} ${width} ${colorScheme}`);
        assert.deepEqual(await clippedIn(page), [], `${hash} at ${width}`);
        const wide = Number(await page.evaluate('document.documentElement.scrollWidth'));
        assert.ok(wide <= width, `${hash} is ${wide} wide`);
      }
      assert.deepEqual(troubles, []);
      await close();
    }
  });

  it('says what it needs with scripts off, and from files', async () => {
    const file = pathToFileURL(join(folder, 'public', 'compare.html')).href;
    for (const [url, options] of /** @type {[string, { javaScriptEnabled: boolean }][]} */ ([
      [`${server.address}compare.html`, { javaScriptEnabled: false }],
      [`${file}#base=v1.0&head=v1.1`, { javaScriptEnabled: true }],
    ])) {
      const { page, troubles, close } = await openPage(browser, url, { address: server.address, options });
      const main = page.locator('main');
      assert.match(
        await main.innerText(),
        /This page needs JavaScript and a web server[\s\S]*benchfolio compare BASE HEAD/,
      );
      assert.match(String(await main.getByRole('link', { name: 'Changes' }).getAttribute('href')), /changes\.html$/);
      assert.equal(await page.locator('select:visible').count(), 0);
      assert.deepEqual(troubles, []);
      await close();
    }
  });

  it('says so when the numbers cannot be fetched', async () => {
    const { page, said, close } = await open('');
    await said(/^Choose/);
    await page.route('**/versions/*.json', (route) => route.fulfill({ status: 503 }));
    await page.goto(`${server.address}compare.html#base=v1.1&head=v1.2`);
    await said(/^versions\/v1\.[12]\.json cannot be fetched: 503\.$/);
    await page.route('**/js/charts.*', (route) => route.abort());
    await page.goto(`${server.address}compare.html#base=v1.1/${one}&head=v1.2/${one}`);
    await page.locator('.chart .note', { hasText: 'The script that draws charts cannot be fetched.' }).waitFor();
    assert.equal(await page.locator('.chart details').getAttribute('open'), '');
    await close();
  });

  it('is where every record and version leads to, with what came before it', () => {
    const link = (/** @type {string} */ page) =>
      /href="[./]*compare\.html(#[^"]*)"/
        .exec(built(folder, page))?.[1]
        .replaceAll('&amp;', '&')
        .replaceAll('&#43;', '+');
    assert.equal(link(`versions/v1.2/${one}.html`), `#base=v1.1/${one}&head=v1.2/${one}`);
    assert.equal(link(`versions/v1.1/${one}.html`), `#head=v1.1/${one}`, 'the one before has another definition');
    assert.equal(link('versions/v1.2.html'), '#base=v1.1&head=v1.2');
    assert.equal(link('versions/v1.0.html'), '#head=v1.0');
  });

  it('is a page that does not grow with the records', () => {
    assert.ok(statSync(join(folder, 'public', 'compare.html')).size < 12_000);
    assert.ok(!built(folder, 'compare.html').includes(one));
  });
});
