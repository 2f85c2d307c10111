import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scratchFolder } from './scratch.js';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * Runs the command as a person would, in a process of its own.
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options] env is added to ours
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>}
 */
export function benchfolio(args, { cwd = root, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'src', 'bin.js'), ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/**
 * A new folder with these files in it, outside the repository.
 * @param {Record<string, string>} files path: text
 * @returns {Promise<string>} its path
 */
export async function folderOf(files) {
  const folder = scratchFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}
