import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { spawnBenchfolio, startBenchfolio } from './cli.js';
import { freePort } from './free-port.js';
import { until } from './until.js';

/**
 * A server that answers `/wait/<ms>` after so long, and keeps what it was asked.
 * @returns {Promise<{ url: string, seen: string[], close: () => void }>}
 */
export async function waitingServer() {
  /** @type {string[]} */
  const seen = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    seen.push(url);
    setTimeout(() => response.end('ok'), Number(url.split('/')[2] ?? 0));
  });
  const port = await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(/** @type {any} */ (server.address()).port));
  });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, seen, close };
}

/**
 * Plays all parts of an archive at the same moment, as machines do that one resumes together.
 * @param {string} cwd
 * @param {number} of parts
 * @param {string[]} [more] options
 * @returns {Promise<string[]>} their folders, relative
 */
export async function playTogether(cwd, of, more = []) {
  const ports = await Promise.all(Array.from({ length: of }, freePort));
  const name = (/** @type {number} */ i) => `of-${of}-part-${i + 1}`;
  const started = ports.map((port, i) =>
    startBenchfolio(
      ['generate', 'case.tar', '--part', `${i + 1}/${of}`, '--output', name(i), ...more].concat([
        '--paused',
        '--address',
        `127.0.0.1:${port}`,
      ]),
      { cwd },
    ),
  );
  await Promise.all(ports.map(untilPaused));
  await Promise.all(ports.map(resume));
  for (const { code, stderr } of await Promise.all(started.map(({ done }) => done))) assert.equal(code, 0, stderr);
  return ports.map((_, i) => name(i));
}

/** Plays an archive on one machine. @param {string} cwd */
export async function playAlone(cwd) {
  const { code, stderr } = await spawnBenchfolio(['generate', 'case.tar', '--output', 'alone'], { cwd });
  assert.equal(code, 0, stderr);
}

/** @param {number} port where k6 takes commands */
export const untilPaused = (port) =>
  until(
    async () => (await status(port).catch(() => null))?.paused,
    () => 'k6 did not come up',
    30_000,
  );

/** @param {number} port */
async function status(port) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/status`);
  return (await response.json()).data.attributes;
}

/** @param {number} port */
export const resume = (port) =>
  fetch(`http://127.0.0.1:${port}/v1/status`, {
    method: 'PATCH',
    body: JSON.stringify({ data: { type: 'status', id: 'default', attributes: { paused: false } } }),
  });
