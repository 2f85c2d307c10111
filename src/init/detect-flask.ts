import { join } from 'node:path';
import type { PythonApp } from './detect-django.js';
import { entriesOf, textOf } from './read-repository.js';

/** Where an application of Flask usually is. */
const files = ['wsgi.py', 'app.py', 'main.py', 'server.py', 'application.py', 'src/app.py', 'app/main.py'];

/**
 * Flask: an application of a module, or what makes one in a package. Gunicorn or Waitress serve it if they are asked for, else
 * its own server: what a file says of its port does not count then.
 * @param requirements what its files ask to be installed
 */
export function flaskApp(folder: string, requirements: string): PythonApp | null {
  const packages = entriesOf(folder).filter((entry) => entry.isDirectory() && /^[a-z_]\w*$/i.test(entry.name));
  const places = [...files, ...packages.map(({ name }) => `${name}/__init__.py`)];
  const found = places.flatMap((path) => {
    const text = textOf(join(folder, path)) ?? '';
    const name = /^(\w+)\s*(?::[^=\n]*)?=\s*(?:flask\.)?Flask\(/m.exec(text)?.[1];
    const maker = /\bFlask\(/.test(text) ? /^def\s+((?:create|make)_app)\(/m.exec(text)?.[1] : undefined;
    return name || maker ? [{ path, name, maker }] : [];
  })[0];
  if (found === undefined) return null;
  const { path, name, maker } = found;
  const module = path.replace(/(?:\/__init__)?\.py$/, '').replaceAll('/', '.');
  const entry = join(folder, path);
  const app = name ?? `${maker}()`;
  const why = `${path} has an application of Flask`;
  if (/\bgunicorn\b/i.test(requirements)) {
    return {
      program: 'gunicorn',
      rest: [`${module}:${app}`, '--bind', '127.0.0.1:${port}'],
      entry,
      why: `${why}, for Gunicorn`,
    };
  }
  if (/\bwaitress\b/i.test(requirements)) {
    const called = name === undefined ? ['--call'] : [];
    const rest = ['--listen=127.0.0.1:${port}', ...called, `${module}:${name ?? maker}`];
    return { program: 'waitress-serve', rest, entry, why: `${why}, for Waitress` };
  }
  return { program: 'flask', rest: ['--app', `${module}:${app}`, 'run', '--port', '${port}'], entry, why };
}
