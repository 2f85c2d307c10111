import { encodeForm } from '../shared/encode.js';
import { encodeLiterals } from '../shared/placeholders.js';
import { within } from './files.js';
import { pairsOf } from './url.js';

/** @import { Request } from '../../dist/suite/cases/requests.js' */

/**
 * @typedef {{ text: string } | { json: string } | { form: string } | { file: string } | { bytes: number }} PlannedBody
 *   json and form: written out, with placeholders; file: its path
 */

const types = {
  text: 'text/plain; charset=utf-8',
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  file: 'application/octet-stream',
  bytes: 'application/octet-stream',
};

/**
 * @param {Request['body']} body
 * @param {string} folder the spec's
 * @returns {{ body: PlannedBody | null, type: string | null }} type: for Content-Type
 */
export function planBody(body, folder) {
  if (body === null) return { body: null, type: null };
  const kind = /** @type {keyof typeof types} */ (Object.keys(types).find((key) => key in body));
  return { body: planned(kind, body[kind], folder), type: body.type ?? types[kind] };
}

/** @param {Record<string, any>} table */
const formOf = (table) =>
  pairsOf(table)
    .map(([key, value]) => `${encodeForm(key)}=${encodeLiterals(value, encodeForm)}`)
    .join('&');

/**
 * @param {keyof typeof types} kind
 * @param {any} value
 * @param {string} folder
 * @returns {PlannedBody}
 */
function planned(kind, value, folder) {
  switch (kind) {
    case 'text':
      return { text: value };
    case 'json':
      return { json: JSON.stringify(value) };
    case 'form':
      return { form: formOf(value) };
    case 'file':
      return { file: within(folder, value) };
    case 'bytes':
      return { bytes: value };
  }
}
