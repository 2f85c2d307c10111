import { exitCodes, UserError } from '../errors.js';
import { ExecError, exec } from './exec.js';

/** What git answers when it refuses: `output` is its own text, for people or for telling why. */
export class GitError extends Error {
  output: string;

  constructor(args: string[], output: string) {
    super(`git ${args[0]}: ${withoutUser(output)}`);
    this.output = withoutUser(output);
  }
}

/** Milliseconds that an answer from the repository may take: nothing is fetched for it. */
const question_ms = 30_000;

/**
 * What git prints, as text without the line's end; null where it refuses.
 * @throws {UserError} code 4: there is no git
 */
export const askGit =
  (cwd: string): ((...args: string[]) => Promise<string | null>) =>
  (...args) =>
    gitIn(cwd, {}, question_ms)(args).then((out) => String(out).trim(), whenRefused);

function whenRefused(error: unknown): null {
  if (error instanceof GitError) return null;
  throw error;
}

/** Credentials in an address are not for a log. */
export const withoutUser = (text: string) => text.replace(/\/\/[^/@\s]*@/g, '//');

/**
 * Why git takes a folder for no repository, in its own words: it refuses one that belongs to another user.
 * @returns refused: it is in one, which git does not open; null: it is in one
 */
export async function whyNoRepository(cwd: string): Promise<{ text: string; hint?: string; refused: boolean } | null> {
  try {
    await gitIn(cwd, {}, question_ms)(['rev-parse', '--git-dir']);
    return null;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const [first, ...more] = error.output.split('\n').map((line) => line.trim());
    if (/^fatal: not a git repository/.test(first)) return { text: `${cwd} is in no git repository`, refused: false };
    const way = more.find((line) => line.startsWith('git config '));
    return { text: `git says of ${cwd}: ${first.replace(/^fatal: /, '')}`, refused: true, ...(way && { hint: way }) };
  }
}

/**
 * git in a folder. Its arguments are data, never a shell's; its words are English, since some are read. It takes no folder of a
 * checkout for a bare repository, whose configuration could name programs, and no object for another that `git replace` put in
 * its place.
 * @param env added to ours
 * @param timeout_ms how long it may take
 * @returns what it prints, as it is
 * @throws {GitError} it refuses
 * @throws {UserError} code 4: there is no git
 */
export const gitIn =
  (
    cwd: string,
    env: NodeJS.ProcessEnv = {},
    timeout_ms?: number,
  ): ((args: string[], input?: string) => Promise<Buffer>) =>
  (args, input = '') =>
    exec('git', ['-c', 'safe.bareRepository=explicit', ...args], {
      cwd,
      env: { ...process.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_NO_REPLACE_OBJECTS: '1', ...env },
      input,
      timeout_ms,
    }).catch((cause) => {
      if (!(cause instanceof ExecError)) throw cause;
      if (cause.late) throw notEnded(args, cause);
      if (cause.cause) throw new UserError(`git cannot be started: ${cause.message}`, { code: exitCodes.error, cause });
      throw new GitError(args, [cause.stderr, cause.stdout].filter(Boolean).join('\n'));
    });

const notEnded = ([verb]: string[], cause: ExecError) =>
  new UserError(`git ${verb}: ${cause.message}`, {
    code: exitCodes.error,
    hint: 'It reads the repository and .gitconfig in the home folder: does the disk that they are on answer?',
    cause,
  });
