import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../base/errors.js';
import { packageRoot } from '../../base/tools/find-tool.js';
import type { World } from '../../base/world.js';
import { hintText } from '../../suite/nearest.js';

export function register(program: Command, world: World) {
  program
    .command('docs')
    .summary('list the documentation, or print one of its pages')
    .description(
      'list the pages of the documentation, or print one: guides (tutorial, log-in, with-a-database), and the reference (spec, bench, commands, metrics, record). They come with the package: no network is needed',
    )
    .argument('[page]', 'its name, as the list has it')
    .action((page) => {
      world.stdout.write(page === undefined ? listText() : pageText(page));
    });
}

const folder = join(packageRoot, 'site', 'content');

/** Guides that a newcomer reads first; the others follow by name. */
const first = ['tutorial', 'add-a-scenario', 'from-a-k6-script', 'compare-two-branches', 'measure-pull-requests'];

/** A page by the name that it is asked for by; kind: what it is for. */
type Page = { name: string; kind: 'Guides' | 'Reference' | 'Method'; file: string };

const page = (name: string, kind: Page['kind'], path: string): Page => ({ name, kind, file: join(folder, path) });

/** @returns in the order of the list */
function pages(): Page[] {
  const named = (pageFolder: string, kind: Page['kind']) =>
    readdirSync(join(folder, pageFolder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
      .map(({ name }) => page(name.replace(/\.md$/, ''), kind, join(pageFolder, name)));
  const rank = ({ name }: Page) => (first.indexOf(name) + first.length + 1) % (first.length + 1);
  const guides = named('docs', 'Guides').sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  const reference = named('docs/reference', 'Reference').sort((a, b) => a.name.localeCompare(b.name));
  const method = ['method', 'evidence'].map((name) => page(name, 'Method', `${name}.md`));
  return [...guides, ...reference, ...method];
}

function listText(): string {
  const all = pages();
  const width = Math.max(...all.map(({ name }) => name.length));
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const sections = kinds.map((kind) => {
    const lines = all.filter((page) => page.kind === kind);
    return `${kind}\n${lines.map((page) => `  ${page.name.padEnd(width)}  ${titleOf(page)}\n`).join('')}`;
  });
  return `${sections.join('\n')}\nnpx benchfolio docs ${first[0]} prints that page.\n`;
}

const titleOf = ({ file, name }: Page): string => /^title = "(.*)"$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? name;

/**
 * A page as Markdown: without what is meant for the web site and for its tests.
 * @throws {UserError} there is no such page
 */
function pageText(name: string): string {
  const all = pages();
  const pageName = name.replace(/^.*\//, '').replace(/\.(md|html)$/, '');
  const page = all.find((candidate) => candidate.name === pageName);
  if (!page) {
    const hint = hintText({ got: pageName, known: all.map((known) => known.name) });
    throw new UserError(`there is no page "${name}"`, { hint: hint ?? '`npx benchfolio docs` lists them.' });
  }
  const text = readFileSync(page.file, 'utf8')
    .replace(/^\+\+\+\n[\s\S]*?\n\+\+\+\n/, '')
    .replace(/^<!--.*?-->\n/gms, '')
    .replace(/^\{\{<.*>\}\}\n/gm, '');
  return `# ${titleOf(page)}\n\n${text.trim()}\n`;
}
