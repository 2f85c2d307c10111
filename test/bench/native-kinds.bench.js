// The native player beside wrk in kinds of load that cost in other ways than short replies on kept connections: requests per
// CPU second of each, in turn, on nginx; by HTTP/2, which wrk does not speak, beside k6's own client. Needs Linux, nginx and wrk;
// TLS needs openssl. What a change of the player is worth
// shows beside a k6 with the player before it, since one run is not comparable with another:
//   node test/bench/native-kinds.bench.js <times> [<k6 before>]
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { findProgram, findTool } from '../../dist/base/tools/find-tool.js';
import { longest, perCpuSecond, playerCommand, ratioText, withNginx } from './loads-on-nginx.js';
import { size } from './short.js';

const repeats = Number(process.argv[2] ?? size(5, 1));
const before = process.argv[3];

/** @type {{ title: string, aim: string, users: number, path: string, post?: number, tls?: 'tls' | 'http2' }[]} post: bytes */
const kinds = [
  { title: '10 users', aim: '0.85', users: 10, path: '/' },
  { title: '500 users', aim: '0.9', users: 500, path: '/' },
  { title: 'TLS', aim: '0.85', users: 10, path: '/', tls: 'tls' },
  { title: 'POST of 10 kB', aim: '0.85', users: 10, path: '/', post: 10_000 },
  { title: 'replies of 100 kB', aim: '0.9', users: 10, path: '/large' },
  { title: 'connection close', aim: '0.9', users: 10, path: '/close' },
  { title: 'HTTP/2', aim: "2 of k6's own client", users: 10, path: '/', tls: 'http2' },
];

/** @param {{ folder: string, tlsPort: number, http2Port: number }} place @param {boolean} tls */
const serverOf = ({ folder, tlsPort, http2Port }, tls) => `root ${folder};
    ${tls ? `listen 127.0.0.1:${tlsPort} ssl; listen 127.0.0.1:${http2Port} ssl http2; ssl_certificate ${folder}/cert; ssl_certificate_key ${folder}/key;` : ''}
    location / { return 200 "hello world\\n"; }
    location /close { keepalive_timeout 0; return 200 "hello world\\n"; }
    location /large { }`;

/** @param {string} openssl @param {string} folder gets a key and a certificate of 127.0.0.1 */
function certify(openssl, folder) {
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const { status, stderr } = spawnSync(openssl, [...args, ...names, '-keyout', 'key', '-out', 'cert'], { cwd: folder });
  if (status !== 0) throw new Error(`openssl: ${stderr}`);
}

const specOf = () =>
  kinds
    .map(
      ({ users, path, post }, i) => `[scenarios.kind-${i}]
executor = "constant-vus"
vus = ${users}
duration = "${longest}s"
[[scenarios.kind-${i}.requests]]
${post ? `post = "${path}"\nbody = { bytes = ${post} }` : `get = "${path}"`}
`,
    )
    .join('');

/** Fails where a server does not offer HTTP/2: both would speak HTTP/1.1. @param {string} url */
async function offersHTTP2(url) {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ host, port: Number(port), ALPNProtocols: ['h2'], rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.destroy();
  if (socket.alpnProtocol !== 'h2') throw new Error('this nginx does not speak HTTP/2');
}

/** @param {string} nginx @param {string} wrk @param {string | undefined} openssl */
async function compare(nginx, wrk, openssl) {
  const { path: now } = await findTool('k6', { native: true });
  const chosen = kinds.filter(({ tls }) => !tls || openssl);
  const prepared = (/** @type {{ folder: string, tlsPort: number, http2Port: number }} */ place) => {
    if (openssl) certify(openssl, place.folder);
    return serverOf(place, openssl !== undefined);
  };
  await withNginx(nginx, prepared, async ({ folder, url, tlsUrl, http2Url, counted }) => {
    writeFileSync(join(folder, 'large'), Buffer.alloc(100_000, 'x'));
    const spec = join(folder, 'spec.toml');
    writeFileSync(spec, `title = "kinds"\n[environments.local]\nurl = "http://127.0.0.1:1"\n${specOf()}`);
    if (openssl) await offersHTTP2(http2Url);
    console.log(`requests per CPU second of the native player, beside those of wrk; ${repeats} times in turn`);
    const players = [{ name: 'native', k6: now }, ...(before ? [{ name: 'before', k6: before }] : [])];
    /** @type {Record<string, number[]>[]} by kind and generator */
    const measured = chosen.map(() => ({ peer: [], native: [], before: [] }));
    for (let time = 0; time < repeats; time += 1)
      for (const [i, { users, path, post, tls }] of chosen.entries()) {
        const target = { tls: tlsUrl, http2: http2Url, none: url }[tls ?? 'none'];
        const lua = join(folder, 'post.lua');
        writeFileSync(lua, `wrk.method = "POST"\nwrk.body = string.rep("x", ${post ?? 0})\n`);
        const wrkArgs = ['-t1', `-c${users}`, `-d${longest}`, ...(post ? ['-s', lua] : []), target + path];
        const scenario = `kind-${kinds.indexOf(chosen[i])}`;
        const env = [`SSL_CERT_FILE=${join(folder, 'cert')}`];
        const own = playerCommand({ k6: now, entry: 'main.js', spec, scenario, url: target, env });
        const peer = tls === 'http2' ? own : [wrk, ...wrkArgs];
        measured[i].peer.push((await perCpuSecond(peer, counted)).cost);
        for (const { name, k6 } of players) {
          const command = playerCommand({ k6, spec, scenario, url: target, env });
          measured[i][name].push((await perCpuSecond(command, counted)).cost);
        }
      }
    for (const [i, { title, aim }] of chosen.entries()) {
      console.log(`  ${title.padEnd(20)} ${ratioText(measured[i].native, measured[i].peer, aim)}`);
      if (before)
        console.log(
          `  ${''.padEnd(20)} ${ratioText(measured[i].native, measured[i].before, 'above 1')} of the k6 before`,
        );
    }
  });
}

const [nginx, wrk, openssl] = ['nginx', 'wrk', 'openssl'].map((name) => findProgram(name, process.env));
if (!nginx || !wrk) console.log('kinds of load: left out, since nginx and wrk are not both on PATH');
else await compare(nginx, wrk, openssl ?? undefined);
