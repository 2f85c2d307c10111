/**
 * Whether a request came by a name of this machine: a page of another name that leads here (DNS rebinding) is not to read what is
 * private.
 * @param {string | undefined} host the header Host
 * @returns {boolean}
 */
export const isOwnHost = (host) => /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host ?? '');
