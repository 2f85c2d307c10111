import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';

/**
 * Reads what `benchfolio generate --print-results` prints, a line at a time: progress, then the results as one framed text, or
 * why there are none.
 *
 * @typedef {{ state: 'none' | 'begun' | 'whole', data: Buffer | null, failure: string | null, problem: string | null }} Frame
 *   data: unpacked, when it is whole; failure: what the generator says of itself; problem: why a frame cannot be used
 */

const begin = /^benchfolio-results (\d+) (\d+) ([0-9a-f]{64})$/;
const end = 'benchfolio-results-end';
const failed = /^benchfolio-failed (\{.*\})$/;

/** The form that we read. */
const version = 2;

/**
 * @returns {{ read: (line: string) => boolean, frame: () => Frame }} read: gives whether the line was the frame's
 */
export function frameReader() {
  /** @type {Frame} */
  let frame = { state: 'none', data: null, failure: null, problem: null };
  /** @type {string[]} */
  let lines = [];
  let expected = { version: 0, bytes: 0, sha256: '' };
  const finish = () => {
    const { data, problem } = unpacked(lines.join(''), expected);
    lines = [];
    frame = { ...frame, state: 'whole', data, problem };
  };
  return {
    frame: () => frame,
    read(line) {
      if (frame.state === 'begun') {
        if (line === end) finish();
        else if (line.startsWith('|')) lines.push(line.slice(1));
        else return false; // of the other stream
        return true;
      }
      const [, form, bytes, sha256] = line.match(begin) ?? [];
      if (form !== undefined) {
        expected = { version: Number(form), bytes: Number(bytes), sha256 };
        frame = { ...frame, state: 'begun' };
        return true;
      }
      const [, said] = line.match(failed) ?? [];
      if (said === undefined) return false;
      frame = { ...frame, failure: reasonIn(said) };
      return true;
    },
  };
}

/** @param {string} json */
function reasonIn(json) {
  try {
    return String(JSON.parse(json).reason);
  } catch {
    return json;
  }
}

/**
 * @param {string} text base64
 * @param {{ version: number, bytes: number, sha256: string }} expected
 * @returns {{ data: Buffer | null, problem: string | null }}
 */
function unpacked(text, expected) {
  const no = (/** @type {string} */ problem) => ({ data: null, problem });
  if (expected.version !== version)
    return no(`its results have form ${expected.version}, and this version reads ${version}`);
  const packed = Buffer.from(text, 'base64');
  if (packed.length !== expected.bytes) {
    return no(`of its results ${packed.length} of ${expected.bytes} bytes arrived`);
  }
  if (createHash('sha256').update(packed).digest('hex') !== expected.sha256) return no('its results are damaged');
  try {
    return { data: gunzipSync(packed), problem: null };
  } catch (cause) {
    return no(`its results cannot be unpacked: ${/** @type {Error} */ (cause).message}`);
  }
}
