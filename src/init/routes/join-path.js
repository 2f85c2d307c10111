/**
 * Parts of a path as one, with one slash between them: a framework does not ask for it.
 * @param {string[]} parts
 * @returns {string} begins with a slash
 */
export const joinPath = (...parts) => `/${parts.filter((part) => part !== '').join('/')}`.replace(/\/{2,}/g, '/');
