import { spawn } from 'node:child_process';
import { platform } from 'node:os';

/** @type {Record<string, string[]>} */
const openers = { darwin: ['open'], win32: ['explorer.exe'] };

/**
 * Opens an address in the browser of whoever sits there. Where there is none, nothing happens: the address was printed.
 * @param {string} url
 */
export function openInBrowser(url) {
  const [command, ...args] = openers[platform()] ?? ['xdg-open'];
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
