import { UserError } from '../base/errors.js';
import { dotnetStart } from './detect-dotnet.js';
import { goStart } from './detect-go.js';
import { javaStart } from './detect-java.js';
import { entryStart, type Start, scriptStart } from './detect-node.js';
import { builtFor, procfileStart } from './detect-procfile.js';
import { pythonStart } from './detect-python.js';
import { rubyStart } from './detect-ruby.js';
import { rustStart } from './detect-rust.js';
import { moduleAt } from './read-repository.js';
import { wordsOf } from './split-command.js';

/**
 * How the service of a folder is started: what is written down as the start overrides what only looks like one.
 * @param top of the repository
 */
export const startIn = (folder: string, top: string): Start | null =>
  scriptStart(folder, top) ?? byProcfile(folder, top) ?? entryStart(folder, top) ?? byLanguage(folder);

const byLanguage = (folder: string): Start | null =>
  goStart(folder) ??
  pythonStart(folder) ??
  javaStart(folder) ??
  dotnetStart(folder) ??
  rustStart(folder) ??
  rubyStart(folder);

/** A Procfile says nothing of the language. */
function byProcfile(folder: string, top: string): Start | null {
  const start = procfileStart(folder);
  return start && { ...start, ...builtFor(start, { folder, top, language: byLanguage(folder) }) };
}

/**
 * By the command line that somebody gave, with the build that was seen.
 * @throws {UserError} it needs a shell
 */
export function startBy(command: string, folder: string, top: string): Start {
  const words = wordsOf(command);
  if (words === null) {
    throw new UserError(`--command is not one program and its arguments: ${command}`, {
      hint: 'No shell reads the commands of a spec. Put more than one program into a script: --command "sh that-script.sh".',
    });
  }
  const file = words.argv.slice(1).find((argument) => !argument.startsWith('-'));
  const entry = file === undefined ? null : moduleAt(`${folder}/${file}`);
  const { argv: _, env: __, build = [], folder: elsewhere, fixed, unsure, ...more } = startIn(folder, top) ?? {};
  return { ...more, ...words, entry, build: elsewhere === undefined ? build : [], why: '' };
}
