import type { QueryProblem } from './api.js';
import type { PrometheusTarget } from './settings.js';

/** Milliseconds that one question may take. */
const timeout_ms = 10_000;

/**
 * Asks Prometheus' HTTP API; never throws.
 * @param path below /api/v1/
 * @param form null: GET
 */
export async function ask(
  { url, headers }: PrometheusTarget,
  path: string,
  form: Record<string, string> | null,
): Promise<{ data?: unknown; problem?: QueryProblem }> {
  const signal = AbortSignal.timeout(timeout_ms);
  try {
    const response = await fetch(
      `${url}/api/v1/${path}`,
      form
        ? { method: 'POST', headers, signal, body: new URLSearchParams({ ...form, timeout: `${timeout_ms}ms` }) }
        : { headers, signal },
    );
    const text = await response.text();
    const answer = jsonOrNull(text);
    if (answer?.status === 'success') return { data: answer.data };
    return { problem: refusal(response, answer) };
  } catch (error) {
    if (signal.aborted) return { problem: { id: 'timeout', text: `no answer within ${timeout_ms / 1000} s` } };
    return { problem: { id: 'unreachable', text: reasonOf(error) } };
  }
}

function refusal({ status }: Response, answer: { errorType?: string; error?: string } | null): QueryProblem {
  if (answer?.errorType === 'timeout') return { id: 'timeout', text: String(answer.error) };
  if (answer?.error) return { id: 'error', text: `Prometheus says ${answer.errorType}: ${answer.error}` };
  if (status === 401 || status === 403) return { id: 'error', text: `we are not let in (status ${status})` };
  if (status >= 502 && status <= 504) return { id: 'unreachable', text: `the answer had status ${status}` };
  return { id: 'error', text: `the answer, with status ${status}, is not Prometheus's` };
}

function jsonOrNull(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param error of fetch: its cause says what happened */
function reasonOf(error: unknown) {
  const { cause, message } = Object(error) as { message?: string; cause?: NodeJS.ErrnoException };
  return cause?.message || cause?.code || message || String(error);
}
