import { spawn } from 'node:child_process';
import { platform } from 'node:os';

const openers: Record<string, string[]> = { darwin: ['open'], win32: ['explorer.exe'] };

/** Opens an address in the browser of whoever sits there. Where there is none, nothing happens: the address was printed. */
export function openInBrowser(url: string) {
  const [command, ...args] = openers[platform()] ?? ['xdg-open'];
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
