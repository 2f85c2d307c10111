// What both players do alike, as the JavaScript player does it: Go tests of k6/native hold the native one to the same vectors.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { originOf, resolveUrl } from '../../dist/suite/cases/origin.js';
import { encodeForm, encodePath } from '../../k6/shared/encode.js';
import { compileJson, compileTemplate } from '../../k6/shared/placeholders.js';
import { fieldsOf } from '../../k6/user/fields.js';
import { createRandom } from '../../k6/user/random.js';
import { followRedirects } from '../../k6/user/redirects.js';
import { compileUrl } from '../../k6/user/url.js';
import { root } from '../support/cli.js';

/** @import { Response } from 'k6/http' */
/** @import { IterationValues, Text } from '../../k6/shared/placeholders.js' */
/** @import { Draw } from '../../dist/suite/cases/random.js' */

const vectorsOf = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(join(root, 'k6', 'native', 'vectors', `${name}.json`), 'utf8'));

/** @param {Text} text */
const filled = (text) => (typeof text === 'string' ? text : text());

/** @param {Partial<IterationValues>} values @returns {IterationValues} */
const valuesOf = (values) => ({ row: {}, captured: {}, drawn: [], ready: {}, ...values });

describe('origins', () => {
  for (const { url, origin } of vectorsOf('origins')) test(url || 'nothing', () => assert.equal(originOf(url), origin));
});

describe('references', () => {
  for (const { from, to, leads } of vectorsOf('references'))
    test(`${to} from ${from}`, () => assert.equal(resolveUrl(from, to), leads));
});

describe('addresses of requests', () => {
  for (const { url, base, hosts, row, captured, to, error } of vectorsOf('urls'))
    test(url, () => {
      const address = () => filled(compileUrl(url, { baseUrl: base, hosts }, valuesOf({ row, captured })));
      if (error) assert.throws(address, { name: 'UnsentError', message: error });
      else assert.equal(address(), to);
    });
});

describe('texts', () => {
  const { values, texts } = vectorsOf('templates');
  const { env, ...iteration } = values;
  Object.assign(globalThis, { __ENV: env }); // as k6 has it
  const compile = (/** @type {string} */ as, /** @type {string} */ text) => {
    if (as === 'json') return compileJson(text, valuesOf(iteration));
    return compileTemplate(text, valuesOf(iteration), encodings[as]);
  };
  /** @type {Record<string, (value: any) => string>} */
  const encodings = { text: String, path: encodePath, query: encodeURIComponent, form: encodeForm };
  for (const { as, text, filled: expected, error } of texts)
    test(`${as}: ${text || 'nothing'}`, () => {
      if (error)
        assert.throws(
          () => compile(as, text),
          (thrown) => thrown === `benchfolio: ${error}`,
        );
      else assert.equal(filled(compile(as, text)), expected);
    });
});

describe('redirects', () => {
  const target = { baseUrl: 'http://shop', hosts: ['https://cdn'] };
  for (const { name, sent, most = 5, answers, then, problem = null } of vectorsOf('redirects'))
    test(name, () => {
      /** @type {object[]} */
      const came = [];
      const answerTo = (/** @type {string} */ url) => {
        const [status, location] = answers[came.length];
        return /** @type {Response} */ (
          /** @type {unknown} */ ({ url, status, headers: location === null ? {} : { Location: location } })
        );
      };
      const params = { headers: sent.headers };
      const last = followRedirects(
        answerTo(sent.url),
        { method: sent.method, body: sent.body, params },
        most,
        target,
        (method, url, body, { headers } = {}) => {
          came.push({ method, url, headers, body });
          return answerTo(url);
        },
      );
      assert.deepEqual(came, then);
      assert.equal(typeof last === 'string' ? last : null, problem);
    });
});

describe('random values', () => {
  for (const { seed, user, iteration, draws, values } of vectorsOf('random'))
    test(`user ${user}, iteration ${iteration}`, () => {
      const random = createRandom(seed, () => user);
      for (let i = 0; i < iteration; i += 1) random.begin();
      assert.deepEqual(random.all(/** @type {Draw[]} */ (draws)), values);
      random.again();
      assert.deepEqual(random.all(draws), values, 'for the other side of a duet');
    });
});

describe('fields of answers', () => {
  for (const { body, fields } of vectorsOf('answer-fields'))
    test(body.slice(0, 60) || 'nothing', () => assert.deepEqual(fieldsOf(body), fields));
});
