import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { expandCases, parseToml, placeholdersOf } from '../../dist/suite/cases/cases.js';
import { profileKeys } from '../../dist/suite/cases/profile.js';
import { root } from '../support/cli.js';

const systems = readdirSync(join(root, 'specs'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/**
 * Where the load is said: how much, for how long, how fast users go on, and when faults happen.
 * @param {(string | number)[]} path of a placeholder
 */
const isLoad = ([section, , key, ...rest]) =>
  section === 'scenarios' && (profileKeys.includes(String(key)) || (key === 'requests' && rest[1] === 'think'));

describe('the quick profile', () => {
  for (const system of systems) {
    const spec = parseToml(readFileSync(join(root, 'specs', system, 'spec.toml'), 'utf8'));
    const { parameters = {}, environments = {}, scenarios = {}, ...others } = spec.profiles?.quick ?? {};
    const changed = [parameters, ...Object.values(environments).map((place) => place.parameters)];
    const { profiles: _, ...rest } = spec;
    const places = placeholdersOf(rest);

    it(`of ${system} changes scenarios' load and parameters only`, () => {
      assert.ok(spec.profiles?.quick, 'there is none');
      assert.deepEqual(Object.keys(others), []);
      const keys = Object.values(scenarios).flatMap((scenario) => Object.keys(scenario));
      assert.deepEqual(
        keys.filter((key) => !profileKeys.includes(key)),
        [],
      );
      const swept = new Set(
        Object.values(scenarios).flatMap(({ sweep = {} }) => [sweep].flat().flatMap((part) => Object.keys(part))),
      );
      const full = new Set(
        Object.values(spec.scenarios).flatMap(({ sweep = {} }) => [sweep].flat().flatMap((part) => Object.keys(part))),
      );
      assert.deepEqual(
        [...swept].filter((key) => !full.has(key)),
        [],
        'swept in the profile only',
      );
    });

    it(`of ${system} changes parameters that are load`, () => {
      for (const [name, value] of changed.flatMap((table) => Object.entries(table))) {
        const used = places.filter((place) => place.name === name);
        const other = used.filter(({ path }) => !isLoad(path)).map(({ path }) => path.join('.'));
        assert.deepEqual(other, [], `\${${name}} is used where it is no load`);
        // what nothing but a script reads: users and times, which are numbers
        if (!used.length) assert.deepEqual([typeof value, typeof spec.parameters[name]], ['number', 'number'], name);
      }
    });

    it(`of ${system} leaves what is expected, what happens, and where`, () => {
      const of = (/** @type {string | null} */ profile) =>
        new Map(
          expandCases({ spec, system, profile }).map((benchCase) => {
            const {
              error_cap,
              mix_tolerance,
              thresholds,
              compare,
              connections,
              cookies,
              saturation,
              groups,
              per_user,
              network,
              queries,
            } = benchCase;
            const faults = benchCase.faults.map(({ service, action }) => ({ service, action }));
            return [
              `${benchCase.environment}/${benchCase.scenario}`,
              {
                error_cap,
                mix_tolerance,
                compare,
                connections,
                cookies,
                saturation,
                groups,
                per_user,
                network,
                faults,
                services: benchCase.services.map(({ name }) => name),
                thresholds: thresholds.map(({ metric, selector, expr, level }) => ({ metric, selector, expr, level })),
                queries: queries.map(({ name, unit, direction }) => ({ name, unit, direction })),
              },
            ];
          }),
        );
      assert.deepEqual(of('quick'), of(null));
    });
  }
});
