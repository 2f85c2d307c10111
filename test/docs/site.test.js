// The documentation as pages: they lead to each other and to nothing else, and are quiet and accessible. They are pages of
// our own site only, so they lie here where a suite has pages of its own.
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../support/cli.js';
import { full } from '../support/full.js';
import { executablePath, launch, openPage, violationsIn } from '../support/site/browser.js';
import { build, temporarySuite } from '../support/site/build.js';
import { looksFor } from '../support/site/looks.js';
import { clippedIn } from '../support/site/overflow.js';
import { serveFolder } from '../support/site/serve-folder.js';
import { documents } from './blocks.js';

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
    /** @type {import('playwright-core').Browser} */
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
