import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badge } from '../../dist/site/pages/badge.js';

test('a badge says what is measured and how it stands, in words', () => {
  const svg = badge('Express', [
    { verdict: 'fail', count: 1 },
    { verdict: 'pass', count: 3 },
  ]);
  assert.match(svg, /aria-label="Express: fail 1 of 4"><title>Express: fail 1 of 4<\/title>/);
  assert.match(badge('v1', [{ verdict: 'pass', count: 1 }]), />pass<\/text>/);
  assert.match(badge('New', [], 2), /New: not measured</);
  assert.match(badge('v1', [{ verdict: 'pass', count: 2 }], 1), /v1: pass 2 of 2, 1 scenario not measured</);
});

test('a title is data', () => {
  const svg = badge('<img src=x onerror=alert(1)>&"\'\u202e', [{ verdict: 'pass', count: 1 }]);
  assert.doesNotMatch(svg, /<img|onerror=alert\(1\)>|\u202e/);
  assert.match(svg, /&lt;img src=x onerror=alert\(1\)&gt;&amp;&quot;&#39; /);
});
