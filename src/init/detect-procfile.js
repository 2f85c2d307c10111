import { join } from 'node:path';
import { moduleAt, textOf } from './read.js';
import { wordsOf } from './split-command.js';

/** @import { Start } from './detect-node.js' */

/**
 * By the `web` of a Procfile, which gets its port in PORT.
 * @param {string} folder
 * @returns {Start | null}
 */
export function procfileStart(folder) {
  const line = /^web:\s*(.+)$/m.exec(textOf(join(folder, 'Procfile')) ?? '')?.[1];
  const words = line === undefined ? null : wordsOf(line.replace(/^exec\s+/, ''));
  if (line === undefined || words === null) return null;
  const path = words.argv.find((argument) => /^[\w./-]+\.(?:[cm]?js|py|go)$/.test(argument));
  const { PORT: _, ...env } = words.env;
  return {
    ...words,
    env: { ...env, PORT: '${port}' },
    entry: path ? moduleAt(join(folder, path)) : null,
    build: [],
    why: `Procfile's web is \`${line}\``,
  };
}
