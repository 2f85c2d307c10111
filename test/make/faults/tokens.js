import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, spawnBenchfolio } from '../../support/cli.js';
import { randomTokens, spellings } from '../../support/secrets.js';

/** @import { Outcome, Random } from './run-faults.js' */

/** So many tokens go through one run: each has requests of its own. */
const perRun = 20;

/** It says all that it gets, in its answers and its log, in several spellings; and fails every third request. */
const server = `import { createServer } from 'node:http';
let seen = 0;
createServer((request, response) => {
  let body = '';
  request.on('data', (part) => (body += part)).on('end', () => {
    seen += 1;
    const said = [request.url, request.headers['x-token'] ?? '', request.headers.authorization ?? '', body];
    const texts = [...said, JSON.stringify(said), encodeURIComponent(said.join(' ')), Buffer.from(said[1]).toString('base64')];
    console.log(texts.join('\\n'));
    response.writeHead(seen % 3 === 0 ? 500 : 200, { 'x-echo': encodeURIComponent(body) });
    response.end(texts.join('\\n'));
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
`;

/** @param {number} count @param {boolean} smoke @returns {string} */
const specWith = (count, smoke) => `title = "Echo"
[environments.local]
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
command = ["node", "server.mjs", "\${env.T0}"]
env = { PORT = "\${port}", GIVEN = "\${env.T1}" }
ready = "tcp://127.0.0.1:\${port}"
[scenarios.s]
executor = "shared-iterations"
iterations = 6
vus = 2
smoke = ${smoke}
gracefulStop = "1s"
${Array.from(
  { length: count },
  (_, i) => `[[scenarios.s.requests]]
name = "r${i}"
post = "/a?key=\${env.T${i}}&x=1"
headers = { authorization = "Bearer b${i}" }
body = { json = { token = "\${env.T${i}}" } }
expect = { status = 200, body = "never there" }
`,
).join('')}`;

/**
 * Sends random tokens through a run, a report, a comment and pages, and looks for them in all that is left.
 * @param {number} count
 * @param {Random} random
 * @returns {Promise<Outcome[]>}
 */
export async function sendTokens(count, random) {
  const tokens = randomTokens(count, random);
  const failures = [];
  for (let from = 0; from < count; from += perRun) {
    const some = tokens.slice(from, from + perRun);
    failures.push(...(await sendSome(some).catch((error) => some.map(() => String(error)))));
  }
  return [{ what: 'tokens: run, report, comment, site', tried: count, failures }];
}

/** @param {string[]} tokens @returns {Promise<string[]>} */
async function sendSome(tokens) {
  const cwd = await folderOf({
    'bench.toml': '',
    'specs/echo/spec.toml': specWith(tokens.length, true),
    'specs/echo/server.mjs': server,
  });
  const env = Object.fromEntries(tokens.map((token, i) => [`T${i}`, token]));
  // Before the load, a request that fails says all that was sent and came back.
  const tried = await spawnBenchfolio(['run', '--rounds', '1'], { cwd, env });
  if (tried.code !== 4) throw new Error(`a failing request did not end the run: ${tried.stderr}`);
  writeFileSync(join(cwd, 'specs/echo/spec.toml'), specWith(tokens.length, false));
  const said = [tried.stdout, tried.stderr];
  for (const args of [
    ['run', '--rounds', '1', '--player', 'native'],
    ['run', '--rounds', '1', '--player', 'javascript'],
    ['report', '--format', 'markdown'],
    ['comment', '--dry-run'],
    ['site'],
  ]) {
    const { code, stdout, stderr } = await spawnBenchfolio(args, { cwd, env });
    if (![0, 1, 3].includes(Number(code))) throw new Error(`${args[0]} ended with ${code}: ${stderr}`);
    said.push(stdout, stderr);
  }
  const files = ['.bench', 'public'].flatMap((folder) =>
    readdirSync(join(cwd, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const texts = [
    ...said.map((text) => ['what was printed', text]),
    ...files.map((file) => [file.slice(cwd.length + 1), readFileSync(file, 'utf8')]),
  ];
  if (!texts.some(([, text]) => text.includes('***'))) throw new Error('no token came through: nothing was looked at');
  return tokens.flatMap((token) => {
    const forms = Object.entries(spellings).map(([name, spell]) => [name, spell(token)]);
    const places = texts.flatMap(([place, text]) =>
      forms.filter(([, form]) => text.includes(form)).map(([name]) => `${name} in ${place}`),
    );
    return places.length ? [`${JSON.stringify(token)}: ${[...new Set(places)].join(', ')}`] : [];
  });
}
