import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';

/**
 * Reads what `benchfolio generate --print-results` prints, a line at a time: progress, then the results as one framed text, or
 * why there are none.
 * data: unpacked, when it is whole; failure: what the generator says of itself; problem: why a frame cannot be used
 */
export type Frame = {
  state: 'none' | 'begun' | 'whole';
  data: Buffer | null;
  failure: string | null;
  problem: string | null;
};

const begin = /^benchfolio-results (\d+) (\d+) ([0-9a-f]{64})$/;
const end = 'benchfolio-results-end';
const failed = /^benchfolio-failed (\{.*\})$/;

/** The form that we read. */
const version = 2;

/** @returns read: gives whether the line was the frame's */
export function frameReader(): { read: (line: string) => boolean; frame: () => Frame } {
  let frame: Frame = { state: 'none', data: null, failure: null, problem: null };
  let lines: string[] = [];
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

function reasonIn(json: string) {
  try {
    return String(JSON.parse(json).reason);
  } catch {
    return json;
  }
}

/** @param text base64 */
function unpacked(
  text: string,
  expected: { version: number; bytes: number; sha256: string },
): { data: Buffer | null; problem: string | null } {
  const no = (problem: string) => ({ data: null, problem });
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
    return no(`its results cannot be unpacked: ${(cause as Error).message}`);
  }
}
