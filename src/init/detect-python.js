import { join } from 'node:path';
import { djangoApp } from './detect-django.js';
import { flaskApp } from './detect-flask.js';
import { listens } from './detect-port.js';
import { textOf } from './read-repository.js';

/** @import { PythonApp } from './detect-django.js' */
/** @import { Start } from './detect-node.js' */

/** Where an application or a script that listens usually is. */
const places = ['main.py', 'app.py', 'server.py', 'app/main.py', 'src/main.py'];

/**
 * Python: Django, an ASGI application that uvicorn, which is asked for, can serve, Flask, or a script that listens. It gets an
 * environment of its own, with what is asked for: in a duet each side has its own.
 * @param {string} folder
 * @returns {Start | null}
 */
export function pythonStart(folder) {
  const { run, ...found } = pythonEnvironment(folder);
  const requirements = ['pyproject.toml', 'requirements.txt']
    .map((name) => textOf(join(folder, name)) ?? '')
    .join('\n');
  const app =
    djangoApp(folder, requirements) ??
    asgiApp(folder, requirements) ??
    flaskApp(folder, requirements) ??
    scriptThatListens(folder);
  if (app === null) return null;
  const { program, rest, migrate, entry, why } = app;
  return {
    ...found,
    sources: /\.py$/,
    argv: [...run(program), ...rest],
    entry,
    why,
    migrate: migrate && [...run('python3'), ...migrate],
  };
}

/**
 * The environment that its programs run in, whatever they are.
 * @param {string} folder
 * @returns {Required<Pick<Start, 'build' | 'ignored' | 'setUp'>> & { run: (program: string) => string[] }} run: how a program
 *   is called there
 */
export function pythonEnvironment(folder) {
  const has = (/** @type {string} */ name) => textOf(join(folder, name)) !== null;
  const { run, build, uv } = environmentOf(has);
  return {
    run,
    build,
    setUp: { uv, python: has('.python-version') ? '.python-version' : '3.x' },
    ignored: build.length ? ['.venv', '__pycache__'] : ['__pycache__'],
  };
}

/** @param {string} folder @param {string} requirements what its files ask to be installed @returns {PythonApp | null} */
function asgiApp(folder, requirements) {
  if (!/\buvicorn\b|\bfastapi\[/i.test(requirements)) return null;
  for (const path of places) {
    const entry = join(folder, path);
    const name = /^(\w+)\s*(?::[^=\n]*)?=\s*(?:\w+\.)?(?:FastAPI|Starlette|Litestar|Quart)\(/m.exec(
      textOf(entry) ?? '',
    )?.[1];
    if (name === undefined) continue;
    const rest = [
      `${path.replace(/\.py$/, '').replaceAll('/', '.')}:${name}`,
      '--host',
      '127.0.0.1',
      '--port',
      '${port}',
    ];
    return { program: 'uvicorn', rest, entry, why: `${path} has an application for uvicorn` };
  }
  return null;
}

/** @param {string} folder @returns {PythonApp | null} */
function scriptThatListens(folder) {
  const path = places.find((file) => listens(textOf(join(folder, file)) ?? ''));
  if (path === undefined) return null;
  return { program: 'python3', rest: [path], entry: join(folder, path), why: `${path} listens` };
}

/**
 * How its programs are called, and what makes them: uv's, a virtual environment with what is asked for, or the machine's.
 * @param {(name: string) => boolean} has whether there is a file
 * @returns {{ run: (program: string) => string[], build: string[][], uv?: string }}
 */
function environmentOf(has) {
  if (has('uv.lock'))
    return { run: (program) => ['uv', 'run', program], build: [['uv', 'sync', '--frozen']], uv: 'uv' };
  const what = has('requirements.txt') ? ['-r', 'requirements.txt'] : has('pyproject.toml') ? ['.'] : null;
  if (what === null) return { run: (program) => [program], build: [] };
  return {
    run: (program) => [`.venv/bin/${program}`],
    build: [
      ['python3', '-m', 'venv', '.venv'],
      ['.venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', ...what],
    ],
  };
}
