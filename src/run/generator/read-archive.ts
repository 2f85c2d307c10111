import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Fingerprint } from '../../../reports/schema/types.d.ts';
import { schemaVersion } from '../../../reports/schema/version.js';
import { UserError } from '../../base/errors.js';
import { openTar } from '../../base/io/tar.js';
import type { Case } from '../../suite/cases/expand.js';

/** What case.json holds, as much of it as is read here. */
export type PackedCase = {
  schema: number;
  case: Case;
  definition: string;
  run: { seed: number; fingerprint: Fingerprint };
};

/**
 * A packed case: what `benchfolio archive` makes.
 * text: of the case.json in it; content: the same, parsed
 */
export type Archive = { file: string; sha256: string; text: string; content: PackedCase; benchCase: Case };

const packAgain = 'Pack it again: benchfolio archive';

/**
 * Reads which case an archive holds.
 * @throws {UserError} it cannot be read, is not an archive of ours, or of another version
 */
export async function readArchive(file: string): Promise<Archive> {
  const bad = (why: string, cause: unknown) =>
    new UserError(`${file} cannot be run: ${why}`, { hint: packAgain, cause });
  try {
    const entries = openTar(file);
    const { env = {} } = JSON.parse(String(entries.get('metadata.json')?.content() ?? '{}'));
    const entry = [...entries.values()].find(({ name }) => env.CASE && name === `file${withoutUser(env.CASE)}`);
    if (!entry) throw bad('there is no case.json in it', null);
    const text = String(entry.content());
    const content = JSON.parse(text) as PackedCase;
    if (content.schema !== schemaVersion) {
      throw bad(`it has schema version ${content.schema}, and this Benchfolio reads ${schemaVersion}`, null);
    }
    return { file, sha256: await sha256Of(file), text, content, benchCase: content.case };
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw bad(code === 'ENOENT' ? 'it does not exist' : message, error);
  }
}

/** k6 packs no names of users (lib.NormalizeAndAnonymizePath). */
export const withoutUser = (path: string) =>
  path.replace(/^(\/[a-z])?\/(Users|home|Documents and Settings)\/[^/]+/i, '$1/$2/nobody');

/** @returns hexadecimal */
async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
