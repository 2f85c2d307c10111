import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printOf } from '../../dist/base/format.js';
import { cellOf } from '../../dist/site/pages/table-cells.js';

/** @param {number} value @param {string | null} reason why it does not count */
const metric = (value, reason) => ({
  unit: 'ms',
  direction: /** @type {const} */ ('lower'),
  value,
  samples: [],
  count: 9,
  valid: reason === null,
  reason,
});

/** @param {Record<string, ReturnType<typeof metric>>} metrics */
function shown(metrics) {
  const entry = /** @type {any} */ ({ url: 'x', record: { metrics, requests: {}, services: {} } });
  const column = {
    title: '',
    unit: 'ms',
    wish: {},
    metrics: ['latency_ms_p95'],
    units: ['ms'],
    prints: [printOf('ms')],
  };
  const { text, href, invalid, intended } = cellOf(/** @type {any} */ ({ entry }), /** @type {any} */ (column));
  return { text, place: href.split('#')[1], invalid, intended };
}

test('a latency from the intended start is shown where the one from the actual start does not count', () => {
  assert.deepEqual(shown({ latency_ms_p95: metric(2, 'saturated'), intended_latency_ms_p95: metric(1700, null) }), {
    text: '1,700',
    place: 'intended_latency_ms_p95',
    invalid: false,
    intended: true,
  });
});

test('where neither counts, or the first does, it is not', () => {
  const of = (/** @type {string | null} */ first, /** @type {string | null} */ second) =>
    shown({ latency_ms_p95: metric(2, first), intended_latency_ms_p95: metric(1700, second) });
  assert.deepEqual([of('disturbed', 'disturbed').invalid, of('disturbed', 'disturbed').intended], [true, undefined]);
  assert.deepEqual([of(null, null).place, of(null, null).intended], ['latency_ms_p95', undefined]);
});
