import type { Hint, Path, Report } from './error.js';
import { placeholdersOf } from './placeholders.js';
import { randomForms, readRandom } from './random.js';
import type { Rows } from './rows.js';
import type { TomlTable } from './toml.js';

/** What only the driver knows, and fills in for each request. */
export const leftForDriver = (name: string) => /^(row|captured|env|random|ready)\./.test(name);

/**
 * Follows the data through the requests of an iteration: every `${row.x}` has a column, every `${captured.x}` was
 * captured by an earlier request, every `${ready.x}` by a step, and random values are of a known kind.
 */
export function checkFlow(
  requests: TomlTable[],
  { rows, weighted, ready }: { rows: Rows[]; weighted: boolean; ready: readonly string[] },
  path: Path,
  report: Report,
) {
  const captures = requests.map((request) => Object.keys(request.capture ?? {}));
  requests.forEach((request, i) => {
    const before = captures.slice(0, i).filter((_, j) => !weighted || requests[j].once_per_user);
    const captured = before.flat();
    for (const placeholder of placeholdersOf(request, [...path, i])) {
      const [, kind, name] = /^(row|captured|random|ready)\.(.*)$/s.exec(placeholder.name) ?? [];
      const refuse = (message: string, hint: Hint) =>
        report(placeholder.path, message, hint, { part: `\${${placeholder.name}}` });
      if (kind && placeholder.path[path.length + 1] === 'capture') {
        refuse(
          `a capture cannot use \${${placeholder.name}}: it looks for the same in every response`,
          'Capture more than is needed, or send it from a script.',
        );
      } else if (kind === 'random') checkRandom(name, placeholder.path[path.length + 1], refuse);
      else if (kind === 'row') checkRow(name, rows, refuse);
      else if (kind === 'ready' && !ready.includes(name)) {
        refuse(`no step of after_ready captures "${name}"`, { got: name, known: [...ready] });
      } else if (kind === 'captured' && !captured.includes(name))
        refuseCaptured(name, captures.flat(), weighted, refuse);
    }
  });
}

function checkRow(column: string, rows: Rows[], refuse: (message: string, hint: Hint) => void) {
  if (!rows.length) refuse(`there are no rows for \${row.${column}}`, 'Set `rows = { file = "…" }` in the scenario.');
  const known = rows.flatMap(({ columns }) => columns ?? []);
  if (!rows.length || known.includes(column) || rows.some(({ columns }) => !columns)) return;
  refuse(`the rows of ${filesOf(rows)} have no column "${column}"`, { got: column, known });
}

export const filesOf = (rows: { file: string }[]) => rows.map(({ file }) => file).join(' and ');

/** @param key of the request, in which it stands */
function checkRandom(written: string, key: unknown, refuse: (message: string, hint: Hint) => void) {
  const read = readRandom(written);
  if (typeof read === 'string') refuse(read, `There are \${${randomForms.join('}, ${')}}.`);
  else if (key === 'expect') {
    refuse('an expectation cannot be random: the value would be another than the one that was sent', 'Take a row.');
  }
}

function refuseCaptured(name: string, all: string[], weighted: boolean, refuse: (message: string, hint: Hint) => void) {
  if (!all.includes(name)) refuse(`no request captures "${name}"`, { got: name, known: all });
  else if (weighted) {
    refuse(
      `"${name}" is captured by another request, and with weights an iteration sends only one`,
      'Drop the weights, or capture it once per user: `once_per_user = true`.',
    );
  } else refuse(`"${name}" is used before a request captures it`, 'Captured values go to the requests that follow.');
}
