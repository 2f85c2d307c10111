// The parts of the driver that need no k6.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCsv } from '../../k6/plan/csv.js';
import { headerName } from '../../k6/plan/headers.js';
import { optionsOf } from '../../k6/plan/options.js';
import { subMetric } from '../../k6/plan/thresholds.js';
import { planUrl } from '../../k6/plan/url.js';
import { compileTemplate, encodeLiterals } from '../../k6/shared/placeholders.js';
import { compileUrl } from '../../k6/user/url.js';
import { expandCases, parseToml } from '../../src/cases/index.js';

const csv = (/** @type {string} */ text, delimiter = ',') => parseCsv(text, delimiter, 'data.csv');

test('CSV: delimiters, quotes, line ends, empty fields', () => {
  assert.deepEqual(csv('a,b\nc,\n,d\n'), [
    ['a', 'b'],
    ['c', ''],
    ['', 'd'],
  ]);
  assert.deepEqual(csv('a, b, c d\r\n\r\ne, f,g, h', ', '), [
    ['a', 'b', 'c d'],
    ['e', 'f,g', 'h'],
  ]);
  assert.deepEqual(csv('"a",b,"c ""x"", d\r\ne"\r\n"",f,\n'), [
    ['a', 'b', 'c "x", d\r\ne'],
    ['', 'f', ''],
  ]);
  assert.deepEqual(csv('a\tb "x"\t"c"\n', '\t'), [['a', 'b "x"', 'c']]);
  assert.deepEqual(csv('"x"'), [['x']]);
  assert.throws(() => csv('"a" b,c\n'), /row 1 has text after a closing quote/);
  assert.throws(() => csv('a\n"b\n'), /a quote is not closed/);
});

test('placeholders: values go in encoded for where they stand, and what is written stays', () => {
  const captured = { url: 'https://elsewhere/z?q=1', path: '/p?x=y', id: '@s/b?c#d' };
  const values = { row: { a: 'x y', n: 3, none: undefined }, captured, drawn: [], ready: {} };
  const text = (/** @type {string} */ template) => {
    const compiled = compileTemplate(template, values);
    return typeof compiled === 'string' ? compiled : compiled();
  };
  assert.equal(text('${row.a}'), 'x y');
  assert.equal(text('<${row.a}|${row.n}|${row.none}>'), '<x y|3|>');
  assert.equal(text('$${row.a} costs $5 {x}'), '${row.a} costs $5 {x}');
  assert.equal(encodeLiterals('a b$${c}${row.a} ', encodeURIComponent), 'a%20b%24%7Bc%7D${row.a}%20');

  const target = { baseUrl: 'http://host/base', hosts: ['https://elsewhere'] };
  const url = (/** @type {string} */ template) => {
    const compiled = compileUrl(template, target, values);
    return typeof compiled === 'string' ? compiled : compiled();
  };
  assert.equal(url('/x'), 'http://host/base/x');
  assert.equal(url('https://ELSEWHERE/x'), 'https://ELSEWHERE/x');
  assert.throws(() => url('https://other/x'), { name: 'UnsentError' });
  assert.equal(
    url('/x/${captured.id}/y?id=${captured.id}&n=${row.n}'),
    'http://host/base/x/@s/b%3Fc%23d/y?id=%40s%2Fb%3Fc%23d&n=3',
  );
  assert.equal(url('${captured.path}'), 'http://host/base/p?x=y');
  assert.equal(url('${captured.url}'), 'https://elsewhere/z?q=1');
  assert.equal(url('${row.a}/z'), 'http://host/base/x%20y/z');
});

test('addresses, headers and sub-metrics are written as Go and k6 write them', () => {
  assert.equal(planUrl('/a?x=1#part', { y: ['b c', 2], ü: true }), '/a?x=1&y=b%20c&y=2&%C3%BC=true');
  assert.equal(headerName('x-requested-WITH'), 'X-Requested-With');
  assert.equal(subMetric('http_reqs', {}), 'http_reqs{phase:steady}');
  assert.equal(
    subMetric('http_req_waiting', { status: '200', name: 'GET /' }),
    'http_req_waiting{phase:steady,name:GET /,status:200}',
  );
  assert.equal(subMetric('http_reqs', { phase: 'warmup' }), 'http_reqs{phase:warmup}');
  assert.equal(subMetric('dropped_iterations', {}), 'dropped_iterations');
});

test('requests come from benchfolio, whatever version of k6 sends them, unless the spec says otherwise', () => {
  const agentOf = (/** @type {string} */ more) => {
    const text = `title = "X"\n[environments.a]\nurl = "http://127.0.0.1:1"\n[scenarios.s]\n${more}\nexecutor = "constant-vus"\nduration = "1s"\nrequests = [{ get = "/" }]\n`;
    return optionsOf(expandCases({ spec: parseToml(text), system: 'x' })[0], [], false).userAgent;
  };
  assert.equal(agentOf(''), 'benchfolio');
  assert.equal(agentOf('user_agent = "me/1.0"'), 'me/1.0');
});
