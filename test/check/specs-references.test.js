import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseToml } from '../../dist/suite/cases/cases.js';
import { root } from '../support/cli.js';

const file = join(root, 'specs', 's3proxy', 'spec.toml');
const spec = existsSync(file) ? parseToml(readFileSync(file, 'utf8')) : {};

/** A published reference by the begin of its title. @param {string} title @returns {Record<string, any>} */
const referenceOf = (title) => spec.references.find((/** @type {any} */ one) => one.title.startsWith(title));

/** @param {number[]} numbers */
const sum = (...numbers) => numbers.reduce((all, one) => all + one, 0);

const skip = spec.references ? false : 'there is no system s3proxy';

describe('the summary that the author of s3proxy published', { skip }, () => {
  const rows = referenceOf('Results archive').rows;
  const published = (/** @type {string} */ name) => rows.find((/** @type {any[]} */ row) => row[0] === name)[1];
  const valuesOf = (/** @type {string} */ begin) =>
    rows.filter((/** @type {any[]} */ [name]) => name.startsWith(begin)).map((/** @type {any[]} */ row) => row[1]);
  const requests = published('Requests completed');

  it('has as many statuses as requests', () => {
    assert.deepEqual(valuesOf('Codes: '), [58488, 6499]);
    assert.equal(sum(...valuesOf('Codes: ')), requests);
  });

  it('has as many of each scenario as requests, and their shares', () => {
    const counts = valuesOf('Scenario counts: ');
    assert.equal(sum(...counts), requests);
    assert.equal(requests, published('Scenarios completed'));
    const shares = rows.map((/** @type {any[]} */ row) => row[2]).filter(Boolean);
    assert.deepEqual(
      shares,
      counts.map((/** @type {number} */ count) => `${Math.round((100 * count) / requests)}%`),
    );
  });

  it('has 206 for range requests, and 200 for the rest', () => {
    const [page, large, range] = valuesOf('Scenario counts: ');
    assert.deepEqual([published('Codes: 200'), published('Codes: 206')], [page + large, range]);
  });

  it('has the rate that its requests and the three phases of the test make', () => {
    const mean = published('Mean response/sec');
    assert.equal((requests / 781).toFixed(2), String(mean));
    const stages = spec.scenarios.sustained.stages.map((/** @type {any} */ stage) => parseFloat(stage.duration));
    assert.ok(Math.abs(requests / mean - sum(...stages)) < 2, 'a second of the last requests beside 780 s');
  });

  it('has weights as in the mix of the scenario', () => {
    const shares = rows.map((/** @type {any[]} */ row) => parseFloat(row[2])).filter(Number.isFinite);
    assert.deepEqual(
      spec.scenarios.sustained.requests.map((/** @type {any} */ one) => one.weight),
      shares,
    );
  });
});

describe('the overhead that the author of s3proxy published', { skip }, () => {
  const rows = referenceOf('Comparison').rows;

  it('is that of its two columns, the fraction cut off', () => {
    const numeric = rows.filter((/** @type {string[]} */ row) => Number.isFinite(parseFloat(row[3])));
    const changeOf = (/** @type {string[]} */ [, from, to]) => 100 * (parseFloat(to) / parseFloat(from) - 1);
    const changes = numeric.map((/** @type {string[]} */ row) => Math.trunc(changeOf(row)));
    assert.deepEqual(changes, [28, -50]);
    assert.deepEqual(
      numeric.map((/** @type {string[]} */ row) => parseFloat(row[3])),
      changes,
    );
  });
});
