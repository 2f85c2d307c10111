/** @import { Response } from 'k6/http' */
/** @import { PlannedRequest } from '../plan/requests.js' */
/** @import { IterationValues } from '../shared/placeholders.js' */

/**
 * Compiles what is taken out of a response for later requests of the iteration.
 * @param {NonNullable<PlannedRequest['capture']>} capture
 * @param {IterationValues} values `captured` receives them
 * @returns {(response: Response) => string | null} the name of what was not there
 */
export function compileCaptures(capture, values) {
  const all = Object.entries(capture).map(([name, from]) => ({ name, find: compileFind(from) }));
  return (response) => {
    for (let i = 0; i < all.length; i += 1) {
      const value = all[i].find(response);
      if (value === undefined || value === null) return all[i].name;
      values.captured[all[i].name] = value;
    }
    return null;
  };
}

/**
 * @param {{ json?: string, regex?: string, header?: string, cookie?: string }} from
 * @returns {(response: Response) => unknown}
 */
function compileFind({ json, regex, header, cookie }) {
  if (json !== undefined) return (response) => response.json(json);
  if (header !== undefined) return ({ headers }) => headers[header];
  if (cookie !== undefined) return ({ cookies }) => cookies[cookie]?.[0].value;
  const pattern = new RegExp(/** @type {string} */ (regex));
  return ({ body }) => {
    const match = pattern.exec(String(body));
    return match === null ? undefined : match.length > 1 ? match[1] : match[0];
  };
}
