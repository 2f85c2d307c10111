/** What a verb can see of the process; tests pass their own. */
export type World = {
  cwd: string;
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadStream | NodeJS.ReadableStream;
  stdout: Output;
  stderr: Output;
  exitCode?: number;
};

export type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

/**
 * Characters that move the cursor, or that reorder or hide the text beside them, or one of the few of these that we print
 * ourselves: colours, the erased line of our progress, ends of lines, tabs.
 */
const controls = /(?<ours>\p{Cc}\[[\d;]*m|(?:\r\p{Cc}\[K)|\r?\n|\t)|[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\ufeff]/gu;

/**
 * Prints what names and texts of others hold so that it can be seen: U+202E as `\u202e`, which is the same in JSON.
 * @returns the same, but for the texts that are written to it
 */
export const visibly = <T extends Output>(stream: T): T =>
  new Proxy(stream, {
    get(target, key) {
      const value = Reflect.get(target, key);
      if (key !== 'write') return typeof value === 'function' ? value.bind(target) : value;
      return (text: unknown, ...rest: any[]) =>
        target.write(typeof text === 'string' ? shownText(text) : (text as any), ...rest);
    },
  });

const shown = (found: string, ours: string | undefined) =>
  ours ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * What a runner of workflows reads as its own commands, wherever a text of others has it: "::error::" at the start of a line, and
 * "##[error]" anywhere (actions/runner, ActionCommand.cs).
 */
const commands = /^(?<start>[^\S\n]*)::(?=[a-z])|##(?=\[)/gim;

/** A text that no runner takes for commands, and no terminal for its own. */
const shownText = (text: string): string => withoutCommands(text.replace(controls, shown));

/** The same for what machines read: nothing but commands is another. */
const withoutCommands = (text: string): string =>
  text.replace(commands, (_, start) => (start === undefined ? '#\u2060#' : `${start}:\u2060:`));

/** Prints a text that machines read: into a pipe or a file as it is, on a terminal so that all of it can be seen. */
export const printForMachines = (stream: Output, text: string) =>
  stream.isTTY ? stream.write(text) : stream.write(Buffer.from(withoutCommands(text)));
