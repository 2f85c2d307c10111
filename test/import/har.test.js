import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'smol-toml';
import { benchfolio } from '../support/cli.js';
import { fixture } from '../support/imported.js';
import { newSuite } from '../support/runs.js';

test('a recording becomes a spec without secrets, that check takes and nothing overwrites', async () => {
  const suite = newSuite();
  const har = fixture('har', 'session.har');
  const args = ['import', 'har', har, '--system', 'shop', '--write', 'specs/shop/spec.toml'];
  const written = await benchfolio(args, { cwd: suite });
  assert.equal(written.code, 0, written.stderr);
  assert.match(
    written.stderr,
    /Left out: 1 static, 1 to localhost:\d+\nHeaders left out: authorization, cookie, x-api-key\n/,
  );
  const spec = readFileSync(join(suite, 'specs', 'shop', 'spec.toml'), 'utf8');
  assert.doesNotMatch(spec, /topsecret|abcdef123/);
  assert.match(spec, /get = "\/api\/items\?page=1&token=\$\{env\.HAR_TOKEN\}"/);
  assert.match(spec, /body = \{ json = \{ item = 7, session_token = "\$\{env\.HAR_SESSION_TOKEN\}" \} \}/);
  assert.match(spec, /body = \{ form = \{ user = "ann", password = "\$\{env\.HAR_PASSWORD\}" \} \}/);
  assert.match(spec, /think = "[\d.]+s"/);
  const checked = await benchfolio(['check', 'shop'], { cwd: suite });
  assert.equal(checked.code, 0, checked.stdout);
  const again = await benchfolio(args, { cwd: suite });
  assert.equal(again.code, 2);
  assert.match(again.stderr, /is there already/);
  assert.equal(readFileSync(join(suite, 'specs', 'shop', 'spec.toml'), 'utf8'), spec);
  const printed = await benchfolio(['import', 'har', har, '--system', 'shop', '--statics'], { cwd: suite });
  assert.match(printed.stdout, /get = "\/style\.css"/);
  writeFileSync(join(suite, 'x.har'), '{"log": {"entries": []}}');
  const empty = await benchfolio(['import', 'har', 'x.har', '--system', 'shop'], { cwd: suite });
  assert.match(empty.stderr, /x\.har has no HTTP request/);
  assert.ok(!existsSync(join(suite, 'reports')));
});

/**
 * The requests of the spec that a recording becomes, and its text.
 * @param {object[]} entries what is unusual in each
 */
async function specOf(entries) {
  const log = {
    entries: entries.map((/** @type {any} */ { url = '/', method = 'POST', status = 200, ...rest }, i) => ({
      startedDateTime: `2026-01-01T00:00:0${i % 10}.000Z`,
      time: 5,
      response: { status, content: { mimeType: 'text/html' } },
      ...rest,
      request: { method, url: `http://127.0.0.1:8080${url}`, headers: [], bodySize: 9, ...rest.request },
    })),
  };
  const suite = newSuite();
  writeFileSync(join(suite, 'a.har'), JSON.stringify({ log }));
  const { code, stdout, stderr } = await benchfolio(['import', 'har', 'a.har', '--system', 'shop'], { cwd: suite });
  assert.equal(code, 0, stderr);
  const spec = JSON.parse(JSON.stringify(parse(stdout)));
  return { text: stdout, stderr, requests: spec.scenarios.recorded.requests };
}

/** @param {string} text @param {string} [mimeType] @param {object} [rest] */
const sent = (text, mimeType = 'application/json', rest = {}) => ({
  request: { postData: { mimeType, text, ...rest } },
});

