import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { exitCodes } from '../../base/errors.js';
import { counted } from '../../base/format.js';
import type { World } from '../../base/world.js';
import { type Built, buildSite } from '../../site/build/build-site.js';
import { openInBrowser } from '../../site/serve/open-browser.js';
import { serveSite } from '../../site/serve/serve-site.js';
import { checkSuite } from '../../suite/check/check-suite.js';
import { refuseErrors } from '../../suite/check/load-cases.js';
import { loadSuite } from '../../suite/suite.js';

export type SiteOptions = { serve?: boolean; open?: boolean; baseUrl?: string; keepGoing?: boolean; folder?: string };

export function register(program: Command, world: World) {
  program
    .command('site')
    .summary('build the pages from the kept records and the last run')
    .description('build the pages in public/ from the kept records and the last run')
    .option('--serve', 'serve the pages, and rebuild them when a record, a spec or a template changes')
    .option('--open', 'open the pages in a browser')
    .option('--folder <folder>', 'output folder instead of public/')
    .option('--base-url <url>', 'URL where the pages will be published (default: [site] url of bench.toml)')
    .option('--keep-going', 'exit 0 even if records were left out')
    .action(async (options) => {
      world.exitCode = await site(options, world);
    });
}

/** @returns 0, or 2 when something had to be left out (unless keepGoing) */
export async function site(
  { serve = false, open = false, baseUrl, keepGoing = false, folder }: SiteOptions,
  world: World,
): Promise<number> {
  const suite = loadSuite(world.cwd);
  // Read again each time: bench.toml may have been edited while the pages are served.
  const build = async () => {
    const current = loadSuite(world.cwd);
    refuseErrors(checkSuite(current, []), world.stderr); // of bench.toml; a page leaves out the parts of its spec that are wrong
    const to = folder === undefined ? undefined : resolve(world.cwd, folder);
    return report(await buildSite(current, { url: baseUrl, folder: to }), world);
  };
  const built = await build();
  const page = pathToFileURL(`${built.folder}/index.html`).href;
  if (serve) await serveSite({ suite, folder: built.folder, build, opened: open ? openInBrowser : () => {} }, world);
  else if (open) openInBrowser(page);
  else world.stdout.write(`${page}\n`);
  return built.problems.length && !keepGoing ? exitCodes.usage : exitCodes.pass;
}

/** As many files as these are named each, though one reason has them all left out. */
const few = 3;

/** What was left out: a line a file, or one with a count where one reason holds for many. */
function leftOutLines(problems: readonly { file: string; message: string }[]): string[] {
  /** Reasons that differ in numbers only are one. */
  const reasonOf = ({ message }: { message: string }) => message.replace(/\d+/g, '0');
  const counts = new Map();
  for (const problem of problems) counts.set(reasonOf(problem), (counts.get(reasonOf(problem)) ?? 0) + 1);
  const said = new Set();
  return problems.flatMap((problem) => {
    const [reason, line] = [reasonOf(problem), `${problem.file}: ${problem.message}`];
    if (counts.get(reason) <= few) return line;
    if (said.has(reason)) return [];
    said.add(reason);
    return `${counted(counts.get(reason), 'file')} for one reason, the first is ${line}`;
  });
}

/** Says what was made, and names what was left out. */
function report(built: Built, { cwd, stdout, stderr }: World) {
  const { folder, pages, records, drawn, reused, problems } = built;
  for (const line of leftOutLines(problems)) stderr.write(`left out: ${line}\n`);
  const out = problems.length ? `, ${problems.length} left out` : '';
  stdout.write(
    `${relative(cwd, folder) || folder}: ${counted(pages, 'page')} from ${counted(records, 'record')}, ${counted(
      drawn,
      'chart',
    )} drawn, ${reused} reused${out}\n`,
  );
  return built;
}
