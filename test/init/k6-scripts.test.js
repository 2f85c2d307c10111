// k6 scripts of a repository become scenarios, as they are.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { init, passesCheck, repository, server, specOf } from '../support/init.js';

const base = { 'package.json': '{ "name": "shop", "scripts": { "start": "node server.js" } }', 'server.js': server };
const http = "import http from 'k6/http';\n";
const ramp = "export const options = { stages: [{ duration: '5s', target: 5 }, { duration: '9s', target: 5 }] };\n";

describe('init takes of k6 scripts', () => {
  test('those with an iteration, wherever they are, and the variable of their address', async () => {
    const folder = await repository({
      ...base,
      'loadtests/journey.js': `${http}${ramp}export default () => { http.get(__ENV.BASE_URL); };\n`,
      'loadtests/lib/login.js': `${http}export const login = () => http.post('/login');\n`,
      'test/perf/spike.ts': `import { TARGET } from './config.ts';\n${http}export default () => { http.get(TARGET); };\n`,
      'test/perf/config.ts': 'export const TARGET = __ENV.TARGET_URL || "http://localhost:3000";\n',
      'k6/steady.js': `${http}export const options = { scenarios: { a: { executor: 'constant-vus', vus: 1, duration: '9s', exec: 'go' } } };\nexport function go() { http.get(__ENV['API']); }\n`,
      'node_modules/x/k6.js': `${http}export default () => {};\n`,
      'src/other.js': 'export default 1;\n',
    });
    const said = await init(folder);
    const { steady, ...scripts } = specOf(folder, 'shop').scenarios;
    assert.deepEqual(scripts, {
      'k6-steady': { script: '../../k6/steady.js', env: { API: '${url}' } },
      journey: { script: '../../loadtests/journey.js' },
      spike: { script: '../../test/perf/spike.ts', env: { TARGET_URL: '${url}' } },
    });
    assert.ok(steady.requests);
    assert.match(said, /k6\/steady\.js, loadtests\/journey\.js, test\/perf\/spike\.ts: k6 scripts/);
    assert.match(said, /npx benchfolio run shop --scenario steady --quick/);
    await passesCheck(folder);
  });

  test('one that knows its address alone is named', async () => {
    const folder = await repository({
      ...base,
      'load.js': `${http}export default () => { http.get('https://shop.example.com/items'); };\n`,
    });
    assert.match(await init(folder), /load\.js sends to https:\/\/shop\.example\.com: let it take __ENV\.BASE_URL/);
  });
});
