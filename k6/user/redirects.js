import { originOf, originsOf, resolveUrl } from '../../dist/suite/cases/origin.js';

/** @import { Params, Response } from 'k6/http' */

/** The statuses that Go's and k6's own client follow. */
const isRedirect = (/** @type {number} */ status) =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308;

/**
 * Follows redirects: by ourselves, since k6's client would follow them to any host, with the headers of the request. As
 * there, 301, 302 and 303 go on as GET, 307 and 308 with method and body, and each answer is a request of its own in k6's
 * metrics. Another host that the spec names gets no header of the request.
 * @param {Response} first
 * @param {{ method: string, body: string | ArrayBuffer | null, params?: Params }} sent
 * @param {number} most how many are followed; then the last answer is taken as it is
 * @param {{ baseUrl: string, hosts: readonly string[] }} target
 * @param {(method: string, url: string, body: string | ArrayBuffer | null, params?: Params) => Response} send k6's http.request
 * @returns {Response | string} the last answer; or why it was not followed, without path and query: they may hold a
 *   secret
 */
export function followRedirects(first, { method, body, params }, most, target, send) {
  const origins = originsOf(target);
  const home = originOf(first.url);
  let last = first;
  for (let followed = 0; followed < most && isRedirect(last.status); followed += 1) {
    const location = last.headers.Location;
    if (location === undefined) return last;
    const next = resolveUrl(last.url, location);
    const origin = next === null ? null : originOf(next);
    if (next === null || origin === null) return 'a redirect to what is not a valid http(s) URL';
    if (!origins.includes(origin)) return `a redirect to ${origin}, which the spec does not name`;
    if (last.status <= 303 && method !== 'HEAD') {
      method = 'GET';
      body = null;
    }
    last = send(method, next, body, origin === home ? params : withoutHeaders(params));
  }
  return last;
}

/** @param {Params | undefined} params */
const withoutHeaders = (params) => params && { ...params, headers: {} };
