import { join } from 'node:path';
import { goBuildOf } from './detect-go.js';
import { nodeBuild, type Start } from './detect-node.js';
import { pythonEnvironment } from './detect-python.js';
import { moduleAt, textOf } from './read-repository.js';
import { wordsOf } from './split-command.js';

/** By the `web` of a Procfile, which gets its port in PORT. */
export function procfileStart(folder: string): Start | null {
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

const ofNode = /^(?:node|npm|npx|pnpm|yarn|bun)$/;

/** What Python itself brings, and the usual servers: with an environment of their own they are in it. */
const ofPython =
  /^(?:python3?|uvicorn|gunicorn|hypercorn|daphne|granian|waitress-serve|uwsgi|flask|fastapi|litestar|sanic|streamlit|django-admin)$/;

/**
 * What must be built for the command of a Procfile, which only says how it is started: by the language of its program, else
 * by that of its folder. In a duet each side is a fresh checkout.
 * @param start by the Procfile
 * @param where language: how the folder would start without it
 */
export function builtFor(
  { argv, env }: Start,
  { folder, top, language }: { folder: string; top: string; language: Start | null },
): Partial<Start> {
  const [program, ...rest] = argv;
  const node = () => ({ build: nodeBuild(folder, top, env?.NODE_ENV !== undefined) });
  if (ofNode.test(program)) return node();
  const { run, ...python } = pythonEnvironment(folder);
  if (ofPython.test(program)) return { ...python, argv: [...run(program), ...rest] };
  if (textOf(join(folder, 'go.mod')) !== null) {
    const built = program.includes('/') ? goBuildOf(folder, program) : null;
    return built ?? { setUp: { go: 'go.mod' } };
  }
  if (language === null) return python.build.length > 0 ? python : node();
  const { build, ignored, setUp } = language;
  return { build, ignored, setUp };
}
