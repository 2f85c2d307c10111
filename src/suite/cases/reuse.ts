import type { Path, Report } from './error.js';
import { placeholdersOf } from './placeholders.js';
import type { TomlTable } from './toml.js';

/** A folder that is filled once a run, and copied for each start. */
type Reused = {
  /** in whose container it is; null: on this machine */
  service: string | null;
  /** absolute in a container, in `${run.dir}` on this machine; placeholders not filled */
  path: string;
};

/**
 * Reads the folders that starts share.
 * @param written parameters and swept values are in
 */
export function readReuse(
  written: string[],
  services: readonly { name: string; container: unknown }[],
  path: Path,
  report: Report,
): Reused[] {
  const contained = services.filter(({ container }) => container).map(({ name }) => name);
  if (written.length > 0 && services.length === 0) {
    report(path, 'nothing is started here, so nothing can be reused', undefined, 'key');
  }
  return written.map((text, i) => {
    const at = [...path, i];
    for (const { name } of placeholdersOf(text).filter((placeholder) => /^port(\.|$)/.test(placeholder.name))) {
      report(at, `\${${name}} is another one at each start`, 'Name a folder that stays the same.', {
        part: `\${${name}}`,
      });
    }
    const [, service, inside] = /^([^:/$]+):(\/.*)$/.exec(text) ?? [];
    if (service !== undefined) {
      if (!contained.includes(service)) {
        report(at, `no service "${service}" runs in a container`, { got: service, known: contained });
      } else if (isUnsafe(inside)) {
        report(at, `"${inside}" is not a folder in a container`, 'Write it in full, without "..": "db:/var/lib/data".');
      }
      return { service, path: inside };
    }
    if (!text.startsWith('${run.dir}/') || isUnsafe(text.slice('${run.dir}'.length))) {
      report(
        at,
        `"${text}" cannot be copied for each start`,
        'Write "${run.dir}/<folder>" for a process, or "<service>:/<folder>" for a container.',
      );
    }
    return { service: null, path: text };
  });
}

/**
 * Would all of it be replaced, or something outside?
 * @param path absolute
 */
const isUnsafe = (path: string) =>
  !/^(\/[^/]+)+\/?$/.test(path) || path.split('/').some((part) => part === '..' || part === '.');

/**
 * Steps that are done once need something that keeps what they did, and cannot come after one that is done each time.
 * @param steps as written
 */
export function refuseOnce(steps: TomlTable[], { reuse }: { reuse: readonly Reused[] }, path: Path, report: Report) {
  const each = steps.findIndex(({ once = false }) => !once);
  steps.forEach(({ once = false, name }, i) => {
    if (!once) return;
    if (reuse.length === 0) {
      report(
        [...path, i, 'once'],
        `what "${name}" does is gone at the next start`,
        'Name the folders that keep it: `reuse` of the environment.',
        'key',
      );
    } else if (each >= 0 && each < i) {
      report(
        [...path, i, 'once'],
        `"${name}" is done once, and comes after a step of each start`,
        `Put it before "${steps[each].name}".`,
        'key',
      );
    }
  });
}
