import { attempt } from './attempt.js';
import { parseDuration } from './durations.js';
import type { Path, Report } from './error.js';
import { isUnfilled } from './placeholders.js';
import { mergeTables } from './profile.js';
import type { TomlTable } from './toml.js';

/** Secrets are still placeholders. */
export type Prometheus = {
  /** base of its HTTP API, without a slash at the end; null: one of the run's own */
  url: string | null;
  /** false: k6 does not stream; null: to the run's own */
  remote_write: string | false | null;
  scrape_interval_s: number;
  username: string | null;
  password: string | null;
  bearer_token: string | null;
  headers: Record<string, string>;
};

/**
 * What holds in an environment: its own keys override bench.toml's. With a url of its own it gets neither secrets nor
 * addresses of bench.toml's, which are another server's; of two ways to prove who one is the nearer counts.
 */
export function layerPrometheus(everywhere: TomlTable | undefined, own: TomlTable | undefined): TomlTable | undefined {
  if (!everywhere || !own) return own ?? everywhere;
  const { username, password, bearer_token, headers, remote_write, ...rest } = everywhere;
  const kept = {
    ...(remote_write !== undefined && { remote_write }),
    ...(headers && { headers }),
    ...(bearer_token && !own.username && { bearer_token }),
    ...(username && !own.bearer_token && { username, password }),
  };
  const streams = remote_write === false ? { remote_write } : {};
  return mergeTables({ ...rest, ...(own.url === undefined ? kept : streams) }, own);
}

/**
 * @param written bench.toml's with the environment's over it; {}: there is something to ask for, and nothing is said of whom
 */
export function readPrometheus(written: TomlTable, path: Path, report: Report): Prometheus {
  const { scrape_interval = '1s', username = null, password = null, bearer_token = null, headers = {} } = written;
  const url = written.url?.replace(/\/+$/, '') ?? null;
  const at = [...path, 'scrape_interval'];
  const interval = isUnfilled(scrape_interval) ? 1 : (attempt(() => parseDuration(scrape_interval), at, report) ?? 1);
  if (interval <= 0) report(at, 'scrape_interval must be above 0');
  if (bearer_token !== null && username !== null) {
    // one of them from the environment that this one extends
    report([...path, 'bearer_token'], 'there are both a bearer_token and a username', 'Drop one of them.', 'key');
  }
  return {
    url,
    remote_write: written.remote_write ?? (url === null ? null : `${url}/api/v1/write`),
    scrape_interval_s: interval,
    username,
    password,
    bearer_token,
    headers,
  };
}
