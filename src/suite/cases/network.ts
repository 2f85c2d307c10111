import { attempt } from './attempt.js';
import { parseBytes } from './bytes.js';
import { parseDuration } from './durations.js';
import type { Path, Report } from './error.js';
import { isUnfilled } from './placeholders.js';
import type { TomlTable } from './toml.js';

/** Between the system and each connection of its users. */
export type Network = {
  /** null: as fast as it goes */
  bandwidth_bytes_per_second: number | null;
  latency_ms: number;
  jitter_ms: number;
};

/** Toxiproxy counts in kB/s. */
const least = 1000;

/** @param url of the environment */
export function readNetwork(written: TomlTable | undefined, url: string, path: Path, report: Report): Network | null {
  if (!written) return null;
  if (/^https:/i.test(url)) {
    report(
      path,
      'the network of an https:// system cannot be shaped',
      'Its certificate would be for another host: ' + 'shape a http:// URL, such as the one behind whatever does TLS.',
      'key',
    );
  }
  const [latency, jitter] = ['latency', 'jitter'].map((key) =>
    milliseconds(written[key] ?? '0s', [...path, key], report),
  );
  if (jitter > latency) {
    report(
      [...path, 'jitter'],
      'the jitter is more than the latency: nothing comes before it is sent',
      'It is the most that the latency varies, to either side.',
    );
  }
  const bandwidth = bandwidthOf(written.bandwidth, path, report);
  return { bandwidth_bytes_per_second: bandwidth, latency_ms: latency, jitter_ms: jitter };
}

const milliseconds = (text: string, path: Path, report: Report) =>
  isUnfilled(text) ? 0 : Number(((attempt(() => parseDuration(text), path, report) ?? 0) * 1000).toPrecision(12));

function bandwidthOf(text: string | undefined, path: Path, report: Report) {
  if (text === undefined || isUnfilled(text)) return null;
  const at = [...path, 'bandwidth'];
  const [, amount] = /^(.*)\/s$/.exec(text) ?? [];
  if (amount === undefined) report(at, `"${text}" is not a bandwidth like "1MB/s"`);
  const bytes = amount === undefined ? null : attempt(() => parseBytes(amount), at, report);
  if (bytes !== null && bytes < least) report(at, `a bandwidth of ${text} is too little`, 'At least 1kB/s.');
  return bytes;
}
