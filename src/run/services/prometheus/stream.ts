import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PrometheusTarget } from './settings.js';

/**
 * What makes k6 send its metrics to a Prometheus: arguments and environment. Instances that share a load are kept
 * apart by a label, or their series would be one; null: it is alone.
 */
export type Stream = { args: (instance: number | null) => string[]; env: Record<string, string> };

/**
 * Labels are tags of the whole run, made once: a tag that a user sets costs time with each sample. They still cost a
 * little where their names come before `phase`, for k6 looks for the tags of sub-metrics in that order.
 * Credentials are headers in every form, because k6 forgets the user and password once there is any other header
 * (internal/output/prometheusrw/remote/client.go).
 * @param interval_s how often it sends
 */
export function streamTo(
  { url, headers }: PrometheusTarget,
  labels: Record<string, string>,
  interval_s: number,
): Stream {
  const tags = (all: Record<string, string | number>) =>
    Object.entries(all).flatMap(([name, value]) => ['--tag', `${name}=${value}`]);
  const authorized = Object.entries(headers).map(([name, value]) => [`K6_PROMETHEUS_RW_HEADERS_${name}`, value]);
  return {
    args: (instance) => [
      '--out',
      'experimental-prometheus-rw',
      ...tags({ ...labels, ...(instance === null ? {} : { instance }) }),
    ],
    env: {
      K6_FEATURES: 'native-histograms',
      K6_PROMETHEUS_RW_SERVER_URL: url,
      K6_PROMETHEUS_RW_PUSH_INTERVAL: `${interval_s}s`,
      K6_PROMETHEUS_RW_STALE_MARKERS: 'true', // or the last values would stand for five minutes more
      K6_PROMETHEUS_RW_TLS_MINIMUM_VERSION: '1.2', // k6's own default, 1.3, shuts out many
      ...Object.fromEntries(authorized),
    },
  };
}

/**
 * What k6 says of its sending, in its logs.
 * @param folders of the logs; secrets have been blotted out of them
 */
export function streamOutcome(folders: readonly string[]): { ok: boolean; problem: string | null } {
  const lines = folders
    .flatMap((folder) => readFileSync(join(folder, 'k6.log'), 'utf8').split('\n'))
    .filter((line) => line.includes('output="Prometheus remote write"'));
  const failed = lines.filter((line) => line.includes('level=error'));
  const slow = lines.filter((line) => line.includes('Successful flushed') && line.includes('level=warning'));
  if (failed.length > 0) {
    return { ok: false, problem: `${times(failed.length)} k6 could not send its metrics: ${errorOf(failed[0])}` };
  }
  if (slow.length === 0) return { ok: true, problem: null };
  const took = slow[0].match(/it took ([\d.]+m?s)/)?.[1] ?? 'too long';
  return { ok: false, problem: `${times(slow.length)} sending took longer than the pause between two, first ${took}` };
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

/**
 * @param line of logfmt
 * @returns the text of `error="…"`, else its message
 */
function errorOf(line: string): string {
  const [, text = ''] = line.match(/ error="((?:[^"\\]|\\.)*)"/) ?? line.match(/ msg="((?:[^"\\]|\\.)*)"/) ?? [];
  return text.replace(/\\(.)/g, '$1');
}
