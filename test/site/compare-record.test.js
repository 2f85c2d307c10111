// A number on the page of a record and on the page that compares records is the same number, whatever its unit there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../support/cli.js';
import { executablePath, launch, openPage } from '../support/site/browser.js';
import { build, temporarySuite } from '../support/site/build.js';
import { serveFolder } from '../support/site/serve-folder.js';
import { writeKept } from '../support/site/synthetic-records.js';

/** @import { Browser, Page } from 'playwright-core' */

/** Kept records whose numbers are far apart: what one prints in kB, the other prints in GB. */
const pairs = {
  memory: ['bookstore/local/order-creation,heap=2g', 'bookstore/local/order-creation,heap=10g'],
  users: ['npm-proxy/proxy/cached,users=1', 'npm-proxy/proxy/cached,users=1500'],
  work: ['express/single/cpu-time,cpuTime=1', 'express/single/cpu-time,cpuTime=200'],
};

const sizes = { µs: 1e-6, ms: 1e-3, s: 1, min: 60, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, '%': 0.01 };

/**
 * What a reader takes a number and its unit for.
 * @param {string} text
 * @param {string} unit "MB/s"
 * @returns {{ least: number, most: number, of: string }} what is rounded to it; of: the unit without its prefix
 */
function read(text, unit) {
  const [first, ...rest] = unit.split('/');
  const size = /** @type {Record<string, number>} */ (sizes)[first] ?? 1;
  const number = text.replaceAll(',', '').replace('−', '-');
  const half = 10 ** -(number.split('.')[1]?.length ?? 0) / 2;
  const of = first.replace(/^[kMG]?B$/, 'B').replace(/^(µs|ms|s|min)$/, 's');
  return { least: (Number(number) - half) * size, most: (Number(number) + half) * size, of: [of, ...rest].join('/') };
}

describe('two records beside each other, and the page of each', {
  skip: !executablePath && 'there is no Chromium',
}, () => {
  const folder = temporarySuite({ systems: 1, cases: 1, versions: 1, fresh: false });
  /** @type {Browser} */
  let browser;
  /** @type {Awaited<ReturnType<typeof serveFolder>>} */
  let server;

  before(async () => {
    for (const [name, files] of Object.entries(pairs)) {
      files.forEach((file, side) => {
        const kept = JSON.parse(readFileSync(join(root, 'reports', 'versions', '2026-11', `${file}.json`), 'utf8'));
        const place = { version: `v2.${side}`, system: 'alpha', environment: 'single', case: name };
        writeKept(folder, { ...kept, ...place });
      });
    }
    const { code, err } = await build(folder);
    assert.equal(code, 0, err);
    browser = await launch();
    server = await serveFolder(join(folder, 'public'), '/');
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });

  /**
   * @param {string} address
   * @param {(page: Page) => Promise<unknown>} ready
   * @returns {Promise<Map<string, { cells: string[], unit: string }>>} the rows of all metrics by their names
   */
  const rowsAt = async (address, ready) => {
    const { page, close } = await openPage(browser, `${server.address}${address}`, { address: server.address });
    await ready(page);
    const rows = await page.locator('#metrics ~ .groups tbody tr').evaluateAll((all) =>
      all.map((row) => ({
        name: /** @type {HTMLElement} */ (row).dataset.metric ?? row.id,
        cells: [...row.querySelectorAll('td')].map(
          (cell) => (cell.querySelector('a, span') ?? cell).textContent?.trim() ?? '',
        ),
        unit: row.querySelector('th small')?.textContent?.trim() ?? '',
      })),
    );
    await close();
    return new Map(rows.map(({ name, ...row }) => [name, row]));
  };

  for (const name of Object.keys(pairs)) {
    it(`${name}: each number is that of the page of its record`, async () => {
      const sides = ['v2.0', 'v2.1'].map((version) => `${version}/alpha/single/${name}`);
      const compared = await rowsAt(`compare.html#base=${sides[0]}&head=${sides[1]}`, (page) =>
        page.locator('#metrics ~ .groups tbody tr').first().waitFor(),
      );
      for (const [side, path] of sides.entries()) {
        const own = await rowsAt(`versions/${path}.html`, async () => {});
        assert.ok(own.size > 20);
        for (const [metric, { cells }] of own) {
          const [alone, unit] = cells;
          const row = compared.get(metric) ?? assert.fail(`${metric} is not compared`);
          const beside = row.cells[side];
          if (!/\d/.test(alone)) {
            assert.equal(beside, alone, metric);
            continue;
          }
          const [a, b] = [read(alone, unit), read(beside, row.unit)];
          const text = `${metric}: ${alone} ${unit} alone, ${beside} ${row.unit} beside the other`;
          assert.equal(a.of, b.of, text);
          assert.ok(a.least <= b.most && b.least <= a.most, text);
        }
      }
    });
  }
});
