import { statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { browserText, importsOf, isBrowser, modulesOf } from '../../../base/io/script-files.js';
import { packageRoot } from '../../../base/tools/find-tool.js';
import type { Path, Report } from '../../cases/error.js';

/** Our package, as a run links it in every checkout (src/run/generator/link-package.ts). */
const linked = '.bench/benchfolio/';

/**
 * The files that a script imports, and those that they import: they must be there, in checkouts too, and drive no browser.
 * @param script absolute
 * @param where root: of the suite
 * @param path of the script in the spec
 */
export function checkImports(script: string, { root }: { root: string }, path: Path, report: Report) {
  const seen = new Set([script]);
  for (const file of seen) {
    const browser = modulesOf(file).find(isBrowser);
    if (browser) {
      report(
        path,
        `${relative(root, file)} imports ${browser}: ${browserText}`,
        'Measure the requests that the page makes: with k6/http, or from a recording: benchfolio import har.',
      );
    }
    for (const from of importsOf(file)) {
      const target = join(dirname(file), from);
      const ours = /(?:^|\/)(?:node_modules|\.bench)\/benchfolio\/(.*)$/.exec(from)?.[1];
      const found = ours === undefined ? target : join(packageRoot, ours);
      const isThere = statSync(found, { throwIfNoEntry: false })?.isFile() ?? false;
      const right = ours === undefined ? target : join(root, linked, ours);
      if (!isThere || target !== right) {
        const hint = isThere
          ? `Import ${relative(dirname(file), right)}: a run makes this link to the package in every checkout.`
          : 'k6 wants the name of a file, with its ending.';
        report(
          path,
          `${relative(root, file)} imports ${from}, which ${isThere ? 'checkouts do not have' : 'is not there'}`,
          hint,
        );
      } else if (ours === undefined) seen.add(target);
    }
  }
}
