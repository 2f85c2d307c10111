import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitCodes, UserError } from '../../base/errors.js';
import { makeTemporaryFolder } from '../../base/io/files.js';
import { type ExecError, exec } from '../../base/tools/exec.js';
import { findTool } from '../../base/tools/find-tool.js';
import type { Brand } from '../../suite/brand.js';

/**
 * Hugo 0.165 waits for itself for ever when more pages fail than it cares to list (its errorCollator stops reading), as
 * after a mistake in a template that all pages use. Pages take about 5 ms each.
 * @returns milliseconds
 */
const patience = (pages: number): number => 60_000 + 50 * pages;

/** What Hugo looks for in a site folder; each is mounted by its own name. */
const parts = ['archetypes', 'assets', 'content', 'data', 'i18n', 'layouts', 'static'];

/** How Benchfolio is used: pages of our own site alone. */
const documentation = ['docs.md', 'docs/**'];

/**
 * Makes the pages: site folders, prepared data and drawings become one site.
 * @throws {UserError} code 4, with what Hugo says
 */
export async function runHugo({
  siteFolders,
  ours,
  prepared,
  pictures,
  cache,
  title,
  description,
  brand,
  url,
  destination,
  pages,
}: {
  /** the first shadows the next, ours is the last */
  siteFolders: string[];
  /** whether the suite is the one in this repository */
  ours: boolean;
  /** what layOut wrote */
  prepared: string;
  /** the folder of the drawings */
  pictures: string;
  cache: string;
  title: string;
  description: string;
  brand: Brand;
  /** where the site will be published, for what must be absolute */
  url: string | null;
  destination: string;
  /** how many there will be */
  pages: number;
}) {
  const hugo = await findTool('hugo');
  const own = siteFolders.at(-1) as string;
  const generated = {
    title,
    cacheDir: join(cache, 'hugo'),
    resourceDir: join(cache, 'hugo', 'resources'),
    params: { url, description, brand: await putBrand(prepared, brand) },
    module: { mounts: [...siteMounts(siteFolders, ours), ...preparedMounts(prepared, pictures)] },
  };
  // --config is a list with commas, and the path of a suite may have one: they are put where none is.
  const folder = makeTemporaryFolder();
  const configs = await putConfigs(folder, siteFolders, generated);
  const args = ['--source', own, '--config', configs.join(','), '--destination', destination];
  // A build is short: a heap that may grow saves a sixth of its CPU time, at 130 MB for a thousand records.
  const env = { GOGC: '400', ...process.env };
  try {
    await exec(hugo.path, [...args, '--noBuildLock'], { env, timeout_ms: patience(pages) }).catch((error) => {
      throw new UserError(`Hugo could not make the pages:\n${outputOf(error)}`, {
        code: exitCodes.error,
        cause: error,
        hint: 'public/ is unchanged. Your own templates and pages are in site/.',
      });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Puts the configurations beside each other. Ours first: a suite's own hugo.toml may add menus and parameters, what was
 * generated is above both.
 * @param siteFolders the first shadows the next
 * @returns their files
 */
async function putConfigs(buildFolder: string, siteFolders: string[], generated: object): Promise<string[]> {
  const configs = [...siteFolders]
    .reverse()
    .map((folder) => join(folder, 'hugo.toml'))
    .filter(existsSync);
  const files = configs.map((_, index) => join(buildFolder, `hugo-${index}.toml`));
  await Promise.all(configs.map((from, index) => copyFile(from, files[index])));
  const last = join(buildFolder, 'hugo.json');
  await writeFile(last, JSON.stringify(generated));
  return [...files, last];
}

/** Puts the logo where templates find it; they give it a name with a fingerprint. */
async function putBrand(prepared: string, { logo, links, description }: Brand) {
  if (logo) {
    await mkdir(join(prepared, 'assets', 'brand'), { recursive: true });
    await writeFile(join(prepared, 'assets', 'brand', logo.name), logo.data);
  }
  return { links, lead: description, logo: logo && `brand/${logo.name}` };
}

const siteMounts = (folders: string[], ours: boolean) =>
  folders.flatMap((folder, i) =>
    parts
      .filter((part) => existsSync(join(folder, part)))
      .map((part) => ({
        source: join(folder, part),
        target: part,
        ...(part === 'content' && i === folders.length - 1 && !ours
          ? { files: documentation.map((path) => `! ${path}`) }
          : {}),
      })),
  );

const preparedMounts = (prepared: string, pictures: string) => [
  { source: join(prepared, 'assets'), target: 'assets' },
  { source: pictures, target: 'assets/drawn' },
];

/** What Hugo said went wrong, without what it says when all is well. */
function outputOf({ stdout, stderr, message, late }: ExecError) {
  if (late) return 'it did not end. A mistake in a template that many pages use can make it wait for ever.';
  const lines = `${stdout}\n${stderr}`.split('\n');
  const first = lines.findIndex((line) => line.startsWith('ERROR'));
  return first < 0 ? message : lines.slice(first).join('\n').trim();
}
