import { CaseFailure } from '../../../base/process/failure.js';
import { runMarker } from '../../../base/process/guard.js';
import type { Engine } from '../../../base/tools/container-engine.js';
import { ExecError, exec } from '../../../base/tools/exec.js';
import type { Run } from '../../run-context.js';

/** @returns which was looked for at its begin: a case of it has containers */
export function engineOf({ engine }: Run): Engine {
  if (!engine) throw new Error('no container engine was looked for');
  return engine;
}

/**
 * The environment of calls of the engine: who cleans up after us finds them by the marker, and ends those that are not done.
 */
export const callEnv = ({ env, id }: Run): NodeJS.ProcessEnv => ({ ...env, [runMarker]: id });

/** Variables that change what the engine's client itself does: they are given to a container by their value. */
const ofClient = /^(DOCKER_|CONTAINER|BUILDKIT_|COMPOSE_|XDG_|LD_|SSL_)|_PROXY$|_proxy$|^(HOME|PATH|PWD|TMPDIR|USER)$/;

/**
 * Options for the variables of a container: by their names, for a value on a command line can be read by everybody on the
 * machine.
 */
export const variableOptions = (env: Record<string, string>): string[] =>
  Object.entries(env).flatMap(([key, value]) => ['--env', ofClient.test(key) ? `${key}=${value}` : key]);

/** What the engine's client must have in its environment for those options. */
export const valuesOf = (env: Record<string, string>) =>
  Object.fromEntries(Object.entries(env).filter(([key]) => !ofClient.test(key)));

/**
 * Asks the engine for something that it should do. A Ctrl-C at the terminal is not for it.
 * @param failure what it means when it does not
 * @param more variables
 * @returns what it prints
 * @throws {CaseFailure}
 */
export async function askEngine(
  args: string[],
  failure: string,
  run: Run,
  more: Record<string, string> = {},
): Promise<string> {
  try {
    const env = { ...callEnv(run), ...more };
    return String(await exec(engineOf(run).program, args, { env, detached: true })).trim();
  } catch (error) {
    if (!(error instanceof ExecError)) throw error;
    const said = error.stderr.split('\n')[0].replace(/^Error response from daemon: /, '');
    throw new CaseFailure(`${failure}: ${said || error.message}`);
  }
}
