import crypto from 'k6/crypto';
import { limits } from '../../dist/suite/cases/tables.js';
import { tellAnswer } from './counters.js';
import { fieldsOf, mostJson } from './fields.js';
import { compileRequest } from './requests.js';

/** @import { Response } from 'k6/http' */
/** @import { PlannedLoad } from '../plan/make-plan.js' */
/** @import { PlannedRequest } from '../plan/requests.js' */
/** @import { RequestTarget, See, Send, User } from './requests.js' */

/**
 * @typedef {object} Look at the first answers that a user gets in the window
 * @property {See} see is given each answer
 * @property {() => boolean} wants the next answer would be sampled
 * @property {() => boolean} reads the next answer's body would be too
 */

// Loaded only where answers are sampled. Sampling takes longer than a request without it: it is done with after
// a few of each name, and what sends the rest knows nothing of it.

/**
 * Looks at answers of one request.
 * @param {string} name
 * @param {{ each: number, fields: number }} most how many; of so many the structure too
 * @param {User} user
 * @returns {Look}
 */
export function createLook(name, { each, fields }, user) {
  let left = each;
  let described = 0; // characters of the bodies
  // A body is read only when the one before was small: a gigabyte is not kept in memory.
  let small = false;
  return {
    wants: () => left > 0 && user.tags.phase === 'steady',
    reads: () => small,
    see(response, redirected) {
      if (response === null || redirected === null || left === 0 || user.tags.phase !== 'steady') return;
      left -= 1;
      const { status, headers, body, timings, proto, tls_version } = response;
      const declared = Number(headers['Content-Length'] ?? NaN);
      const length = body === null ? null : typeof body === 'string' ? body.length : body.byteLength;
      const bytes = declared >= 0 ? declared : length;
      small = timings.receiving < limits.receiving_ms && (bytes ?? 0) <= limits.answer_bytes;
      const type = headers['Content-Type']?.split(';')[0].trim().toLowerCase() ?? '';
      const hashed = bytes === 0 ? '' : body;
      const hash = hashed === null || !small ? null : crypto.sha256(hashed, 'hex').slice(0, 12);
      const describes = hash !== null && each - left <= fields && described < mostJson;
      if (describes) described += length ?? 0;
      const structure = describes ? fieldsOf(textOf(/** @type {string | ArrayBuffer} */ (hashed))) : null;
      const protocol = proto ? [proto, tls_version.replace('tls', 'TLS ')] : null; // k6 has none of calls and sessions
      tellAnswer([name, status, bytes, type.slice(0, 60), redirected ? 1 : 0, hash, structure, protocol]);
    },
  };
}

/** The text of a body, which may be UTF-8 in bytes: k6 has no TextDecoder. @param {string | ArrayBuffer} body */
function textOf(body) {
  if (typeof body === 'string') return body;
  try {
    return decodeURIComponent(escape(Array.from(new Uint8Array(body), (byte) => String.fromCharCode(byte)).join('')));
  } catch {
    return ''; // another encoding: no JSON
  }
}

/**
 * Compiles requests that look at their first answers in the window.
 * @param {PlannedLoad} load
 * @param {User} user
 * @param {{ named: boolean }} options of a request
 * @param {Send[]} plain the same requests, which look at nothing
 * @returns {{ sends: Send[], done: () => boolean }} done: to be asked after each iteration in the window; nothing is left to
 *   look at, or it is rare and not worth the waiting
 */
export function compileLooking(load, user, options, plain) {
  const most = /** @type {NonNullable<PlannedLoad['answers']>} */ (load.answers);
  let turns = 10 * most.each * load.requests.length;
  /** @type {Record<string, Look>} requests may share a name */
  const looks = {};
  const sends = load.requests.map((request, i) => {
    looks[request.name] ??= createLook(request.name, most, user);
    return compileLook(request, looks[request.name], { load, user, options, plain: plain[i] });
  });
  return {
    sends,
    done() {
      turns -= 1;
      return turns <= 0 || !Object.values(looks).some(({ wants }) => wants());
    },
  };
}

/**
 * @param {PlannedRequest} request
 * @param {Look} look
 * @param {{ load: RequestTarget, user: User, options: { named: boolean }, plain: Send }} given
 * @returns {Send}
 */
function compileLook(request, look, { load, user, options, plain }) {
  const { see } = look;
  const asIs = compileRequest(request, load, user, { ...options, see });
  const { expect, capture, params } = request;
  const keeps = expect?.body || Object.keys(expect?.json ?? {}).length > 0 || capture !== null;
  const reading = keeps
    ? asIs
    : compileRequest({ ...request, params: { ...params, responseType: 'binary' } }, load, user, { ...options, see });
  return () => {
    if (!look.wants()) return plain();
    return look.reads() ? reading() : asIs();
  };
}
