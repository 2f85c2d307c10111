// One pass through packages that the proxy does not have. Before it, the proxy's cache is emptied by what
// `npm unpublish` sends: of a package from elsewhere that only removes the copy.
import { sleep } from 'k6';
import http from 'k6/http';
import { bench } from '../../.bench/benchfolio/k6/script.js';

export const { options, handleSummary } = bench;

const list = __VU === 0 ? open(`.//${bench.parameters.rows}`) : ''; // for setup, which no user runs

export function setup() {
  const packages = list
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[0]);
  for (const name of packages) forget(name);
}

/** @param {string} name of a package */
function forget(name) {
  for (let tries = 0; tries < 20; tries += 1) {
    const { status } = http.del(`${bench.baseUrl}/${name}/-rev/any`);
    if (status === 201 || status === 404) return;
    sleep(0.1); // the proxy may still be writing what it fetched for the pass before
  }
  throw new Error(`the proxy does not forget ${name}`);
}

const metadata = bench.request({
  name: 'metadata',
  get: '/${row.package}',
  expect: { status: 200 },
  capture: { tarball: { json: 'versions.@values.@reverse.0.dist.tarball' } },
});

// What the proxy has to fetch first comes in chunks: there is no length to compare.
const tarball = bench.request({ name: 'tarball', get: '${captured.tarball}', expect: { status: 200 } });

export default bench.iteration(() => {
  metadata();
  tarball();
});
