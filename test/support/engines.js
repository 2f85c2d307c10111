import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lookForTool } from '../../dist/base/tools/find-tool.js';
import { root } from './cli.js';

const run = promisify(execFile);

/** An interpreter of jq. @typedef {{ path: string, name: string, runsTests: boolean, slow: boolean }} Engine */

/**
 * Every jq and gojq on this machine, slow ones last: programs must do the same in all of them.
 * @returns {Promise<Engine[]>}
 */
export async function engines() {
  const tools = (await lookForTool('jq')).filter(({ usable }) => usable);
  const all = await Promise.all(
    tools.map(async ({ path, slow }) => {
      const version = (await run(path, ['--version'])).stdout.trim();
      return { path, name: version.split(' (')[0], runsTests: version.startsWith('jq-'), slow };
    }),
  );
  const distinct = new Map(all.map((engine) => [engine.name, engine])); // /bin/jq is /usr/bin/jq
  return [...distinct.values()].sort((a, b) => Number(a.slow) - Number(b.slow));
}

/**
 * Runs a program of reports/ as the readme says.
 * @param {Engine} engine
 * @param {string[]} args
 * @returns {Promise<string>} stdout
 */
export async function jqIn(engine, args) {
  const { stdout } = await run(engine.path, ['-n', '-c', '-L', join(root, 'reports'), ...args], { maxBuffer: 1e8 });
  return stdout;
}
