// The documentation as pages: they lead to each other and to nothing else, and are quiet and accessible. They are pages of
// our own site only, so they lie here where a suite has pages of its own.
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../support/cli.js';
import { full } from '../support/full.js';
import { executablePath, launch, openPage, violationsIn } from '../support/site/browser.js';
import { build, temporarySuite } from '../support/site/build.js';
import { looksFor } from '../support/site/looks.js';
import { clippedIn } from '../support/site/overflow.js';
import { serveFolder } from '../support/site/serve-folder.js';
import { documents } from './blocks.js';

/** @import { Browser } from 'playwright-core' */

const pages = documents()
  .map((path) => /^site\/content\/(docs[./].*|method\.)md$/.exec(path)?.[1].replace(/\.$/, ''))
  .flatMap((path) => path ?? []);

describe('the documentation', () => {
  const folder = temporarySuite({ systems: 1, cases: 1, versions: 1 });
  const fileOf = (/** @type {string} */ path) => join(folder, 'public', path);
  before(async () => {
    for (const name of ['docs', 'docs.md'])
      cpSync(join(root, 'site', 'content', name), join(folder, 'site', 'content', name), { recursive: true });
    const { code, err } = await build(folder);
    assert.deepEqual([code, err], [0, '']);
  });

  it('has a page in the menu, which all of its pages are of', () => {
    assert.match(readFileSync(fileOf('index.html'), 'utf8'), /<a href="(\.\/)?docs\.html">Documentation<\/a>/);
    assert.match(
      readFileSync(fileOf('docs.html'), 'utf8'),
      /<a href="[^"]*docs\.html" aria-current="page">Documentation<\/a>/,
    );
    assert.match(
      readFileSync(fileOf('docs/tutorial.html'), 'utf8'),
      /<a href="\.\.\/docs\.html" aria-current="true">Documentation<\/a>/,
    );
  });

  it('has each page in its list once, and at the side of each, with the page before it and after it', () => {
    const listed = [
      ...readFileSync(join(root, 'site/content/docs.md'), 'utf8').matchAll(/^- \[[^\]]*\]\((.*)\.md\)/gm),
    ].map(([, path]) => path);
    assert.deepEqual([...listed].sort(), pages.filter((path) => path !== 'docs').sort());
    for (const [i, path] of listed.entries()) {
      const text = readFileSync(fileOf(`${path}.html`), 'utf8');
      const list = /<nav class="pages"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '';
      assert.equal([...list.matchAll(/<a href/g)].length, listed.length);
      assert.equal([...list.matchAll(/aria-current="page"/g)].length, 1);
      for (const [rel, other] of /** @type {const} */ ([
        ['prev', listed[i - 1]],
        ['next', listed[i + 1]],
      ])) {
        const [, to] = new RegExp(`<a rel="${rel}" href="([^"]*)"`).exec(text) ?? [];
        assert.equal(to && join(dirname(path), to), other && `${other}.html`, `${rel} of ${path}`);
      }
    }
    assert.doesNotMatch(readFileSync(fileOf('docs.html'), 'utf8'), /class="pages"|class="steps"/);
    assert.doesNotMatch(readFileSync(fileOf('index.html'), 'utf8'), /class="pages"|id="search"/);
  });

  for (const path of pages) {
    it(`leads to pages and parts that are there: ${path}`, () => {
      const text = readFileSync(fileOf(`${path}.html`), 'utf8');
      for (const [, to, part] of text.matchAll(/href="?(?![a-z]+:)([^">#\s]*)(?:#([^">\s]*))?/g)) {
        const file = to === '' ? fileOf(`${path}.html`) : fileOf(join(dirname(path), to));
        assert.ok(existsSync(file), to);
        if (part) assert.match(readFileSync(file, 'utf8'), new RegExp(`id="?${part}["\\s>]`), `${to}#${part}`);
      }
    });
  }

  describe('in Chromium', { skip: !executablePath && 'there is no Chromium' }, () => {
    /** @type {Browser} */
    let browser;
    /** @type {Awaited<ReturnType<typeof serveFolder>>} */
    let server;
    before(async () => {
      browser = await launch();
      server = await serveFolder(join(folder, 'public'), '/some/path/');
    });
    after(async () => {
      await browser?.close();
      server?.close();
    });

    it('is searched while somebody writes, from files too, and says where there is nothing', async () => {
      for (const address of [`${server.address}docs/log-in.html`, pathToFileURL(fileOf('docs/log-in.html')).href]) {
        const { page, troubles, close } = await openPage(browser, address, {
          address: server.address,
          options: { viewport: { width: 360, height: 800 }, bypassCSP: true },
        });
        const input = page.getByRole('searchbox', { name: 'Search the documentation' });
        await input.fill('confidence interval of a duet');
        const first = page.locator('#search li').first();
        await first.waitFor();
        assert.match(String(await first.locator('mark').first().textContent()), /confidence|interval|duet/i);
        if (address.startsWith('http')) assert.deepEqual(await violationsIn(page), []); // it reads the style by XMLHttpRequest
        assert.deepEqual(await clippedIn(page), []);
        await input.fill('preAllocatedVUs');
        await page.locator('#search a', { hasText: 'Keys of a spec' }).first().waitFor();
        await input.fill('zzzzzzzzzz');
        await page.getByText('Nothing about “zzzzzzzzzz”.').waitFor();
        await input.press('Escape');
        await page.locator('#search .found').waitFor({ state: 'hidden' });
        await input.fill('exit codes');
        await page.locator('#search a').first().waitFor();
        await input.press('Enter');
        await page.waitForURL((url) => !url.href.startsWith(address));
        assert.deepEqual(troubles, []);
        await close();
      }
    });

    for (const [n, path] of pages.entries()) {
      it(`is quiet and accessible, narrow and dark or wide and light: ${path}`, async () => {
        for (const { width, colorScheme } of looksFor(n)) {
          const { page, troubles, close } = await openPage(browser, `${server.address}${path}.html`, {
            address: server.address,
            options: { viewport: { width, height: 800 }, colorScheme, bypassCSP: true }, // for axe to get in
          });
          if (full || n % 4 === 0) assert.deepEqual(await violationsIn(page), []);
          assert.equal(await page.locator('main [style]').count(), 0, 'the policy forbids it');
          assert.deepEqual(troubles, []);
          assert.deepEqual(await clippedIn(page), [], `at ${width}`);
          assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width);
          await close();
        }
      });
    }
  });
});
