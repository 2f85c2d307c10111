// The weighted list of spec.toml as people write it: groups, checks, a name for each request. Its options come from the
// command line.
import { check, group } from 'k6';
import http from 'k6/http';

export default function () {
  const point = Math.random() * 100;
  if (point < 60) {
    group('home', () => {
      const response = http.get(`${__ENV.BASE_URL}/`, { tags: { name: 'home' } });
      check(response, {
        'home: status is 200': (r) => r.status === 200,
        'home: says hello': (r) => String(r.body).includes('hello'),
      });
    });
  } else if (point < 90) {
    group('read', () => {
      const response = http.get(`${__ENV.BASE_URL}/json?id=7`, { tags: { name: 'read' } });
      check(response, {
        'read: status is 200': (r) => r.status === 200,
        'read: is JSON': (r) => r.headers['Content-Type'] === 'application/json',
        'read: is ok': (r) => r.json('ok') === true,
      });
    });
  } else {
    group('write', () => {
      const body = JSON.stringify({ id: 7, name: 'a thing', list: [1, 2, 3] });
      const headers = { 'Content-Type': 'application/json' };
      const response = http.post(`${__ENV.BASE_URL}/json`, body, { headers, tags: { name: 'write' } });
      check(response, {
        'write: status is 200': (r) => r.status === 200,
        'write: has its id': (r) => r.json('id') === 7,
      });
    });
  }
}
