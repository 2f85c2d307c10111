import { join } from 'node:path';
import { entriesOf, moduleAt, textOf } from './read.js';
import { wordsOf } from './split-command.js';

/** @typedef {import('./detect-node.js').Start} Start */

/**
 * By the `web` of a Procfile, which is told its port in PORT.
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

/**
 * Go: the main package at the root, or the only one under cmd/. The build fills Go's cache: each start then takes no
 * longer than linking does.
 * @param {string} folder
 * @returns {Start | null}
 */
export function goStart(folder) {
  if (textOf(join(folder, 'go.mod')) === null) return null;
  const places = ['.', ...entriesOf(join(folder, 'cmd')).map(({ name }) => `./cmd/${name}`)].filter((place) =>
    isMain(join(folder, place)),
  );
  const [place] = places;
  if (place === undefined || (place !== '.' && places.length > 1)) return null;
  const entry = entriesOf(join(folder, place)).find(({ name }) => name === 'main.go')?.name;
  return {
    argv: ['go', 'run', place],
    entry: entry ? join(folder, place, entry) : null,
    ready_timeout: '2m',
    build: [['go', 'build', '-o', '/dev/null', place]],
    why: `go.mod, and package main in ${place === '.' ? 'this folder' : place}`,
  };
}

/** @param {string} folder */
const isMain = (folder) =>
  entriesOf(folder).some(
    ({ name }) =>
      name.endsWith('.go') && !name.endsWith('_test.go') && /^package main$/m.test(textOf(join(folder, name)) ?? ''),
  );

/**
 * Python: an ASGI application that uvicorn, which is asked for, can serve.
 * @param {string} folder
 * @returns {Start | null}
 */
export function pythonStart(folder) {
  const asked = ['pyproject.toml', 'requirements.txt'].map((name) => textOf(join(folder, name)) ?? '').join('\n');
  if (!/\buvicorn\b|\bfastapi\[/i.test(asked)) return null;
  const uv = textOf(join(folder, 'uv.lock')) === null ? [] : ['uv', 'run'];
  for (const path of ['main.py', 'app.py', 'app/main.py', 'src/main.py']) {
    const entry = join(folder, path);
    const name = /^(\w+)\s*(?::[^=\n]*)?=\s*(?:\w+\.)?(?:FastAPI|Starlette|Litestar|Quart)\(/m.exec(
      textOf(entry) ?? '',
    )?.[1];
    if (name === undefined) continue;
    const app = `${path.replace(/\.py$/, '').replaceAll('/', '.')}:${name}`;
    return {
      argv: [...uv, 'uvicorn', app, '--host', '127.0.0.1', '--port', '${port}'],
      entry,
      build: [],
      why: `${path} has an application for uvicorn`,
    };
  }
  return null;
}

/**
 * The port that an image of the service exposes: a hint, where nothing else says one.
 * @param {string} folder
 * @returns {number | null}
 */
export function exposedPort(folder) {
  const port = Number(/^\s*EXPOSE\s+(\d{2,5})\b/im.exec(textOf(join(folder, 'Dockerfile')) ?? '')?.[1]);
  return port > 0 && port < 65536 ? port : null;
}
