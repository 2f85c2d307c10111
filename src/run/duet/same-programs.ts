import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { listenersAmong } from '../../base/process/port-owner.js';
import { runningFiles } from '../../base/process/running-files.js';
import type { RunningService } from '../services/service.js';
import { filesIn, isFile } from './folder-files.js';
import { isWithin, shared } from './foreign-files.js';

/**
 * What a service runs that somebody built: of each file its path in the side's own folder, or in full where it is not in it,
 * and a digest of what it holds. place: the file itself
 */
export type ServicePrograms = { name: string; files: { path: string; place: string; digest: string }[] };

/** What runs programs, and is the same on both sides by nature. */
const interpreter =
  /^(node|nodejs|deno|bun|python|java|ruby|php|perl|lua|dotnet|beam\.smp|erl|R|julia|sh|bash|dash|zsh|env|npm|npx|yarn|pnpm|make|tini|dumb-init)[\d.]*$/;

/** What comes with the machine. */
const system = /^\/(usr|bin|sbin|lib|lib32|lib64|etc|opt|snap|nix|proc|sys|dev)\//;

/** Built files that an interpreter runs: an archive, a library, a bundle. */
const archive = /\.(jar|war|dll|phar|pyz|beam|exs?|wasm)$/;

/**
 * Lists what the services of a side run that was built: programs, archives and scripts that no commit has. A file that an
 * interpreter reads and closes is seen where it lies beside the script that it was given.
 * @param side top: the folder of its repository; isTracked: is it a file of its commit, or of unknown origin?; path: PATH
 * @returns files: none: it runs sources, or nothing is known of it
 */
export function builtPrograms(
  services: readonly Pick<RunningService, 'name' | 'running'>[],
  { top, isTracked, path = '' }: { top: string; isTracked: (file: string) => boolean; path?: string },
): ServicePrograms[] {
  const tools = new Set(path.split(':'));
  return services.map(({ name, running }) => {
    const all = running.processes();
    // Who answers is the program; what started it, or helps it, is not.
    const answering = listenersAmong(all);
    const files = (answering.length > 0 ? answering : all)
      .flatMap((process) => runningFiles([process]))
      .filter(
        (file) => isFile(file) && !system.test(file) && !isOfTools(file, tools) && !shared.test(relative(top, file)),
      );
    const built = [...new Set(files)].filter((file) => !isTracked(file));
    const isSource = files.some((file) => isScript(file) && isTracked(file));
    return {
      name,
      files: isSource ? [] : built.map((file) => ({ path: placeIn(file, top), place: file, digest: digestOf(file) })),
    };
  });
}

/** @param tools folders of PATH */
const isOfTools = (file: string, tools: Set<string>) => interpreter.test(basename(file)) || tools.has(dirname(file));

const isScript = (file: string) => /\.([cm]?[jt]sx?|py|rb|php|pl|lua|exs?|jl|R)$/.test(file);

const placeIn = (file: string, top: string) => (isWithin(file, top) ? relative(top, file) : file);

/** Of a script the files beside it count, too: it is a part of them. */
function digestOf(file: string): string {
  const folder = dirname(file);
  const files = isScript(file) && !archive.test(file) ? filesIn(folder) : null;
  const hash = createHash('sha256');
  for (const path of files ?? [file]) hash.update(`${relative(folder, path)}\0`).update(contentOf(path));
  return hash.digest('hex');
}

/** the digest of a file as it was last seen */
const digests: Map<string, string> = new Map();

function contentOf(file: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(file);
    const key = `${file}\0${ino}\0${size}\0${mtimeMs}\0${ctimeMs}`;
    const known = digests.get(key);
    if (known !== undefined) return known;
    const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
    digests.set(key, digest);
    return digest;
  } catch {
    return 'gone';
  }
}

/**
 * Finds a service that is the same program on both sides.
 * @returns path: a file that says so; one: both run that very file; null: the programs differ, or are not known
 */
export function sameProgram(
  base: readonly ServicePrograms[],
  head: readonly ServicePrograms[],
): { name: string; path: string; one: boolean } | null {
  for (const { name, files } of head) {
    const others = base.find((service) => service.name === name)?.files ?? [];
    if (files.length === 0 || others.length === 0) continue;
    const digestsOf = (list: ServicePrograms['files']) => [...new Set(list.map(({ digest }) => digest))].sort().join();
    if (digestsOf(files) !== digestsOf(others)) continue;
    const [{ path, place }] = files;
    return { name, path, one: others.some((other) => other.place === place) };
  }
  return null;
}
