/**
 * What a verb can see of the process; tests pass their own.
 * @typedef {{ cwd: string, env: NodeJS.ProcessEnv, stdin: NodeJS.ReadStream | NodeJS.ReadableStream,
 *   stdout: Output, stderr: Output, exitCode?: number }} World
 * @typedef {NodeJS.WritableStream & { isTTY?: boolean, columns?: number }} Output
 */

/**
 * What moves the cursor or reorders and hides what stands beside it, or one of the few of these that we print ourselves:
 * colours, the erased line of our progress, ends of lines, tabs.
 */
const controls = /(?<ours>\p{Cc}\[[\d;]*m|(?:\r\p{Cc}\[K)|\r?\n|\t)|[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\ufeff]/gu;

/**
 * Prints what names and texts of others hold so that it can be seen: U+202E as `\u202e`, which is the same in JSON.
 * @template {Output} T
 * @param {T} stream
 * @returns {T} the same, but for the texts that are written to it
 */
export const visibly = (stream) =>
  new Proxy(stream, {
    get(target, key) {
      const value = Reflect.get(target, key);
      if (key !== 'write') return typeof value === 'function' ? value.bind(target) : value;
      return (/** @type {unknown} */ text, /** @type {any[]} */ ...rest) =>
        target.write(typeof text === 'string' ? shownText(text) : /** @type {any} */ (text), ...rest);
    },
  });

/** @param {string} found @param {string | undefined} ours */
const shown = (found, ours) => ours ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * What a runner of workflows reads as its own commands, wherever a text of others has it: "::error::" at the start of a line, and
 * "##[error]" anywhere (actions/runner, ActionCommand.cs).
 */
const commands = /^(?<start>[^\S\n]*)::(?=[a-z])|##(?=\[)/gim;

/**
 * A text that no runner takes for commands, and no terminal for its own.
 * @param {string} text
 * @returns {string}
 */
const shownText = (text) => withoutCommands(text.replace(controls, shown));

/**
 * The same for what machines read: nothing but commands is another.
 * @param {string} text
 * @returns {string}
 */
const withoutCommands = (text) =>
  text.replace(commands, (_, start) => (start === undefined ? '#\u2060#' : `${start}:\u2060:`));

/**
 * Prints a text that machines read: into a pipe or a file as it is, on a terminal so that all of it can be seen.
 * @param {Output} stream
 * @param {string} text
 */
export const printForMachines = (stream, text) =>
  stream.isTTY ? stream.write(text) : stream.write(Buffer.from(withoutCommands(text)));
