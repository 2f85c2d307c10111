import { exitCodes, UserError } from '../../base/errors.js';

/**
 * Refuses to make pages where Vega is not: it is three fifths of an installation, and who only measures can leave it out
 * (`npm install --omit=optional`).
 * @throws {UserError} code 4
 */
export function requireVega() {
  const missing = ['vega', 'vega-interpreter', 'vega-lite'].filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  throw new UserError(`charts need ${missing.join(', ')}, which npm has not installed`, {
    code: exitCodes.error,
    hint: 'Install benchfolio without --omit=optional: npm install --include=optional',
  });
}

/** @param name of a package */
function isInstalled(name: string) {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
