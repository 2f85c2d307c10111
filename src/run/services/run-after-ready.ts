import { join, resolve } from 'node:path';
import { runCommand } from '../../base/process/command.js';
import { CaseFailure, Interrupted } from '../../base/process/failure.js';
import { openLog } from '../../base/process/log.js';
import { redact } from '../../base/process/redact.js';
import { originOf, originsOf, parseDuration, portUsers } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';
import { fill, type RunnerValues } from '../../suite/run-placeholders.js';
import type { Run } from '../run-context.js';
import { type Answer, captured } from './captured.js';
import { engineOf, valuesOf, variableOptions } from './containers/engine.js';
import { mostSecrets, secretsOf } from './secrets.js';
import type { Part } from './seeded.js';
import type { RunningService } from './service.js';

/** Filled. */
type Step = Case['after_ready'][number];

/** Where requests may go. */
type Target = { url: string; hosts: string[] };

/** Of what a command prints, and of a body, this many characters are read. */
const longest = 1_000_000;

/**
 * Does the steps between ready and load, one after the other.
 * @param place folder: for their log; giveUp: why not to go on; part: which of them are done, and what others captured
 * @param run learns the secrets that were captured
 * @returns what they captured, by name
 * @throws {CaseFailure | Interrupted} the first that failed
 */
export async function runAfterReady(
  benchCase: Case,
  {
    folder,
    values,
    giveUp,
    part,
    url,
    hosts,
    services,
  }: {
    folder: string;
    values: RunnerValues;
    giveUp: () => Error | null;
    part: Part;
    services: readonly RunningService[];
  } & Target,
  run: Run,
): Promise<Record<string, unknown>> {
  const ready: Record<string, unknown> = { ...part.ready };
  for (const written of benchCase.after_ready.filter(part.does)) {
    const why = giveUp();
    if (why) throw why;
    const step = fill(written, { ...values, ready }, portUsers(benchCase)[0]);
    const title = `the step "${step.name}" of after_ready`;
    const secrets = secretsOf(benchCase, run.env, run.secrets);
    const answer = step.command
      ? await printedBy(
          step,
          { title, file: join(folder, 'after_ready.log'), specDir: values.specDir, secrets, services },
          run,
        )
      : await responseTo(step, { title, target: { url, hosts }, secrets }, run);
    for (const [name, from] of Object.entries(step.capture)) {
      const value = captured(from, answer);
      if (value === undefined || value === null || value === '') {
        const [source, what] = Object.entries(from)[0];
        const reason = `${title} has nothing to capture as "${name}": there is no ${source} ${what}`;
        throw new CaseFailure(reason, { detail: shown(answer.text, secrets) });
      }
      ready[name] = value;
      if (step.secret) run.secrets.push(...mostSecrets([String(value)]));
    }
  }
  return ready;
}

/**
 * Runs a command to its end. What it prints where something is captured stands in no log: it may be a secret.
 * @throws {CaseFailure | Interrupted}
 */
async function printedBy(
  step: Step,
  {
    title,
    file,
    specDir,
    secrets,
    services,
  }: { title: string; file: string; specDir: string; secrets: string[]; services: readonly RunningService[] },
  run: Run,
): Promise<Answer> {
  const { cwd, env, service, capture, timeout } = step;
  let text = '';
  const pipe = Object.keys(capture).length > 0;
  await runCommand(
    {
      name: title,
      argv: service === null ? (step.command ?? []) : inContainer(step, services, run),
      cwd: service === null ? resolve(specDir, cwd) : specDir,
      env: { ...run.env, ...(service === null ? env : valuesOf(env)) },
      log: openLog(file, { secrets, bounded: true }),
      pipe,
    },
    run,
    {
      timeout_ms: parseDuration(timeout) * 1000,
      started: ({ child }) =>
        child.stdout?.setEncoding('utf8').on('data', (piece) => {
          if (pipe && text.length < longest) text += piece;
        }),
    },
  );
  return { text: text.trim(), headers: new Headers() };
}

/** A command as its engine runs it inside a container; `cwd` is a folder in there, that of the image by default. */
function inContainer({ command, cwd, env, service }: Step, services: readonly RunningService[], run: Run): string[] {
  const running = services.find(({ name }) => name === service)?.running;
  if (!running || !('container' in running)) throw new CaseFailure(`service "${service}" runs in no container`);
  const folder = cwd === '.' ? [] : ['--workdir', cwd];
  return [engineOf(run).program, 'exec', ...folder, ...variableOptions(env), running.container.id, ...(command ?? [])];
}

/**
 * Sends a request.
 * @throws {CaseFailure | Interrupted}
 */
async function responseTo(
  { request, timeout }: Step,
  { title, target, secrets }: { title: string; target: Target; secrets: string[] },
  run: Run,
): Promise<Answer> {
  const { method, path, query, headers, body, status: expected } = request as NonNullable<Step['request']>;
  const { text: sent, type } = bodyOf(body);
  const url = addressOf(path, query, target);
  const requestText = redact(`${method} ${path}`, secrets);
  const fail = (why: string, detail = undefined as string | undefined) =>
    new CaseFailure(`${title} failed: ${requestText}: ${redact(why, secrets)}`, { detail });
  if (!originsOf({ baseUrl: target.url, hosts: target.hosts }).includes(originOf(url))) {
    throw fail(`${originOf(url)} is not the host of the environment`);
  }
  const interrupted = new AbortController();
  void run.interrupt.signalled.then(() => interrupted.abort());
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { ...(type && { 'Content-Type': type }), ...headers },
      body: sent,
      signal: AbortSignal.any([AbortSignal.timeout(parseDuration(timeout) * 1000), interrupted.signal]),
    });
    const text = await textOf(response);
    const { status } = response;
    if (expected ? !expected.includes(status) : status < 200 || status > 399) {
      throw fail(`status ${status}, expected ${expected?.join(' or ') ?? '200 to 399'}`, shown(text, secrets));
    }
    return { text, headers: response.headers };
  } catch (error) {
    if (run.interrupt.asked) throw new Interrupted();
    if (error instanceof CaseFailure) throw error;
    const { name, message, cause } = error as Error & { cause?: Error };
    throw fail(name === 'TimeoutError' ? `no response within ${timeout}` : (cause?.message ?? message));
  }
}

/** @returns its body, as far as it is read */
async function textOf(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length >= longest) break;
  }
  return text;
}

function addressOf(path: string, query: Record<string, unknown>, { url }: Target) {
  const address = originOf(path) === null ? `${url.replace(/\/+$/, '')}${path}` : path;
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((item) => [name, String(item)]));
  if (pairs.length === 0) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(pairs)}`;
}

function bodyOf(body: NonNullable<Step['request']>['body']): { text?: string; type?: string } {
  if (body === null) return {};
  if (body.json !== undefined) return { text: JSON.stringify(body.json), type: body.type ?? 'application/json' };
  if (body.form === undefined) return { text: body.text, type: body.type };
  const fields = Object.entries(body.form).map(([name, value]) => [name, String(value)]);
  return { text: String(new URLSearchParams(fields)), type: body.type ?? 'application/x-www-form-urlencoded' };
}

/** @returns its beginning, for an error */
const shown = (text: string, secrets: string[]): string | undefined =>
  text === '' ? undefined : redact(text.slice(0, 500), secrets);
