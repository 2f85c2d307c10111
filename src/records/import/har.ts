import { existsSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { exitCodes, UserError } from '../../base/errors.js';
import { writeWhole } from '../../base/io/files.js';
import type { World } from '../../base/world.js';
import { countsOf, specText } from './har/har-spec.js';
import { readRecording } from './har/recording.js';
import { asUserError, lookAt } from './read-import.js';

/**
 * Makes a spec of a browser's recording: prints it, or writes it where no file is.
 * @throws {UserError}
 */
export async function importHar(
  suite: { root: string },
  {
    files,
    system,
    write,
    statics = false,
    scenario = 'recorded',
    version,
  }: { files: string[]; system: string; write?: string; statics?: boolean; scenario?: string; version?: string },
  { cwd, stdout, stderr }: World,
): Promise<number> {
  if (files.length > 1) throw new UserError('har takes one file: a recording is one scenario');
  if (version !== undefined) throw new UserError('--version is for records: a recording becomes a spec');
  const target = write === undefined ? null : resolve(cwd, write);
  if (target && existsSync(target)) {
    throw new UserError(`${write} is there already`, {
      hint: 'It is never overwritten: print the spec, and put its scenario there by hand.',
    });
  }
  const given = await lookAt(resolve(cwd, files[0]), 'har');
  const read = recordingOf(given.value, files[0], statics);
  if (read.requests.length === 0) {
    throw new UserError(`${files[0]} has no request that a spec could send: ${countsOf(read.left)}`, {
      hint: statics ? undefined : 'With --statics images, styles and scripts are requests too.',
    });
  }
  const depth = target
    ? relative(dirname(target), resolve(suite.root, 'specs', 'spec.schema.json'))
    : '../spec.schema.json';
  const text = specText(read, { system, scenario, file: basename(files[0]), schema: depth });
  if (!target) stdout.write(text);
  else {
    await writeWhole(target, text);
    stdout.write(
      `Wrote ${write}: ${read.requests.length} requests to ${read.origin}\nSee what it says: benchfolio check ${system}\n`,
    );
  }
  if (Object.keys(read.left).length) stderr.write(`Left out: ${countsOf(read.left)}\n`);
  if (read.headers.length) stderr.write(`Headers left out: ${read.headers.join(', ')}\n`);
  return exitCodes.pass;
}

function recordingOf(value: unknown, file: string, statics: boolean) {
  try {
    return readRecording(value, { statics });
  } catch (error) {
    throw asUserError(error, file);
  }
}
