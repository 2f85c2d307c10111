import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { portPool } from '../../dist/base/process/ports.js';
import { findProgram } from '../../dist/base/tools/find-tool.js';

/** @import { Server } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */

export const prometheusHere = findProgram('prometheus', process.env);

/**
 * Starts a Prometheus as somebody else would have it.
 * @param {object} [config] its configuration
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function runPrometheus(config = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'benchfolio-prometheus-'));
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const port = await portPool().take();
  const child = spawn(
    String(prometheusHere),
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-remote-write-receiver',
      '--enable-feature=native-histograms',
      '--log.level=error',
    ],
    { stdio: 'inherit' },
  );
  process.on('exit', () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  while (child.exitCode === null && !(await fetch(`${url}/-/ready`).catch(() => null))?.ok) await sleep(50);
  return {
    url,
    async stop() {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a Prometheus, and before it a door that lets only us in.
 * @param {{ user: string, PROMETHEUS_PASSWORD: string, PROMETHEUS_TENANT: string }} who
 * @returns {Promise<{ url: string, guarded: string, stop: () => Promise<void> }>} guarded: the door's address
 */
export async function startPrometheus({ user, PROMETHEUS_PASSWORD, PROMETHEUS_TENANT }) {
  const { url, stop } = await runPrometheus();
  const basic = `Basic ${Buffer.from(`${user}:${PROMETHEUS_PASSWORD}`).toString('base64')}`;
  const door = createServer((asked, answer) => {
    if (asked.headers.authorization !== basic || asked.headers['x-scope-orgid'] !== PROMETHEUS_TENANT) {
      answer.writeHead(401).end();
      return;
    }
    asked.pipe(
      request(`${url}${asked.url}`, { method: asked.method, headers: asked.headers }, (got) => {
        answer.writeHead(got.statusCode ?? 500, got.headers);
        got.pipe(answer);
      }),
    );
  });
  return {
    url,
    guarded: await listen(door),
    async stop() {
      door.close();
      door.closeAllConnections();
      await stop();
    },
  };
}

/** A server that takes requests and never answers. */
export async function hangingServer() {
  const server = createServer(() => {});
  const url = await listen(server);
  return {
    url,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** @param {Server} server @returns {Promise<string>} its address */
async function listen(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`;
}

/**
 * @param {string} url of a Prometheus
 * @param {string} query
 * @returns {Promise<any[]>} the series that it finds now
 */
export async function ask(url, query) {
  const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query })}`);
  return /** @type {any} */ (await response.json()).data.result;
}
