// The pictures of README.md, from a duet of the tutorial's server that is measured now, and of the records of this repository:
//
//   node test/make/pictures.js
//
// The comment is what `benchfolio comment` prints, rendered by Hugo and styled like GitHub's; the duet's page is of the site that
// `benchfolio site` builds there, the first page and a system's of the one that it builds in a clone.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findTool } from '../../dist/base/tools/find-tool.js';
import { readDocument } from '../docs/blocks.js';
import { root } from '../support/cli.js';
import { call, cleanEnv } from '../support/package.js';
import { launch } from '../support/site/browser.js';

const pictures = join(root, '.github', 'pictures');
/** In CSS pixels, which a comment on GitHub has too; legible at half its size. */
const size = { width: 800, height: 600 };
const scale = 1.4;
const mostBytes = 150_000;

/** The shapes and colours of a comment on GitHub. */
const style = `
  body { margin: 0; padding: 16px; font: 14px/1.5 "Noto Sans", "Liberation Sans", Helvetica, Arial, sans-serif; color: #1f2328; }
  body > :first-child { margin-top: 0; }
  h3 { margin: 24px 0 16px; font-size: 1.25em; line-height: 1.25; }
  p, table, ul, details { margin: 0 0 16px; }
  table { border-collapse: collapse; display: block; width: max-content; max-width: 100%; }
  th, td { padding: 6px 10px; border: 1px solid #d1d9e0; }
  tr:nth-child(2n) { background: #f6f8fa; }
  code { padding: .2em .4em; border-radius: 6px; background: #818b981f; font: 85% ui-monospace, "Liberation Mono", monospace; }
  ul { padding-left: 2em; }`;

const scratch = mkdtempSync(join(tmpdir(), 'benchfolio-pictures-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

const shop = join(scratch, 'shop');
measure(shop);
await takePictures({
  comment: commentPage(run(shop, ['comment', '--dry-run']), await findTool('hugo')),
  duet: pageOfDuet(shop),
  ...pagesOf(clone()),
});

/**
 * Does what the tutorial does: a server, a spec, a change that makes the server slower, and a duet of the two.
 * @param {string} folder
 */
function measure(folder) {
  const tutorial = readFileSync(join(root, 'site', 'content', 'docs', 'tutorial.md'), 'utf8');
  const [server, slower] = readDocument(tutorial).blocks.filter(({ marks }) => marks.file === 'server.mjs');
  put(join(folder, 'server.mjs'), server.text);
  const git = (/** @type {string[]} */ ...args) =>
    call(folder, 'git', '-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args);
  git('init', '--quiet', '--initial-branch=main');
  run(folder, ['init', 'shop']);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Benchmarks');
  put(join(folder, 'server.mjs'), slower.text);
  run(folder, ['duet', 'main', '--quick'], 1);
}

/**
 * Runs a command in a process of its own.
 * @param {string} cwd
 * @param {string[]} args
 * @param {number} [expected] exit code
 * @returns {string} what it prints
 * @throws {Error} it ends with another exit code
 */
function run(cwd, args, expected = 0) {
  const options = { cwd, env: cleanEnv, encoding: /** @type {const} */ ('utf8') };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist', 'cli', 'bin.js'), ...args],
    options,
  );
  if (status === expected) return stdout;
  throw new Error(`benchfolio ${args.join(' ')} ended with ${status}, not ${expected}\n${stdout}${stderr}`);
}

/**
 * Renders a comment as GitHub shows it.
 * @param {string} markdown
 * @param {{ path: string }} hugo
 * @returns {string} the address of a page
 */
function commentPage(markdown, { path }) {
  const folder = join(scratch, 'comment');
  put(
    join(folder, 'hugo.toml'),
    'disableKinds = ["taxonomy", "term", "rss", "sitemap"]\nmarkup.goldmark.renderer.unsafe = true\n',
  );
  put(join(folder, 'content', '_index.md'), markdown);
  put(
    join(folder, 'layouts', 'index.html'),
    `<!doctype html><meta charset="utf-8"><style>${style}</style>{{ .Content }}\n`,
  );
  call(folder, path, '--quiet');
  return pathToFileURL(join(folder, 'public', 'index.html')).href;
}

/**
 * @param {string} folder of a suite
 * @returns {string} the address of the page of its only duet
 */
function pageOfDuet(folder) {
  run(folder, ['site']);
  const duets = join(folder, 'public', 'duets');
  const [page] = readdirSync(duets).filter((name) => name.endsWith('.html'));
  return pathToFileURL(join(duets, page)).href;
}

/** A clone of this repository: nothing of it but what is committed. @returns {string} its folder */
function clone() {
  call(scratch, 'git', 'clone', '--quiet', '--depth=1', pathToFileURL(root).href, 'clone');
  return join(scratch, 'clone');
}

/** @param {string} folder of a suite @returns {{ home: string, system: string }} addresses; of a system, that of its first charts */
function pagesOf(folder) {
  run(folder, ['site']);
  const pages = pathToFileURL(join(folder, 'public/'));
  return {
    home: new URL('index.html', pages).href,
    system: new URL('systems/express.html#scenario-hello', pages).href,
  };
}

/**
 * @param {Record<string, string>} addresses of pages, by the names of their pictures
 * @throws {Error} a picture is too large
 */
async function takePictures(addresses) {
  mkdirSync(pictures, { recursive: true });
  const browser = await launch();
  try {
    const context = await browser.newContext({ viewport: size, deviceScaleFactor: scale, colorScheme: 'light' });
    const page = await context.newPage();
    for (const [name, address] of Object.entries(addresses)) {
      const picture = join(pictures, `${name}.png`);
      await page.goto(address);
      await page.screenshot({ path: picture });
      const { size: bytes } = statSync(picture);
      if (bytes > mostBytes) throw new Error(`${picture} has ${bytes} bytes, more than ${mostBytes}`);
      console.log(`${picture}: ${Math.round(bytes / 1000)} kB`);
    }
  } finally {
    await browser.close();
  }
}

/** @param {string} path @param {string} text */
function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
