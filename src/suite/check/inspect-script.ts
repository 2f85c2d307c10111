import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainScript } from '../../base/io/script-files.js';
import { programOf } from '../../base/tools/find-tool.js';
import { constantUsers } from '../cases/executors.js';
import type { Inspect } from '../cases/expand.js';
import { fillPlaceholders } from '../cases/placeholders.js';

/** What k6 says of scripts, by the script, its time and its variables: profiles and lanes ask again and again. */
const known: Map<string, ReturnType<Inspect>> = new Map();

/** Stands for the address of the system, and for ports, where none is known yet: options seldom depend on it. */
const nowhere = { url: 'http://127.0.0.1:1', other: '1' };

/**
 * Reads the options of scripts that bring their own, as k6 does: `k6 inspect` runs what is outside of their functions.
 * @param folder of the spec
 * @param without called where there is no k6 to ask; without it that is a problem
 */
export const inspectorOf =
  (folder: string, without?: (script: string) => void): Inspect =>
  (script, env) => {
    const file = join(folder, script);
    const stat = statSync(file, { throwIfNoEntry: false });
    // whoever looks for files says so
    if (!stat?.isFile())
      return { problem: `there is no script ${script}`, hint: 'It is looked for in the folder of the spec.' };
    if (!isPlainScript(file)) {
      return {
        problem: `the scenario has no executor, and ${script} takes its load from here`,
        hint: `Write it: executor = "${constantUsers(10).executor}", vus = 10, duration = "30s".`,
      };
    }
    const k6 = programOf('k6');
    if (k6 === null && without) {
      without(script);
      return null;
    }
    const variables = fillPlaceholders(env, (name) => (name === 'url' ? nowhere.url : nowhere.other));
    const key = JSON.stringify([file, stat.mtimeMs, stat.size, variables]);
    const found = known.get(key) ?? inspect(k6, file, script, variables);
    known.set(key, found);
    return found;
  };

/** Milliseconds that a script may take to begin. */
const longest_ms = 30_000;

/** @param script as the spec names it */
function inspect(k6: string | null, file: string, script: string, env: Record<string, string>): ReturnType<Inspect> {
  if (k6 === null) {
    return {
      problem: `the load is in ${script}, and there is no k6 to read it`,
      hint: `Build one: npx benchfolio tools. Or write the load here: executor = "${constantUsers(10).executor}", …`,
    };
  }
  const { status, stdout, stderr, error } = spawnSync(
    k6,
    ['inspect', '--execution-requirements', '--include-system-env-vars', '--no-color', file],
    {
      env: { ...process.env, K6_AUTO_EXTENSION_RESOLUTION: 'false', BASE_URL: nowhere.url, ...env },
      encoding: 'utf8',
      timeout: longest_ms,
      maxBuffer: 64 << 20,
    },
  );
  if (error) return { problem: `k6 could not read ${script}: ${error.message}` };
  if (status === 0) return { options: JSON.parse(stdout) };
  const said = /level=error msg="((?:[^"\\]|\\.)*)"/.exec(stderr)?.[1];
  const [message, ...stack] = said === undefined ? [stderr.trim()] : JSON.parse(`"${said}"`).split('\n\tat ');
  const why = message.replace(/^could not initialize '.*?': could not load JS test '.*?': /, '');
  const outside =
    'What is outside of its functions runs before the load, when there is no system yet: `setup` has one.';
  return { problem: `k6 cannot read ${script}: ${why}`, ...(stack.length > 0 && { hint: outside }) };
}
