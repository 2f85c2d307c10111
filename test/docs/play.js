// Does what a block of a document says. One thing is not as it is written: `npm install … benchfolio` takes the package
// from here.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRun } from './blocks.js';

/** @import { Block } from './blocks.js' */

/** While other programs keep the machine busy, numbers are refused and thresholds missed: then again. 99 is k6's word for that. */
const again = [1, 3, 99];
const tries = 3;

/**
 * @param {{ env: NodeJS.ProcessEnv, file: string, tell: (text: string) => void }} given file: our package
 * @returns {(block: Block, at: { folder: string, at: string, printed: string }) => Promise<string>} does what a block says;
 *   printed: by the commands before, and by these
 */
export const player =
  ({ env, file, tell }) =>
  async (block, { folder, at, printed }) => {
    const { text, marks } = block;
    if ('file' in marks) put(join(folder, marks.file), text, writeFileSync);
    else if ('append' in marks) put(join(folder, marks.append), `\n${text}`, appendFileSync);
    else if ('printed' in marks) demandLines(text, printed);
    else if (isRun(block)) {
      tell(`\n${at}\n${text.trim().replace(/^/gm, '  $ ')}`);
      const output = await type(text.replace(/^(npm install .*)\bbenchfolio$/gm, `$1${file}`), marks, {
        cwd: folder,
        env,
      });
      if (process.env.SHOW) tell(output.trimEnd());
      return output;
    }
    return printed;
  };

/** @param {string} path @param {string} text @param {(path: string, text: string) => void} write */
function put(path, text, write) {
  mkdirSync(dirname(path), { recursive: true });
  write(path, text);
}

/** @param {string} text @param {Block['marks']} marks @param {{ cwd: string, env: NodeJS.ProcessEnv }} where */
async function type(text, marks, where) {
  const expected = (marks.exit ?? '0').split(' or ').map(Number);
  for (let tried = 1; ; tried += 1) {
    const { code, output } = await bash(text, where);
    if (!expected.includes(code) && again.includes(code) && tried < tries) continue;
    if (!expected.includes(code)) throw new Error(`it ended with ${code}, not ${expected.join(' or ')}\n${output}`);
    if (marks.output && !new RegExp(marks.output, 'm').test(output))
      throw new Error(`${marks.output} is not printed, but\n${output}`);
    return output;
  }
}

/** The process groups of commands. @type {Set<number>} */
const running = new Set();

/** @param {number} group */
function end(group) {
  running.delete(group);
  try {
    process.kill(-group);
  } catch {
    /* nothing is left of it */
  }
}

/** Ends the commands that are running. */
export const endAll = () => running.forEach(end);

/**
 * Runs commands, and ends what they leave running.
 * @param {string} text
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} where
 * @returns {Promise<{ code: number, output: string }>}
 */
function bash(text, where) {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', text], {
      ...where,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part) => (output += part));
    const group = Number(child.pid);
    running.add(group);
    child.on('error', reject);
    child.on('exit', () => end(group));
    child.on('close', (code) => resolve({ code: code ?? -1, output }));
  });
}

/** Lines are the same that differ in numbers only, and in how wide a table is. @param {string} line */
const shape = (line) =>
  line
    .replace(/\d[\d.,]*/g, '0')
    .replace(/\s+/g, ' ')
    .trim();

/** @param {string} wanted its lines are there in this order @param {string} printed */
function demandLines(wanted, printed) {
  const shapes = printed.split('\n').map(shape);
  let next = 0;
  for (const line of wanted
    .split('\n')
    .map(shape)
    .filter((one) => one !== '…')) {
    const form = formOf(line);
    const found = shapes.findIndex((one, i) => i >= next && form.test(one));
    if (found < 0) throw new Error(`"${line}" is not printed${next ? ' there' : ''}, but\n${printed}`);
    next = found + 1;
  }
}

/** @param {string} line in which … stands for anything */
const formOf = (line) => new RegExp(`^${line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}$`);
