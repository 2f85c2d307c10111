import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { brandOf, linkPattern } from '../../dist/suite/brand.js';
import { checkBench } from '../../dist/suite/check/bench.js';
import { readSchema } from '../../dist/suite/check/schema/validate.js';
import { folderOf, root } from '../support/cli.js';
import { executablePath, launch, openPage } from '../support/site/browser.js';
import { build, built, builtFiles, temporarySuite } from '../support/site/build.js';

const fixture = join(root, 'test/fixtures/themed');

describe('a suite of its own look', () => {
  const folder = temporarySuite({ systems: 1, cases: 2, versions: 2, fresh: false });
  const header = (/** @type {string} */ path) => /<header[\s\S]*<\/header>/.exec(built(folder, path))?.[0] ?? '';
  before(async () => {
    cpSync(fixture, folder, { recursive: true });
    const { code, err } = await build(folder);
    assert.equal(code, 0, err);
  });

  it('has its logo beside the title, under a name that says what is in it', () => {
    const [logo] = builtFiles(folder, '.svg').filter((name) => name.startsWith('brand/'));
    assert.match(logo, /^brand\/logo\.[0-9a-f]{64}\.svg$/);
    assert.ok(
      header('index.html').includes(`<img class="logo" src="./${logo}" alt="" height="24"> Shop &lt;b&gt;&amp;</a>`),
      header('index.html'),
    );
    assert.ok(header('systems/alpha.html').includes(`src="../${logo}"`), header('systems/alpha.html'));
  });

  it('has its links after ours, from wherever they stand', () => {
    const links = (/** @type {string} */ path) =>
      [...header(path).matchAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].map(([, url, title]) => [title, url]);
    assert.deepEqual(links('systems/alpha.html').slice(-4), [
      ['Source &lt;b&gt;&amp;', 'https://example.com/shop?a=1&amp;b=2'],
      ['Write to us', 'mailto:shop@example.com'],
      ['About', '../about.html'],
      ['Beside', '../../docs/'],
    ]);
    assert.deepEqual(links('index.html').slice(-2), [
      ['About', 'about.html'],
      ['Beside', '../docs/'],
    ]);
  });

  it('has its description on the first page, and for those who preview it', () => {
    const home = built(folder, 'index.html');
    assert.match(home, /<p class="lead">How fast the shop is, &#34;&lt;b&gt;&amp;&#34;\.<\/p>/);
    assert.match(home, /<meta name="description" content="How fast the shop is, &#34;&lt;b&gt;&amp;&#34;\.">/);
  });

  it('has its own pages, in the menu where they say so', () => {
    assert.match(
      built(folder, 'about.html'),
      /<h1>About us<\/h1>\s*<p>Who <strong>we<\/strong> are\. <a href="\.\/method\.html">/,
    );
    assert.match(header('systems/alpha.html'), /<a href="\.\.\/about\.html">About us<\/a>/);
    assert.match(header('about.html'), /<a href="\.\/about\.html" aria-current="page">About us<\/a>/);
  });

  it('is dark on light on paper, with its verdicts and without what is there to be clicked', {
    skip: !executablePath && 'there is no Chromium',
  }, async () => {
    const browser = await launch();
    after(() => browser.close());
    const url = pathToFileURL(join(folder, 'public', 'systems', 'alpha.html')).href;
    const { page, close } = await openPage(browser, url, {
      address: 'http://127.0.0.1/',
      options: { colorScheme: 'dark' },
    });
    const colour = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    assert.notEqual(await colour(), 'rgb(255, 255, 255)');
    await page.emulateMedia({ media: 'print' });
    assert.equal(await colour(), 'rgb(255, 255, 255)');
    const isShown = (/** @type {string} */ selector) => page.locator(selector).first().isVisible();
    assert.deepEqual(
      [await isShown('header .title'), await isShown('main .verdict'), await isShown('.picture svg')],
      [true, true, true],
    );
    assert.deepEqual(
      [await isShown('header nav'), await isShown('footer'), await isShown('.chart details')],
      [false, false, false],
    );
    const look = await page
      .locator('main .verdict')
      .first()
      .evaluate((one) => getComputedStyle(one).printColorAdjust);
    assert.equal(look, 'exact');
    await close();
  });

  it('shows another logo on pages that are taken over from the build before', async () => {
    const before = builtFiles(folder, '.svg').filter((name) => name.startsWith('brand/'));
    writeFileSync(join(folder, 'site/logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>');
    await build(folder);
    const [logo, ...more] = builtFiles(folder, '.svg').filter((name) => name.startsWith('brand/'));
    assert.deepEqual(more, []);
    assert.notDeepEqual([logo], before);
    const [record] = builtFiles(folder, '.html').filter((name) => name.startsWith('versions/v1.0/alpha/'));
    assert.ok(header(record).includes(logo));
  });
});

describe('a logo', () => {
  /** @param {string} logo @param {Record<string, string>} files */
  async function problemOf(logo, files) {
    const bench = { site: { logo } };
    const suite = await folderOf({ 'suite/bench.toml': '', ...files });
    return () => brandOf({ root: join(suite, 'suite'), bench, benchText: '' });
  }
  it('that is not there, not of the suite, too large or no picture is named', async () => {
    assert.throws(await problemOf('logo.svg', {}), {
      name: 'UserError',
      message: 'bench.toml: there is no logo logo.svg',
      hint: /folder of bench\.toml/,
    });
    assert.throws(await problemOf('../logo.svg', { 'logo.svg': '<svg/>' }), {
      message: /\.\.\/logo\.svg is not in the suite/,
    });
    assert.throws(await problemOf('logo.svg', { 'suite/logo.svg': `<svg>${' '.repeat(50_000)}</svg>` }), {
      message: /has 50011 bytes, and may have 50000/,
    });
    assert.throws(await problemOf('logo.svg', { 'suite/logo.svg': '<html>' }), { message: /neither SVG nor PNG/ });
    assert.throws(await problemOf('logo.png', { 'suite/logo.png': '<svg/>' }), { message: /neither SVG nor PNG/ });
    assert.throws(await problemOf('logo.jpg', { 'suite/logo.jpg': '<svg/>' }), { message: /neither SVG nor PNG/ });
  });
  it('stops the build before anything is made', async () => {
    const folder = temporarySuite({ systems: 1, cases: 1, versions: 1, fresh: false });
    writeFileSync(join(folder, 'bench.toml'), '[site]\nlogo = "gone.svg"\n');
    await assert.rejects(build(folder), { name: 'UserError', code: 2, message: /there is no logo gone\.svg/ });
  });
});

describe('a link in the header', () => {
  const good = [
    'https://example.com',
    'http://example.com/a?b#c',
    'mailto:a@example.com',
    'about.html',
    '/docs/',
    '../docs/',
    './a',
  ];
  const bad = [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    '//example.com',
    'https://',
    'a b',
    '\\\\host',
    '',
    'file:///etc/passwd',
  ];
  it('leads to an address, a mailbox or a place in the site', () => {
    for (const url of good) assert.match(url, linkPattern);
    for (const url of bad) assert.doesNotMatch(url, linkPattern);
  });
  it('is refused by `check` and by the build alike', () => {
    const { pattern } = readSchema('bench').properties.site.properties.links.items.properties.url;
    for (const url of [...good, ...bad].filter((one) => !one.startsWith('JavaScript'))) {
      assert.equal(new RegExp(pattern, 'u').test(url), linkPattern.test(url), url);
      const bench = { site: { links: [{ title: 'x', url }] } };
      if (bad.includes(url))
        assert.throws(() => brandOf({ root, bench, benchText: '' }), {
          name: 'UserError',
          message: /cannot be a link/,
        });
      const { notes } = checkBench(`[site]\nlinks = [{ title = "x", url = ${JSON.stringify(url)} }]`, [], root);
      assert.equal(notes.problems().length, Number(bad.includes(url)), url);
    }
  });
});