test('what was sent is what is written, byte for byte', async () => {
  const form = 'application/x-www-form-urlencoded';
  const { requests } = await specOf([
    sent('a=x+y&b=%C3%A9', form),
    sent('a=x%20y&b=2', form),
    sent('a=1&a=2', form, {
      params: [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
    }),
    sent('{"id":9007199254740993,"list":[1.0]}'),
    sent('{"b":1,"a":null}'),
    sent('{"b":1,"a":{"2":1}}', 'application/vnd.api+json'),
    sent(Buffer.from('{"a":"é"}').toString('base64'), 'application/json', { encoding: 'base64' }),
    sent('price is ${x}', 'text/plain;charset=UTF-8'),
    {
      request: {
        postData: {
          mimeType: form,
          params: [
            { name: 'a', value: 'x y' },
            { name: 'a', value: '&' },
          ],
        },
      },
    },
  ]);
  assert.deepEqual(
    requests.map((/** @type {any} */ { body }) => body),
    [
      { form: { a: 'x y', b: 'é' } },
      { text: 'a=x%20y&b=2', type: form },
      { text: 'a=1&a=2', type: form },
      { text: '{"id":9007199254740993,"list":[1.0]}', type: 'application/json' },
      { text: '{"b":1,"a":null}', type: 'application/json' },
      { json: { b: 1, a: { 2: 1 } }, type: 'application/vnd.api+json' },
      { json: { a: 'é' } },
      { text: 'price is $${x}', type: 'text/plain;charset=UTF-8' },
      { text: 'a=x+y&a=%26', type: form },
    ],
  );
});

test('a secret is hidden by its name at any depth, in any kind of text, and by its form', async () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJhIjoiT25ldHdvIn0.c2lnbmVkLXNlY3JldA';
  const { text } = await specOf([
    sent(JSON.stringify({ credentials: { list: [{ value: 'zz-1' }, 'zz-2'], n: 770001 } })),
    sent(JSON.stringify({ query: 'mutation { a(password: "zz-3", pass: "zz-4") }', userPin: 770002, loginPw: 'zz-5' })),
    sent(JSON.stringify({ inner: JSON.stringify({ api_key: 'zz-6', 'client-secret': 'q"zz-7' }) })),
    sent('<Envelope><wsse:Password Type="t">zz-8</wsse:Password></Envelope>', 'text/xml'),
    sent('user: jo\npassword: "zz\\"-9"\napiKey=zz-10;', 'text/plain'),
    sent('j_password=zz%2D11&SAMLResponse=zz-12&%70assword=zz-13', 'application/x-www-form-urlencoded'),
    { method: 'GET', url: `/cb?code=zz-14&state=zz-15&redirect=/a%3Ftoken%3Dzz-16&token=zz-16` },
    { method: 'GET', url: `/reset/${jwt}/x/0123456789abcdef0123456789ABCDEF/Ab3dEf6hIj9kLm2nOp5qRs8t` },
    sent(JSON.stringify({ note: `use Bearer zz17zz, sk_live_zz18 or ${jwt}` })),
    { request: { headers: [{ name: 'Accept', value: `application/json;v=${jwt}` }], postData: { text: '' } } },
  ]);
  for (let i = 1; i <= 18; i += 1) assert.doesNotMatch(text, new RegExp(`zz-?${i}\\b|zz${i}zz`), `zz-${i}`);
  assert.doesNotMatch(text, /770001|770002|c2lnbmVk|0123456789abcdef|Ab3dEf6h|-9"|zz%2D/i);
  assert.match(text, /No rule finds every secret: read paths, queries and bodies below/);
  assert.match(text, /"userPin\\": \$\{env\.HAR_USERPIN\}|\\"userPin\\":\$\{env\.HAR_USERPIN\}/);
});

test('what is no secret stays, and equal names with other values have other variables', async () => {
  const { text, requests } = await specOf([
    sent(JSON.stringify({ author: 'ann', sort_key: 'x', compass: 'n', id: 'f47ac10b-58cc-4372-a567-0e02b2c3d479' })),
    sent(JSON.stringify({ password: 'one' })),
    sent(JSON.stringify({ password: 'two' })),
    sent(JSON.stringify({ password: 'one' })),
    { method: 'GET', url: '/list?state=open&page=2' },
  ]);
  assert.deepEqual(requests[0].body.json, {
    author: 'ann',
    sort_key: 'x',
    compass: 'n',
    id: 'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  });
  assert.deepEqual(
    requests.slice(1, 4).map((/** @type {any} */ { body }) => body.json.password),
    ['${env.HAR_PASSWORD}', '${env.HAR_PASSWORD_2}', '${env.HAR_PASSWORD}'],
  );
  assert.equal(requests[4].get, '/list?state=open&page=2');
  assert.match(text, /comes from the environment: HAR_PASSWORD, HAR_PASSWORD_2\.\n/);
});

test('what no replay can meet is left out, with the reason', async () => {
  const { text, stderr, requests } = await specOf([
    { method: 'GET', status: 304, url: '/page' },
    { method: 'GET', status: 101, url: '/socket' },
    { method: 'GET', url: '/cached', _fromCache: 'disk' },
    sent(Buffer.from([0xff, 0xfe, 0x00]).toString('base64'), 'application/x-protobuf', { encoding: 'base64' }),
    sent('{ not json', 'application/json'),
  ]);
  assert.match(stderr, /Left out: 1 answered by the browser's cache, 1 upgraded to another protocol/);
  assert.equal(requests.length, 3);
  assert.equal(requests[0].expect, undefined);
  assert.match(text, /# was 304, from the browser's cache/);
  assert.match(text, /# left out: a body that is not text\n/);
  assert.match(text, /# left out: a body that says it is JSON and is not\n/);
});
