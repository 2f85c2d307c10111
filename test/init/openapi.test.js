import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { init, passesCheck, repository, server, specOf } from '../support/init.js';

const status = (/** @type {number} */ code) => ({ responses: { [code]: {} } });

/** @param {Record<string, any>} paths @param {Record<string, any>} [more] */
const described = (paths, more) => JSON.stringify({ openapi: '3.1.0', paths, ...more });

/**
 * What becomes requests of an OpenAPI file, and what is said of the rest.
 * @type {Record<string, { file?: string, text: string, requests: [string, number][] | null, ready?: string, says?: RegExp }>}
 */
const files = {
  'addresses without parameters, in their order, but for those of health and metrics': {
    text: described({
      '/orders': { get: status(200), post: status(201) },
      '/health': { get: status(200) },
      '/metrics': { get: status(200) },
      '/items': { get: { parameters: [{ name: 'page', in: 'query' }], ...status(206) } },
      '/new': { post: status(201) },
    }),
    requests: [
      ['/orders', 200],
      ['/items', 206],
    ],
    ready: '/health',
    says: /openapi\.json describes the 2 requests that are sent/,
  },
  'examples of parameters, encoded': {
    file: 'docs/openapi.yaml',
    text: `openapi: 3.0.3
servers: [{ url: "https://api.example.com/{stage}/shop/", variables: { stage: { default: v1 } } }]
paths:
  /orders/{id}:
    parameters: [{ $ref: "#/components/parameters/id" }]
    get:
      parameters:
        - { name: q, in: query, required: true, schema: { type: string, example: "a b&c\${x}" } }
        - { name: n, in: query, required: true, schema: { type: array, default: [1, 2] } }
  /items/{name}:
    get: { parameters: [{ name: name, in: path, examples: { one: { $ref: "#/components/examples/one" } } }] }
  /items/{id}/none:
    get: { parameters: [{ name: id, in: path, required: true }] }
  /with-header:
    get: { parameters: [{ name: X-Tenant, in: header, required: true, example: a }] }
  /items/pen:
    get: {}
components:
  parameters: { id: { name: id, in: path, required: true, example: 7/8 } }
  examples: { one: { value: "pen" } }
`,
    requests: [
      ['/v1/shop/orders/7%2F8?q=a%20b%26c%24%7Bx%7D&n=1&n=2', 200],
      ['/v1/shop/items/pen', 200],
    ],
    says: /GET \/items\/\{id\}\/none +a parameter has no example\n {2}GET \/with-header +a parameter has no example/,
  },
  'Swagger 2, and what needs credentials': {
    file: 'src/main/resources/swagger.yml',
    text: `swagger: "2.0"
basePath: /api
security: [{ key: [] }]
paths:
  /mine: { get: { responses: { 200: {} } } }
  /open: { get: { security: [], parameters: [{ name: size, in: query, required: true, type: array, default: [1, 2] }] } }
`,
    requests: [['/api/open?size=1%2C2', 200]],
    says: /GET \/mine +it needs credentials/,
  },
  'at most ten': {
    text: described(Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`/a${i}`, { get: {} }]))),
    requests: Array.from({ length: 10 }, (_, i) => [`/a${i}`, 200]),
    says: /GET \/a10 +10 requests are enough to begin with\n {2}GET \/a11 /,
  },
  'nothing, where all is for others': {
    text: described({ '/a': { post: {} } }),
    requests: null,
    says: /POST \/a +it may change data/,
  },
  'nothing of a file that is none': { text: '{"openapi": ', requests: null },
  'nothing of references that lead nowhere': {
    text: described({
      '/a/{b}': { get: { parameters: [{ $ref: '#/x/y' }, { $ref: 'other.json' }] } },
      '/c': { $ref: '#/paths/~1c' },
    }),
    requests: null,
  },
};

describe('init takes of an OpenAPI file', () => {
  for (const [name, { file = 'openapi.json', text, requests, ready, says = /^/ }] of Object.entries(files)) {
    test(name, async () => {
      const folder = await repository({ 'server.js': server, [file]: text });
      assert.match(await init(folder, 'shop'), says);
      await passesCheck(folder);
      const { environments, scenarios } = specOf(folder, 'shop');
      const expected = (requests ?? [['/', 200]]).map(([get, code], _, { length }) => ({
        get,
        ...(length > 1 && { weight: 1 }),
        expect: { status: code },
      }));
      assert.deepEqual(scenarios.steady.requests, expected);
      assert.equal(environments.local.services[0].ready, `http://127.0.0.1:\${port}${ready ?? expected[0].get}`);
    });
  }

  test('requests for a container too', async () => {
    const folder = await repository({
      Dockerfile: 'FROM x\nEXPOSE 80\n',
      'api/openapi.json': described({ '/items': { get: {} } }),
    });
    await init(folder, 'shop');
    await passesCheck(folder);
    assert.equal(specOf(folder, 'shop').scenarios.steady.requests[0].get, '/items');
  });
});
