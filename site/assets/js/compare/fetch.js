/** @type {Map<string, Promise<any>>} */
const known = new Map();

/**
 * What lies beside the pages, fetched once.
 * @param {string} url
 * @returns {Promise<any>}
 * @throws {Error} that says what is missing, and can be printed
 */
export function fetchJson(url) {
  const promise = known.get(url) ?? get(url);
  known.set(url, promise);
  promise.catch(() => known.delete(url)); // the network may be back the next time
  return promise;
}

/** @param {string} url */
async function get(url) {
  const response = await fetch(url).catch((error) => ({ ok: false, status: error.message }));
  if (!('json' in response) || !response.ok) throw new Error(`${url} cannot be fetched: ${response.status}.`);
  return response.json().catch(() => {
    throw new Error(`${url} is damaged.`);
  });
}
