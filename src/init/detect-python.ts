import { join } from 'node:path';
import { djangoApp, type PythonApp } from './detect-django.js';
import { flaskApp } from './detect-flask.js';
import type { Start } from './detect-node.js';
import { listens } from './detect-port.js';
import { textOf } from './read-repository.js';

/** Where an application or a script that listens usually is. */
const places = ['main.py', 'app.py', 'server.py', 'app/main.py', 'src/main.py'];

/**
 * Python: Django, an ASGI application that uvicorn, which is asked for, can serve, Flask, or a script that listens. It gets an
 * environment of its own, with what is asked for: in a duet each side has its own.
 */
export function pythonStart(folder: string): Start | null {
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
 * @returns run: how a program is called there
 */
export function pythonEnvironment(
  folder: string,
): Required<Pick<Start, 'build' | 'ignored' | 'setUp'>> & { run: (program: string) => string[] } {
  const has = (name: string) => textOf(join(folder, name)) !== null;
  const { run, build, uv } = environmentOf(has);
  return {
    run,
    build,
    setUp: { uv, python: has('.python-version') ? '.python-version' : '3.x' },
    ignored: build.length ? ['.venv', '__pycache__'] : ['__pycache__'],
  };
}

/** @param requirements what its files ask to be installed */
function asgiApp(folder: string, requirements: string): PythonApp | null {
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

function scriptThatListens(folder: string): PythonApp | null {
  const path = places.find((file) => listens(textOf(join(folder, file)) ?? ''));
  if (path === undefined) return null;
  return { program: 'python3', rest: [path], entry: join(folder, path), why: `${path} listens` };
}

/**
 * How its programs are called, and what makes them: uv's, a virtual environment with what is asked for, or the machine's.
 * @param has whether there is a file
 */
function environmentOf(has: (name: string) => boolean): {
  run: (program: string) => string[];
  build: string[][];
  uv?: string;
} {
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
