import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const program = join(import.meta.dirname, 'node_modules', 'verdaccio', 'bin', 'verdaccio');

/**
 * Starts a registry as spec.toml does: its configuration from the template, then Verdaccio on it.
 * @param {'upstream' | 'proxy'} name of the template
 * @param {Record<string, string>} values for the template's placeholders
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} it answers
 */
export async function startRegistry(name, values) {
  const config = join(values['run.dir'], 'npm-proxy', `${name}.yaml`);
  const template = readFileSync(join(import.meta.dirname, `${name}.yaml`), 'utf8');
  writeFileSync(
    config,
    template.replace(/\$\{([^}]+)\}/g, (_, key) => values[key]),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const running = spawn(process.execPath, [program, '--config', config, '--listen', address], { stdio: 'inherit' });
  const url = `http://${address}`;
  await untilUp(url, running);
  return {
    url,
    async stop() {
      running.kill();
      if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
    },
  };
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  return port;
}

/** @param {string} url @param {import('node:child_process').ChildProcess} running */
async function untilUp(url, running) {
  for (let tries = 0; tries < 300; tries += 1) {
    if (running.exitCode !== null) throw new Error(`Verdaccio ended with code ${running.exitCode}`);
    const answer = await fetch(`${url}/-/ping`).catch(() => null);
    if (answer?.ok) return;
    await pause(100);
  }
  running.kill();
  throw new Error('Verdaccio does not answer');
}
