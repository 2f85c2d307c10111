/**
 * What a verb can see of the process; tests pass their own.
 * @typedef {{ cwd: string, env: NodeJS.ProcessEnv, stdin: NodeJS.ReadStream | NodeJS.ReadableStream,
 *   stdout: Output, stderr: Output, exitCode?: number }} World
 * @typedef {NodeJS.WritableStream & { isTTY?: boolean, columns?: number }} Output
 */
export {};
