/**
 * What a verb can see of the process; tests pass their own.
 * @typedef {{ cwd: string, env: NodeJS.ProcessEnv, stdin: NodeJS.ReadStream | NodeJS.ReadableStream,
 *   stdout: NodeJS.WritableStream & { isTTY?: boolean, columns?: number },
 *   stderr: NodeJS.WritableStream & { isTTY?: boolean, columns?: number }, exitCode?: number }} World
 */
export {};
