import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { definitionOf, filesOf } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';

/**
 * The hash of what is measured: records of different ones are not compared.
 * @param root the suite's folder
 * @returns sha256:…
 * @throws {UserError} a file that the spec names cannot be read
 */
export function definitionHash(benchCase: Case, root: string): string {
  const digests = filesOf(benchCase).map((file) => [file, sha256(contentOf(join(root, benchCase.spec_dir, file)))]);
  return `sha256:${sha256(JSON.stringify(definitionOf(benchCase, Object.fromEntries(digests))))}`;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

function contentOf(file: string) {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new UserError(`cannot read ${file}: ${(cause as Error).message}`, {
      hint: 'A spec names it: see its `rows`, `body` and `script`.',
      cause,
    });
  }
}
