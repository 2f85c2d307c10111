// Specs of one scenario, and their cases.
import { readFileSync } from 'node:fs';
import { expandCases, parseToml } from '../../dist/suite/cases/cases.js';

/** A spec that has every key. */
export const everyKey = parseToml(
  readFileSync(new URL('../fixtures/every-key/specs/shop/spec.toml', import.meta.url), 'utf8'),
);

/** A spec of one scenario. @param {string} scenario TOML @param {string} [rest] TOML */
export const specOf = (scenario, rest = '') =>
  parseToml(`
title = "X"
environments.local.url = "http://127.0.0.1:8080"
${rest}
[scenarios.hello]
executor = "constant-arrival-rate"
rate = 100
duration = "30s"
preAllocatedVUs = 20
requests = [{ get = "/" }]
${scenario}`);

/** @param {Record<string, any>} spec @param {object} [options] */
export const expandOne = (spec, options = {}) => expandCases({ spec, system: 'x', ...options })[0];

/**
 * The cases of a spec with one scenario.
 * @param {string} scenario TOML
 * @param {{ rest?: string, bench?: Record<string, any>, profile?: string, set?: Record<string, string> }} [options]
 */
export const cases = (scenario, { rest = 'environments.local.url = "http://127.0.0.1:8080"', ...options } = {}) =>
  expandCases({
    system: 'shop',
    ...options,
    spec: parseToml(
      `title = "X"\n${rest}\n[scenarios.s]\nexecutor = "constant-vus"\nvus = 8\nduration = "30s"\n${scenario}`,
    ),
  });

/** A request. */
export const get = '\n[[scenarios.s.requests]]\nget = "/"\n';
/** An environment with two services. */
export const app =
  'environments.local = { url = "http://x", services = [{ name = "app", command = ["x"] }, { name = "db", command = ["y"] }] }';
