import { placeholdersOf } from './placeholders.js';

/** @import { Hint, Path, Report } from './error.js' */

/** What only the driver knows, and fills in for each request. @param {string} name */
export const leftForDriver = (name) => /^(row|captured|env)\./.test(name);

/**
 * Follows the data through the requests of an iteration: every `${row.x}` has a column, every `${captured.x}` was
 * captured by an earlier request.
 * @param {Record<string, any>[]} requests
 * @param {{ rows: import('./rows.js').Rows | null, weighted: boolean }} given
 * @param {Path} path
 * @param {Report} report
 */
export function checkFlow(requests, { rows, weighted }, path, report) {
  const captures = requests.map((request) => Object.keys(request.capture ?? {}));
  requests.forEach((request, i) => {
    const captured = weighted ? [] : captures.slice(0, i).flat();
    for (const placeholder of placeholdersOf(request, [...path, i])) {
      const [, kind, name] = /^(row|captured)\.(.*)$/s.exec(placeholder.name) ?? [];
      const refuse = (/** @type {string} */ message, /** @type {Hint} */ hint) =>
        report(placeholder.path, message, hint, { part: `\${${placeholder.name}}` });
      if (kind && placeholder.path[path.length + 1] === 'capture') {
        refuse(
          `a capture cannot use \${${placeholder.name}}: it looks for the same in every response`,
          'Capture more than is needed, or send it from a script.',
        );
      } else if (kind === 'row') checkRow(name, rows, refuse);
      else if (kind === 'captured' && !captured.includes(name)) refuseCaptured(name, captures.flat(), weighted, refuse);
    }
  });
}

/**
 * @param {string} column
 * @param {import('./rows.js').Rows | null} rows
 * @param {(message: string, hint: Hint) => void} refuse
 */
function checkRow(column, rows, refuse) {
  if (!rows) refuse(`there are no rows for \${row.${column}}`, 'Set `rows = { file = "…" }` in the scenario.');
  else if (rows.columns && !rows.columns.includes(column)) {
    refuse(`the rows of ${rows.file} have no column "${column}"`, { got: column, known: rows.columns });
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
      'Drop the weights.',
    );
  } else refuse(`"${name}" is used before a request captures it`, 'Captured values go to the requests that follow.');
}
