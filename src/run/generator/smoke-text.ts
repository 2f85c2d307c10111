import type { Case } from '../../suite/cases/expand.js';

/**
 * As k6/user/smoke.js says of a request that failed. what: its name; request, response: of the first only; null: nothing was
 * answered.
 */
export type SmokeFailure = {
  what: string;
  problem: string;
  request: { method: string; url: string; headers: Record<string, string>; body: string } | null;
  response: { status: number; headers: Record<string, string>; body: string } | null;
};

/** What is shown of a body, and of a header. */
const most = { body: 600, lines: 12, header: 120, others: 3 };

/**
 * What to say of requests that failed before the load: the first with what was sent and what came back.
 * @param failures at least one
 * @returns detail: lines
 */
export function smokeText(
  [first, ...others]: SmokeFailure[],
  { requests }: Pick<Case, 'requests'>,
): { reason: string; detail: string } {
  const { what, problem, request, response } = first;
  const lines = [
    `expected: ${expectedOf(what, requests)}`,
    `found:    ${withoutStack(problem)}`,
    ...(otherType.test(problem) ? [typesHint] : []),
    ...(request ? ['sent:', ...message(`${request.method} ${masked(request.url)}`, request)] : []),
    ...(response ? ['received:', ...message(`status ${response.status}`, response)] : ['received: nothing']),
    ...others.slice(0, most.others).map((other) => `also: ${other.what}: ${withoutStack(other.problem)}`),
    ...(others.length > most.others ? [`also: ${others.length - most.others} more`] : []),
  ];
  return { reason: `before the load, ${what}: ${withoutStack(problem)}`, detail: lines.join('\n') };
}

/** "id is 5, not "5"" */
const otherType = /is (\d[\d.]*|true|false), not "\1"$/;
const typesHint =
  'A value of a CSV file is text: `types = { id = "number" }` in the scenario\'s `rows` makes it a number.';

/** An exception of a script has its stack below. */
const withoutStack = (problem: string) => masked(problem.split('\n').slice(0, 2).join(' ').replace(/\s+/g, ' '));

/**
 * The answer that a request expects.
 * @param requests null: those of a script
 */
function expectedOf(name: string, requests: Case['requests']) {
  const expect = requests?.find((request) => request.name === name)?.expect;
  if (!expect) return 'what the script expects';
  const { status, headers, body, json } = expect;
  const texts = [
    `status ${status === null ? '200 to 399' : status.join(' or ')}`,
    ...Object.entries(headers).map(([header, value]) => `header ${header} ${shown(value)}`),
    ...(body === null ? [] : [`in the body ${shown(body)}`]),
    ...Object.entries(json).map(([path, value]) => `${path} ${shown(value)}`),
  ];
  return masked(texts.join(', '));
}

const shown = (value: unknown) =>
  value !== null && typeof value === 'object' && 'matches' in value ? `like ${value.matches}` : JSON.stringify(value);

/** A request or a response as lines. */
function message(start: string, { headers, body }: { headers: Record<string, string>; body: string }) {
  const text = masked(body);
  const lines = (text.length > most.body ? `${text.slice(0, most.body)}…` : text).split(/\r?\n/);
  return [
    start,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${headerText(name, value)}`),
    ...(body === '' ? [] : ['', ...lines.slice(0, most.lines), ...(lines.length > most.lines ? ['…'] : [])]),
  ].map((line) => `  ${line}`.trimEnd());
}

function headerText(name: string, value: string) {
  if (/auth|cookie|token|secret|key/i.test(name)) return '***';
  return value.length > most.header ? `${value.slice(0, most.header)}…` : value;
}

const secretName = '[\\w.-]*(?:passw|secret|token|api_?key|credential)[\\w.-]*';
const inJson = new RegExp(`("${secretName}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?`, 'gi');
const inForm = new RegExp(`(\\b${secretName}=)[^&\\s"]+`, 'gi');
const inUrl = /(\/\/)[^/@\s]+@/g;

/** Blots out values with a secret name: a login's captures are in no environment variable. */
const masked = (text: string) => text.replace(inJson, '$1"***"').replace(inForm, '$1***').replace(inUrl, '$1***@');
