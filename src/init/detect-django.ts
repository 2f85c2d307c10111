import { join } from 'node:path';
import { textOf } from './read-repository.js';

/** How an application in Python is served. argv: program first, which its environment has; entry: its first source. */
export type PythonApp = { program: string; rest: string[]; entry: string | null; why: string; migrate?: string[] };

/**
 * Django: by Gunicorn if that is asked for, else by its own server, without the process that watches for changes.
 * @param requirements what its files ask to be installed
 */
export function djangoApp(folder: string, requirements: string): PythonApp | null {
  const manage = textOf(join(folder, 'manage.py'));
  const settings = /DJANGO_SETTINGS_MODULE['"]\s*,\s*['"]([\w.]+)['"]/.exec(manage ?? '')?.[1];
  if (settings === undefined) return null;
  const migrate = ['manage.py', 'migrate', '--noinput'];
  const wsgi = places(settings).find((module) => textOf(join(folder, `${module.replaceAll('.', '/')}.py`)) !== null);
  if (wsgi !== undefined && /\bgunicorn\b/i.test(requirements)) {
    const rest = [wsgi, '--bind', '127.0.0.1:${port}'];
    return { program: 'gunicorn', rest, entry: null, migrate, why: `${wsgi} is Django's, for Gunicorn` };
  }
  const rest = ['manage.py', 'runserver', '--noreload', '127.0.0.1:${port}'];
  return { program: 'python3', rest, entry: null, migrate, why: 'manage.py is of Django' };
}

/** Where wsgi.py may be: beside the settings, or beside the folder of several. */
const places = (settings: string) => {
  const above = settings.split('.').slice(0, -1);
  return [above, above.slice(0, -1)].filter((parts) => parts.length > 0).map((parts) => [...parts, 'wsgi'].join('.'));
};
