import { compileTemplate } from '../shared/placeholders.js';
import { shortened } from '../shared/shortened.js';

/** @import { Response } from 'k6/http' */
/** @import { Expectations } from '../plan/requests.js' */
/** @import { IterationValues, Text } from '../shared/placeholders.js' */

/**
 * @typedef {(response: Response) => string | null} Expectation what is wrong; null: nothing
 */

/**
 * Compiles what is expected of a response, its status aside, to plain comparisons.
 * @param {Expectations} expect
 * @param {IterationValues} values
 * @returns {Expectation}
 */
export function compileExpectations({ headers, body, json }, values) {
  const all = [
    ...Object.entries(headers).map(([name, expected]) => expectHeader(name, expected, values)),
    ...(body === null ? [] : [expectBody(body, values)]),
    ...Object.entries(json).map(([path, expected]) => expectJson(path, expected, values)),
  ];
  if (all.length === 1) return all[0];
  return (response) => {
    for (let i = 0; i < all.length; i += 1) {
      // for…of costs k6 three microseconds
      const problem = all[i](response);
      if (problem !== null) return problem;
    }
    return null;
  };
}

/** @param {string} name @param {string | { matches: string }} expected @param {IterationValues} values @returns {Expectation} */
function expectHeader(name, expected, values) {
  if (typeof expected === 'object') {
    const matches = compilePattern(expected.matches, values);
    return (response) => {
      const value = response.headers[name];
      return matches(value ?? '') ? null : `header ${name} is ${shown(value)}`;
    };
  }
  const text = compileTemplate(String(expected), values);
  return (response) => {
    const value = response.headers[name]; // once: k6 wraps the headers anew at each look
    const expectedValue = typeof text === 'string' ? text : text();
    return value === expectedValue ? null : `header ${name} is ${shown(value)}${instead(value, expectedValue)}`;
  };
}

/** @param {string | { matches: string }} expected @param {IterationValues} values @returns {Expectation} */
function expectBody(expected, values) {
  if (typeof expected === 'object') {
    const matches = compilePattern(expected.matches, values);
    return (response) => {
      const body = textOf(response);
      return matches(body) ? null : `the body does not match: ${shown(body)}`;
    };
  }
  const text = compileTemplate(expected, values);
  return (response) => {
    const body = textOf(response);
    return body.includes(typeof text === 'string' ? text : text()) ? null : `the body has not the text: ${shown(body)}`;
  };
}

/** @param {string} path gjson's @param {unknown} expected @param {IterationValues} values @returns {Expectation} */
function expectJson(path, expected, values) {
  const expects = compileValue(expected, values);
  return (response) => {
    const value = response.json(path);
    const expectedValue = typeof expects === 'function' ? expects() : expects;
    return value === expectedValue || equal(value, expectedValue)
      ? null
      : `${path} is ${shown(value)}${instead(value, expectedValue)}`;
  };
}

/** @param {string} source @param {IterationValues} values @returns {(text: string) => boolean} */
function compilePattern(source, values) {
  const text = compileTemplate(source, values);
  if (typeof text === 'function') return (against) => new RegExp(text()).test(against);
  const pattern = new RegExp(text);
  return (against) => pattern.test(against);
}

/**
 * A value that is exactly one placeholder keeps the type of what is filled in.
 * @param {unknown} expected
 * @param {IterationValues} values
 * @returns {unknown} a function if it differs from iteration to iteration
 */
function compileValue(expected, values) {
  const [, kind, name] =
    (typeof expected === 'string' && /^\$\{(row|captured|ready)\.([^{}]*)\}$/.exec(expected)) || [];
  if (kind === 'ready' && Object.hasOwn(values.ready, name)) return values.ready[name];
  if (kind && kind !== 'ready') return () => values[/** @type {'row' | 'captured'} */ (kind)][name];
  return typeof expected === 'string' ? compileTemplate(expected, values) : expected;
}

/** A response whose body is asked for has it as text. @param {Response} response */
const textOf = ({ body }) => /** @type {string} */ (body ?? '');

/** @param {any} a @param {any} b @returns {boolean} equal as JSON values */
function equal(a, b) {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && equal(a[key], b[key]));
}

/** The value that was found, for the log: not more than a line. @param {unknown} value */
const shown = (value) => (value === undefined ? 'not there' : shortened(JSON.stringify(value), 100));

/**
 * What was expected instead of what there was.
 * @param {unknown} value
 * @param {unknown} expectedValue
 */
const instead = (value, expectedValue) => (value === undefined ? '' : `, not ${shown(expectedValue)}`);
