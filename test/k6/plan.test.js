// The parts of the driver that need no k6.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandCases, parseToml } from '../../dist/suite/cases/cases.js';
import { parseCsv } from '../../k6/plan/csv.js';
import { headerName } from '../../k6/plan/headers.js';
import { optionsOf } from '../../k6/plan/options.js';
import { subMetric } from '../../k6/plan/thresholds.js';
import { planUrl } from '../../k6/plan/url.js';
import { compileTemplate, encodeLiterals } from '../../k6/shared/placeholders.js';

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

test('what is written in a text is encoded, and placeholders stay', () => {
  assert.equal(encodeLiterals('a b$${c}${row.a} ', encodeURIComponent), 'a%20b%24%7Bc%7D${row.a}%20');
});

test('a row without a field has nothing there', () => {
  const values = { row: { a: 'x' }, captured: {}, drawn: [], ready: {} };
  const text = compileTemplate('<${row.a}|${row.none}>', values);
  assert.equal(typeof text === 'string' ? text : text(), '<x|>');
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
