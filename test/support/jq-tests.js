import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './cli.js';
import { jqIn } from './engines.js';

/** @import { Engine } from './engines.js' */

const run = promisify(execFile);

/**
 * One test of a .test file: a program, its input, the values it must print.
 * @typedef {{ line: number, program: string, input: string, outputs: unknown[] }} Triple
 */

/**
 * Reads jq's own test format: a program, its input and its outputs, a line each; a blank line ends a test, # a comment.
 * @param {string} file
 * @returns {Triple[]}
 */
export function triplesOf(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  /** @type {Triple[]} */
  const triples = [];
  for (let at = 0; at < lines.length; at += 1) {
    if (lines[at] === '' || lines[at].startsWith('#')) continue;
    const line = at + 1;
    const [program, input, ...outputs] = untilBlank(lines, at);
    triples.push({ line, program, input, outputs: outputs.map((text) => JSON.parse(text)) });
    at += 1 + outputs.length;
  }
  return triples;
}

/** @param {string[]} lines @param {number} from */
function untilBlank(lines, from) {
  const end = lines.indexOf('', from);
  return lines.slice(from, end < 0 ? undefined : end);
}

const imported = /import "[^"]+" as \w+;/g;

/**
 * Evaluates triples in one process: their programs side by side, in one array each.
 * @param {Engine} engine
 * @param {Triple[]} triples
 * @returns {Promise<unknown[][]>} what each printed
 */
export async function evaluate(engine, triples) {
  const imports = new Set(triples.flatMap(({ program }) => program.match(imported) ?? []));
  const bodies = triples.map(({ program, input }) => `((${input}) | [${program.replace(imported, '')}])`);
  return JSON.parse(await jqIn(engine, [`${[...imports].join('')} [${bodies.join(',\n')}]`]));
}

/**
 * Runs a file by `jq --run-tests`.
 * @param {Engine} engine
 * @param {string} file
 * @returns {Promise<string>} what is wrong; empty: nothing
 */
export async function runTests(engine, file) {
  try {
    await run(engine.path, ['-L', join(root, 'reports'), '--run-tests', file]);
    return '';
  } catch (error) {
    const { stdout } = /** @type {{ stdout: string }} */ (error);
    return (
      stdout
        .split('\n')
        .filter((line) => !line.startsWith('Testing '))
        .join('\n') || String(error)
    );
  }
}
