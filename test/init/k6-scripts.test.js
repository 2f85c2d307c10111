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

  test('no parts of others, no page objects, and none that would be refused: each is named with its reason', async () => {
    const run = 'export default function () { http.get(__ENV.BASE_URL); }\n';
    const folder = await repository({
      ...base,
      // a class, a function that others call, and what another script imports
      'load/pages/cart.js': `import { check } from 'k6';\nexport default class Cart { open(page) { check(page, {}); } }\n`,
      'load/helpers/order.js': `${http}export default async function (base, { id }) { http.get(base + id); }\n`,
      'load/helpers/data.js': `${http}export default function () { return http.get('/'); }\n`,
      'load/main.js': `import data from './helpers/data.js';\n${http}export default function ({ token }) { data(); http.get(__ENV.BASE_URL); }\n`,
      // 12 that would not run here, before it by name
      ...Object.fromEntries(
        [...'abcdefghijkl'].map((name) => [
          `load/a-${name}.js`,
          `import { browser } from 'k6/browser';\n${http}${run}`,
        ]),
      ),
      'load/old.js': `import { chromium } from 'k6/experimental/browser';\n${run}`,
      'load/sql.js': `import sql from 'k6/x/sql';\n${http}${run}`,
      'load/remote.js': `import { uuidv4 } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';\n${http}${run}`,
      'load/lost.js': `import { base } from './lib/base';\n${http}${run}`,
      'load/lodash.js': `import _ from 'lodash';\n${http}${run}`,
      'load/throws.js': `${http}throw new Error('no data');\n${run}`,
      'load/pieces.js': `${http}export default () => { http.get(__ENV.PROTO + '://' + __ENV.HOSTNAME + '/'); };\n`,
      'load/host.js': `${http}const { SHOP_HOST = 'http://localhost:3000' } = __ENV;\nexport default () => { http.get(SHOP_HOST); };\n`,
    });
    const said = await init(folder);
    const { steady, ...scripts } = specOf(folder, 'shop').scenarios;
    assert.deepEqual(scripts, {
      host: { script: '../../load/host.js', env: { SHOP_HOST: '${url}' } },
      main: { script: '../../load/main.js' },
    });
    assert.ok(steady);
    assert.match(said, /load\/a-a\.js is no scenario: imports k6\/browser: browser scenarios are not measured/);
    assert.match(said, /\d+ more k6 scripts are no scenarios/);
    assert.doesNotMatch(said, /jslib\.k6\.io: let it take/, 'the address of an import is no target');
    await passesCheck(folder);
  });

  for (const [name, text, why] of /** @type {const} */ ([
    ['sql', `import sql from 'k6/x/sql';\n`, 'imports k6/x/sql, an extension of k6'],
    [
      'remote',
      `import x from 'https://jslib.k6.io/a.js';\n`,
      'imports https://jslib.k6.io/a.js, which k6 fetches each time',
    ],
    ['lost', `import { base } from './lib/base';\n`, 'imports ./lib/base, which is not there'],
    ['lodash', `import _ from 'lodash';\n`, 'imports lodash, which k6 does not have'],
    ['throws', `throw new Error('no data');\n`, 'k6 cannot read load/throws.js: Error: no data'],
    ['pieces', `http.get(__ENV.PROTO + '://' + __ENV.HOSTNAME);\n`, 'its address may be in PROTO, HOSTNAME'],
  ]))
    test(`a script that is no scenario says why: ${name}`, async () => {
      const url = name === 'pieces' ? "''" : '__ENV.BASE_URL';
      const folder = await repository({
        ...base,
        [`load/${name}.js`]: `${http}${text}export default function () { http.get(${url}); }\n`,
      });
      const said = (await init(folder)).replaceAll(/\s+/g, ' ');
      assert.ok(said.includes(`load/${name}.js is no scenario: ${why}`), said);
      assert.deepEqual(Object.keys(specOf(folder, 'shop').scenarios), ['steady']);
      await passesCheck(folder);
    });
});
