// k6 scripts as people have them, for tests that run one and tests that play a duet of one.

/** Of a spec: a service with a port for HTTP and one for gRPC. */
export const environment = `title = "Shop"
[environments.local]
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
ports = ["http", "grpc"]
command = ["node", "server.cjs"]
env = { PORT = "\${port}", GRPC = "\${port.app.grpc}" }
ready = "http://127.0.0.1:\${port.app.http}/"
`;

/** A service that lets in who has logged in at it. @param {string} [item] @param {number} [login] status */
export const shop = (item = 'book', login = 200) => `
const token = require('node:crypto').randomUUID();
require('node:http').createServer((request, response) => {
  if (request.url === '/') return response.end('up');
  if (request.url === '/login') { response.statusCode = ${login}; return response.end(JSON.stringify({ token })); }
  response.statusCode = request.headers.authorization === token ? 200 : 401;
  response.end(JSON.stringify({ item: '${item}' }));
}).listen(process.env.PORT, '127.0.0.1');`;

/** A script with its own load, thresholds, setup, checks, data and metrics, in several files. */
export const journey = {
  'loadtests/lib/config.js': "export const BASE = __ENV.BASE_URL || 'https://shop.example.com';\n",
  'loadtests/users.json': '[{ "id": 1 }, { "id": 2 }]',
  'loadtests/journey.js': `
import http from 'k6/http';
import { check, group } from 'k6';
import { SharedArray } from 'k6/data';
import { Trend } from 'k6/metrics';
import { BASE } from './lib/config.js';
const users = new SharedArray('users', () => JSON.parse(open('./users.json')));
const reading = new Trend('reading', true);
export const options = {
  vus: 2,
  iterations: 40,
  tags: { team: 'shop' },
  thresholds: { reading: ['max<60000'], 'http_req_duration{team:shop}': ['max<60000'] },
};
let known = null; // of this user
export function setup() {
  const response = http.post(\`\${BASE}/login\`);
  if (response.status !== 200) throw new Error(\`no login: \${response.status}\`);
  return response.json();
}
export default function ({ token }) {
  known ??= token;
  group('read', () => {
    const response = http.get(\`\${BASE}/users/\${users[__ITER % 2].id}\`, { headers: { Authorization: known } });
    reading.add(response.timings.duration);
    check(response, { 'is let in': ({ status }) => status === 200, 'is a book': (it) => it.json('item') === 'book' });
  });
}
export function handleSummary(data) {
  if (__ENV.SUMMARY_FAILS) throw new Error('no summary for you');
  return { 'out/mine.json': JSON.stringify(Object.keys(data.metrics.http_req_duration.values)), stdout: 'done' };
}
`,
};
