import { attempt } from './attempt.js';
import { parseBytes } from './bytes.js';
import { parseDuration } from './durations.js';
import { isUnfilled } from './placeholders.js';

/** @import { Path, Report } from './error.js' */
/** @import { TomlTable } from './toml.js' */

/**
 * @typedef {object} Network between the system and each connection of its users
 * @property {number | null} bandwidth_bytes_per_second null: as fast as it goes
 * @property {number} latency_ms
 * @property {number} jitter_ms
 */

/** Toxiproxy counts in kB/s. */
const least = 1000;

/**
 * @param {TomlTable | undefined} written
 * @param {string} url of the environment
 * @param {Path} path
 * @param {Report} report
 * @returns {Network | null}
 */
export function readNetwork(written, url, path, report) {
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

/** @param {string} text @param {Path} path @param {Report} report */
const milliseconds = (text, path, report) =>
  isUnfilled(text) ? 0 : Number(((attempt(() => parseDuration(text), path, report) ?? 0) * 1000).toPrecision(12));

/** @param {string | undefined} text @param {Path} path @param {Report} report */
function bandwidthOf(text, path, report) {
  if (text === undefined || isUnfilled(text)) return null;
  const at = [...path, 'bandwidth'];
  const [, amount] = /^(.*)\/s$/.exec(text) ?? [];
  if (amount === undefined) report(at, `"${text}" is not a bandwidth like "1MB/s"`);
  const bytes = amount === undefined ? null : attempt(() => parseBytes(amount), at, report);
  if (bytes !== null && bytes < least) report(at, `a bandwidth of ${text} is too little`, 'At least 1kB/s.');
  return bytes;
}
