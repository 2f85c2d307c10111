import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOf, root, spawnBenchfolio } from './cli.js';
import { environment } from './journey-script.js';
import { lastRun, readJson } from './situations.js';

const echo = await readFile(join(root, 'test/support/echo-service.cjs'), 'utf8');

/**
 * Runs scenarios of k6 scripts against a service that answers what it was sent.
 * @param {string} scenarios of the spec
 * @param {Record<string, string>} files
 * @param {string[]} args of `run`
 */
export async function runScripts(scenarios, files, ...args) {
  const cwd = await folderOf({
    'bench.toml': '[run]\nrounds = 1\n',
    'specs/shop/spec.toml': `${environment}[scenarios]\n${scenarios}`,
    'specs/shop/server.cjs': echo,
    ...files,
  });
  const { code, stdout, stderr } = await spawnBenchfolio(['run', ...args], { cwd });
  const folder = code === 2 ? null : join(await lastRun(cwd), 'shop/local');
  const recordOf = (/** @type {string} */ name) => readJson(join(String(folder), name, 'record.json'));
  return { code, folder, recordOf, said: stdout + stderr, stdout };
}
