import { exitCodes, UserError } from '../errors.js';
import { ExecError, exec } from './exec.js';
import { findProgram } from './find-tool.js';

/**
 * What runs containers: `docker` or `podman`, whose commands and options are the same where we use them. compose: how its
 * part for compose files is called, a program and its first arguments; null: it has none.
 */
export type Engine = { name: string; program: string; version: string; compose: string[] | null };

const names = ['docker', 'podman'];

/** Milliseconds in which an engine says whether it is there. */
const answer_ms = 20_000;

/** Why an engine does not answer, by what it prints. */
const reasons: [RegExp, string, string][] = [
  [
    /permission denied/i,
    'may not be used by this user',
    'Let the user use it: sudo usermod -aG docker "$USER", and log in again.',
  ],
  [
    /cannot connect|is the docker daemon running|connection refused|no such host/i,
    'has no daemon that answers',
    'Start it: sudo systemctl start docker (without systemd: sudo dockerd).',
  ],
];

/**
 * Finds the first engine on PATH that answers.
 * @throws {UserError} code 4: there is none, with what to do
 */
export async function findEngine(env: NodeJS.ProcessEnv): Promise<Engine> {
  const failures = [];
  for (const name of names) {
    const program = findProgram(name, env);
    if (program === null) continue;
    try {
      const format = name === 'docker' ? '{{.Server.Version}}' : '{{.Client.Version}}';
      const answer = await exec(program, ['version', '--format', format], { env, timeout_ms: answer_ms });
      return { name, program, version: String(answer).trim(), compose: await composeOf(program, env) };
    } catch (error) {
      if (!(error instanceof ExecError)) throw error;
      failures.push({ name, ...whyOf(error) });
    }
  }
  const [first] = failures;
  throw new UserError(
    first
      ? `services of this run are containers, and ${failures.map(({ name, why }) => `${name} ${why}`).join('; ')}`
      : 'services of this run are containers, and neither docker nor podman is on PATH',
    {
      code: exitCodes.error,
      hint: first?.hint ?? 'Install one; on Debian and Ubuntu: sudo apt-get install docker.io (or podman)',
    },
  );
}

function whyOf({ stderr, message }: ExecError): { why: string; hint: string } {
  const known = reasons.find(([pattern]) => pattern.test(stderr));
  const said = stderr.split('\n')[0] || message;
  return known ? { why: known[1], hint: known[2] } : { why: `does not answer: ${said}`, hint: 'Try: docker version' };
}

async function composeOf(program: string, env: NodeJS.ProcessEnv): Promise<string[] | null> {
  const old = findProgram(`${program.replace(/^.*\//, '')}-compose`, env);
  const ways = [[program, 'compose'], ...(old ? [[old]] : [])];
  for (const [first, ...rest] of ways) {
    const answers = exec(first, [...rest, 'version'], { env, timeout_ms: answer_ms });
    const isThere = await answers.then(
      () => true,
      () => false,
    );
    if (isThere) return [first, ...rest];
  }
  return null;
}
