import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'smol-toml';
import { UserError } from '../../dist/base/errors.js';
import { specText } from '../../dist/records/import/har/har-spec.js';
import { readRecording } from '../../dist/records/import/har/recording.js';
import { formats } from '../../dist/records/import/import-formats.js';
import { importRecord } from '../../dist/records/import/import-record.js';
import { asUserError, lookAt, readRound } from '../../dist/records/import/read-import.js';
import { full } from '../support/full.js';
import { fixture } from '../support/imported.js';
import { scratchFolder } from '../support/scratch.js';

/** @import { Import } from '../../dist/records/import/import-record.js' */

// The gate tries the same each time: what fails there is a change of the code.
const chosen = full ? { numRuns: 10_000 } : { numRuns: 400, seed: 73 };

const sources = {
  'jmeter-jtl': ['results.jtl'],
  'jmeter-statistics': ['statistics.json'],
  artillery: ['report.json', 'version-1.json'],
  wrk: ['latency.txt', 'plain.txt', 'wrk2.txt'],
  phout: ['phout.log'],
  'k6-summary': ['export.json', 'handle.json', 'machine.json'],
  vegeta: ['results.json', 'results.csv', 'report.json'],
  hey: ['hey.txt', 'hey.csv'],
  oha: ['flaky.json', 'reset.json', 'results.csv', 'summary.txt'],
  autocannon: ['result.json'],
  locust: ['stats.csv'],
  gatling: ['text.log', 'binary.log'],
  har: ['session.har'],
};

const folder = scratchFolder('fuzz');

/** What may stand where something else belongs. */
const odd = fc.oneof(
  fc.constantFrom(null, true, '', '0', 'NaN', -1, 0, 1e300, 1e-300, [], {}, [null], { count: 0 }, { values: null }),
  fc.double({ noDefaultInfinity: false }),
  fc.jsonValue({ maxDepth: 2 }),
);

/**
 * @typedef {{ at: number, how: 'replace' | 'remove' | 'double', value: unknown }} Change
 * @type {fc.Arbitrary<Change[]>}
 */
const changes = fc.array(fc.record({ at: fc.nat(), how: fc.constantFrom('replace', 'remove', 'double'), value: odd }), {
  minLength: 1,
  maxLength: 4,
});

/** JSON with some of its values changed. @param {string} text @param {Change[]} all */
function changedJson(text, all) {
  const value = JSON.parse(text);
  for (const { at, how, value: by } of all) {
    /** @type {{ of: any, key: string }[]} */
    const places = [];
    const walk = (/** @type {any} */ of) => {
      for (const key of Object.keys(of)) {
        places.push({ of, key });
        if (of[key] !== null && typeof of[key] === 'object') walk(of[key]);
      }
    };
    walk(value);
    if (places.length === 0) break;
    const { of, key } = places[at % places.length];
    if (how === 'remove') delete of[key];
    else if (how === 'double') of[`${key}{name:x}`] = of[key];
    else of[key] = by;
  }
  return JSON.stringify(value);
}

/** Text with some of its pieces changed. @param {string} text @param {Change[]} all */
function changedText(text, all) {
  const begin = text.split('\n').slice(0, 60).join('\n');
  const pieces = begin.split(/([,;\t\n\r ":.]+)/);
  for (const { at, how, value } of all) {
    const i = at % Math.max(pieces.length, 1);
    if (how === 'remove') pieces.splice(i, 1);
    else if (how === 'double') pieces.splice(i, 0, pieces[i]);
    else pieces[i] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  return pieces.join('');
}

/** @type {Import} */
const settings = {
  format: '',
  id: 'imported-20260101T000000Z-1',
  time: '2026-01-01T00:00:00Z',
  machine: null,
  command: 'benchfolio import',
  error_cap: 0.01,
  case: { system: 'a', environment: 'imported', scenario: 'a', case: 'a', values: {} },
};

const named = { system: 'a', scenario: 'a', file: 'a.har', schema: 'spec.schema.json' };

for (const [format, files] of Object.entries(sources)) {
  test(`whatever is in a file, ${format} is read or refused with a sentence`, async () => {
    const path = join(folder, `${format}.txt`);
    let read = 0;
    for (const name of files) {
      const text = readFileSync(fixture(format, name), 'utf8');
      await fc.assert(
        fc.asyncProperty(changes, async (all) => {
          const content = formats[format].lines ? changedText(text, all) : changedJson(text, all);
          writeFileSync(path, content);
          try {
            const file = await lookAt(path, format);
            if (format === 'har') {
              parse(specText(readRecording(file.value, { statics: true }), named));
              read += 1;
              return;
            }
            await readRound(file, format);
            read += 1;
            // jq is a process: some of what can be read becomes a record.
            if (read % 20 === 0) await importRecord([file], { ...settings, format });
          } catch (thrown) {
            const error = asUserError(thrown, path);
            if (!(error instanceof UserError) || error.code !== 2) throw error;
            assert.match(error.message, /^\/\S+:? .{3,}$/s);
            for (const word of ['undefined', '[object', 'jq:', 'NaN'])
              assert.ok(!error.message.includes(word) || content.includes(word), error.message);
          }
        }),
        { ...chosen, includeErrorInReport: true, numRuns: Math.ceil(chosen.numRuns / files.length) },
      );
    }
    assert.ok(read > 0, 'nothing could be read');
  });
}

test('whatever is in binary results of vegeta, they are read or refused with a sentence', async () => {
  const whole = readFileSync(fixture('vegeta', 'results.bin')).subarray(0, 3000);
  const path = join(folder, 'vegeta.bin');
  const bytes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(bytes, fc.integer({ min: 150, max: whole.length }), async (all, length) => {
      const changed = Buffer.from(whole.subarray(0, length));
      for (const [at, byte] of all) if (at < length) changed[at] = byte;
      writeFileSync(path, changed);
      try {
        await readRound(await lookAt(path, 'vegeta'), 'vegeta');
      } catch (error) {
        if (!(error instanceof UserError) || error.code !== 2) throw error;
      }
    }),
    { ...chosen, includeErrorInReport: true },
  );
});
