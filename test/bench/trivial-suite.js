import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../support/scratch.js';

/**
 * A suite of one system that says hello, outside the repository.
 * @param {string} scenario TOML
 * @param {string} [bench] its bench.toml
 * @returns {string} its folder
 */
export function trivialSuite(scenario, bench = '') {
  const suite = scratchFolder();
  const folder = join(suite, 'specs', 'trivial');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(suite, 'bench.toml'), bench);
  // It says itself how long it took to start: from its process's first moment until it listens.
  writeFileSync(
    join(folder, 'server.js'),
    `
    require('node:http').createServer((request, response) => response.end('hello'))
      .listen(process.env.PORT, '127.0.0.1', () => console.log(JSON.stringify({ start_ms: performance.now() })));`,
  );
  writeFileSync(
    join(folder, 'spec.toml'),
    `
title = "Trivial"
[environments.single]
url = "http://127.0.0.1:\${port}"
[[environments.single.services]]
name = "app"
command = ["node", "server.js"]
env = { PORT = "\${port}" }
${scenario}
requests = [{ get = "/" }]
`,
  );
  return suite;
}
