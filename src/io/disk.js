import { statfsSync } from 'node:fs';
import { fileError } from './files.js';

/** Less than this is as good as nothing: k6 writes its files whole. */
const least_bytes = 64 * 1024;

/**
 * Whether a disk is full: k6 does not say why it could not write.
 * @param {string} folder on it
 * @returns {unknown} a UserError of code 4, or null
 */
export function diskFullError(folder) {
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  const full = bavail * bsize < least_bytes || (files > 0 && ffree === 0);
  return full ? fileError(Object.assign(new Error('no space'), { code: 'ENOSPC' }), folder) : null;
}
