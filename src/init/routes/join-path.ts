/**
 * Parts of a path as one, with one slash between them: a framework does not ask for it.
 * @returns begins with a slash
 */
export const joinPath = (...parts: string[]): string =>
  `/${parts.filter((part) => part !== '').join('/')}`.replace(/\/{2,}/g, '/');
