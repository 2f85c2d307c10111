import { placeholdersOf } from './placeholders.js';
import { randomForms, readRandom } from './random.js';

/** @import { Hint, Path, Report } from './error.js' */
/** @import { Rows } from './rows.js' */
/** @import { TomlTable } from './toml.js' */

/** What only the driver knows, and fills in for each request. @param {string} name */
export const leftForDriver = (name) => /^(row|captured|env|random|ready)\./.test(name);

/**
 * Follows the data through the requests of an iteration: every `${row.x}` has a column, every `${captured.x}` was
 * captured by an earlier request, every `${ready.x}` by a step, and random values are those that there are.
 * @param {TomlTable[]} requests
 * @param {{ rows: Rows[], weighted: boolean, ready: readonly string[] }} given
 * @param {Path} path
 * @param {Report} report
 */
export function checkFlow(requests, { rows, weighted, ready }, path, report) {
  const captures = requests.map((request) => Object.keys(request.capture ?? {}));
  requests.forEach((request, i) => {
    const before = captures.slice(0, i).filter((_, j) => !weighted || requests[j].once_per_user);
    const captured = before.flat();
    for (const placeholder of placeholdersOf(request, [...path, i])) {
      const [, kind, name] = /^(row|captured|random|ready)\.(.*)$/s.exec(placeholder.name) ?? [];
      const refuse = (/** @type {string} */ message, /** @type {Hint} */ hint) =>
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

/**
 * @param {string} column
 * @param {Rows[]} rows
 * @param {(message: string, hint: Hint) => void} refuse
 */
function checkRow(column, rows, refuse) {
  if (!rows.length) refuse(`there are no rows for \${row.${column}}`, 'Set `rows = { file = "…" }` in the scenario.');
  const known = rows.flatMap(({ columns }) => columns ?? []);
  if (!rows.length || known.includes(column) || rows.some(({ columns }) => !columns)) return;
  refuse(`the rows of ${filesOf(rows)} have no column "${column}"`, { got: column, known });
}

/** @param {{ file: string }[]} rows */
export const filesOf = (rows) => rows.map(({ file }) => file).join(' and ');

/**
 * @param {string} written
 * @param {unknown} key of the request, in which it stands
 * @param {(message: string, hint: Hint) => void} refuse
 */
function checkRandom(written, key, refuse) {
  const read = readRandom(written);
  if (typeof read === 'string') refuse(read, `There are \${${randomForms.join('}, ${')}}.`);
  else if (key === 'expect') {
    refuse('an expectation cannot be random: the value would be another than the one that was sent', 'Take a row.');
  }
}

/**
 * @param {string} name
 * @param {string[]} all
 * @param {boolean} weighted
 * @param {(message: string, hint: Hint) => void} refuse
 */
function refuseCaptured(name, all, weighted, refuse) {
  if (!all.includes(name)) refuse(`no request captures "${name}"`, { got: name, known: all });
  else if (weighted) {
    refuse(
      `"${name}" is captured by another request, and with weights an iteration sends only one`,
      'Drop the weights, or capture it once per user: `once_per_user = true`.',
    );
  } else refuse(`"${name}" is used before a request captures it`, 'Captured values go to the requests that follow.');
}
