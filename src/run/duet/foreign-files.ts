import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { runningFiles } from '../../base/process/running-files.js';
import { gitIn } from '../../base/tools/git.js';
import type { RunningService } from '../services/service.js';

/**
 * Folders whose files a base that is a commit must not run: head's, and the working tree.
 * @param roots of suites
 * @returns the repositories that they are in
 */
export async function repositoriesOf(roots: readonly string[]): Promise<string[]> {
  const tops = roots.map((root) =>
    gitIn(root)(['rev-parse', '--show-toplevel']).then(
      (text) => String(text).trim(),
      () => root,
    ),
  );
  return [...new Set(await Promise.all(tops))].map((folder) => realpathSync(folder));
}

/** What is not a side's code: programs that both use, and what we write. */
export const shared = /(^|\/)(node_modules|\.bench|\.git)(\/|$)/;

/**
 * Finds a service of base that runs a file of head, or mounts one into its container: by an absolute path, both sides would run
 * the same.
 * @param services of base
 * @param folders own: base's suite; others: where head's files are
 * @returns which, and what: "service app runs /shop/server.js"
 */
export function foreignFile(
  services: readonly Pick<RunningService, 'name' | 'running'>[],
  { own, others }: { own: string; others: readonly string[] },
): string | null {
  for (const { name, running } of services) {
    const mounts = 'container' in running ? running.container.mounts : [];
    for (const file of [...mounts, ...runningFiles(running.processes())]) {
      const within = others.filter((folder) => isWithin(file, folder)).map((folder) => relative(folder, file));
      if (within.length === 0 || isWithin(file, own) || within.some((path) => shared.test(path))) continue;
      return `service ${name} runs ${file}`;
    }
  }
  return null;
}

export const isWithin = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`);
