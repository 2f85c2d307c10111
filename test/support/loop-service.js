// A service whose work its dependency says, which a build "installs": commits of it differ in speed, notes or specs.
import { repositoryOf } from './commits.js';

/**
 * Works as long as its dependency says, and else sleeps, for others to have the machine; ends by itself the third time where
 * asked to.
 */
export const server = `
const { appendFileSync, readFileSync } = require('node:fs');
if (process.env.ENDS) {
  appendFileSync('starts', 'x');
  if (readFileSync('starts', 'utf8').length === 3) setTimeout(() => process.exit(7), 1000);
}
const { loops } = require('./node_modules/loop');
require('node:http').createServer((request, response) => {
  if (request.url === '/half' && process.env.HALF && Math.random() < 0.5) { response.statusCode = 500; return response.end(); }
  let x = 0;
  for (let i = 0; i < loops; i += 1) x = (x * 31 + i) | 0;
  setTimeout(() => response.end(String(x)), 3);
}).listen(process.env.PORT, '127.0.0.1');
`;

/** "Installs" the dependency in the version that package.json asks for, as npm would: beside the service. */
const install = `
const { mkdirSync, writeFileSync, readFileSync } = require('node:fs');
const { loops } = JSON.parse(readFileSync('package.json', 'utf8'));
if (loops === null) { console.error('no such version'); process.exit(1); }
mkdirSync('node_modules/loop', { recursive: true });
writeFileSync('node_modules/loop/index.js', 'exports.loops = ' + loops);
`;

/** The spec. */
export const spec = `
title = "Loop"
[environments.local]
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
build = ["node", "install.cjs"]
command = ["node", "server.cjs"]
env = { PORT = "\${port}" }
ready = "http://127.0.0.1:\${port}/"
[scenarios.turns]
executor = "constant-vus"
vus = 5
duration = "30s"
[[scenarios.turns.requests]]
get = "/half"
expect = { status = 200 }
`;

/** For scenarios with `script = "turns.js"`. */
const script = `
import { bench } from '../../.bench/benchfolio/k6/script.js';
export const { options, handleSummary } = bench;
const half = bench.request({ get: '/half' });
export default bench.iteration(() => half());
`;

/**
 * A repository whose commits have these files.
 * @param {number} alpha
 * @param {{ loops?: number | null, spec?: string | null, note?: string }[]} commits
 * @returns {Promise<string>}
 */
export const loopRepository = (alpha, ...commits) =>
  repositoryOf(
    {
      'bench.toml': `[duet]\nload = false\nblocks = 2\nwarmup = "300ms"\nduration = "1s"\n[compare]\nalpha = ${alpha}\n`,
      '.gitignore': 'node_modules\n.bench\n',
      'specs/loop/server.cjs': server,
      'specs/loop/install.cjs': install,
      'specs/loop/turns.js': script,
    },
    ...commits.map(({ loops = 20000, spec: text = spec, note = '' }) => ({
      'specs/loop/package.json': JSON.stringify({ loops, note }),
      'specs/loop/spec.toml': text,
    })),
  );
