// node test/make/stages.js <name> [--again] [stage…] <table: runs a table of stages, or some of it, and prints what became of
// each. .ci/run and .ci/live have the tables.
//
// A table has a line a stage: its name, where it runs, the minutes it may take, its command. `alone`: nothing runs meanwhile,
// and all stages above it are over. `left` and `right`: two queues, side by side. A stage that fails hides none of the others.
// With --again, one that failed runs once more, alone, when the others are over; what passes then is FLAKY: a defect of the
// test. Its tests that passed are not run again (test/make/tests.js). What skips a test, or prints "skipped: why"
// (test/support/skip.js), has not done all that it is for, and is not called ok. The logs are in .bench/stages/<name>/.
import { spawn } from 'node:child_process';
import { appendFileSync, createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {{ name: string, where: 'alone' | 'left' | 'right', minutes: number, command: string }} Stage
 * @typedef {{ stage: Stage, result: 'ok' | 'skipped' | 'FLAKY' | 'FAILED', seconds: number, log: string,
 *   because: string, leftOut: string[] }} Outcome skipped: all of it or a part; because: how it ended, the first time where it is
 *   FLAKY; leftOut: of both times
 */

/**
 * Reads a table.
 * @param {string} text lines of it; # begins a comment
 * @returns {Stage[]}
 * @throws {Error} a line is not a stage
 */
export function readTable(text) {
  return text.split('\n').flatMap((line) => {
    if (/^\s*(#|$)/.test(line)) return [];
    const [, name, where, minutes, command] = /^(\S+)\s+(alone|left|right)\s+([\d.]+)\s+(\S.*)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`not a stage (name, alone|left|right, minutes, command): ${line}`);
    return [{ name, where: /** @type {Stage['where']} */ (where), minutes: Number(minutes), command }];
  });
}

/** Process groups of the stages that run. @type {Set<number>} */
const groups = new Set();

/** @param {number} group @param {NodeJS.Signals} signal */
function signalGroup(group, signal) {
  try {
    process.kill(-group, signal);
  } catch {
    // it has ended
  }
}

/**
 * Runs a stage once, with its output in its log.
 * @param {Stage} stage
 * @param {string} log
 * @param {Record<string, string>} env is added to ours
 * @returns {Promise<{ because: string, seconds: number }>} because: why it failed; empty where it passed
 */
function runOnce({ command, minutes }, log, env) {
  const from = performance.now();
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', command], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, ...env },
    });
    const file = createWriteStream(log);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => file.write(chunk));
    const group = child.pid ?? 0;
    groups.add(group);
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      signalGroup(group, 'SIGTERM');
      setTimeout(() => signalGroup(group, 'SIGKILL'), 10_000).unref();
    }, minutes * 60_000);
    // What a stage leaves behind may hold its output open: `exit`, not `close`.
    child.on('exit', (code, signal) => {
      clearTimeout(limit);
      const because = late
        ? `it did not end within ${minutes} minutes`
        : code === 0
          ? ''
          : signal
            ? `it was ended by ${signal}`
            : `exit code ${code}`;
      setTimeout(() => {
        signalGroup(group, 'SIGKILL');
        groups.delete(group);
        file.end(() => resolve({ because, seconds: (performance.now() - from) / 1000 }));
      }, 100);
    });
  });
}

/** The tests that failed, by a log in TAP: the innermost of each. @param {string} text @returns {string[]} */
export function failedTests(text) {
  return [...text.matchAll(/^\s*not ok \d+ - (.*)\n((?:(?!\s*\.\.\.$|\s*(?:not )?ok ).*\n?)*)/gm)].flatMap(
    ([, name, details]) => (details.includes('subtestsFailed') ? [] : name),
  );
}

/** What a stage says of itself, for the table: its last line "figure: …". @param {string} text */
const figureIn = (text) => [...text.matchAll(/^(?:# )?figure: (.+)$/gm)].at(-1)?.[1] ?? '';

/**
 * What a stage left out for want of something, by its log: parts of it, and tests (in TAP). One line for each reason.
 * @param {string} text
 * @returns {string[]} "3 tests: no Docker daemon answers here"
 */
export function skippedIn(text) {
  /** @type {Map<string, number>} */
  const tests = new Map();
  for (const [, why] of text.matchAll(/^ *ok \d+ - .* # SKIP ?(.*)$/gm)) tests.set(why, (tests.get(why) ?? 0) + 1);
  return [
    ...[...text.matchAll(/^skipped: (.+)$/gm)].map(([, why]) => why),
    ...[...tests].map(([why, count]) => `${count === 1 ? '1 test' : `${count} tests`}: ${why || 'no reason is given'}`),
  ];
}

/**
 * Runs all stages.
 * @param {readonly Stage[]} stages
 * @param {{ logs: string, again: boolean, print: (line: string) => void }} options
 * @returns {Promise<Outcome[]>} in the order of the table
 */
export async function runStages(stages, { logs, again, print }) {
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  /** @type {Map<Stage, Outcome>} */
  const outcomes = new Map();

  const logOf = (/** @type {Stage} */ { name }, n = 1) => join(logs, `${name}${n > 1 ? `-${n}` : ''}.log`);
  const passedOf = (/** @type {Stage} */ { name }) => ({ PASSED_TESTS: join(logs, `${name}.passed`) });
  const first = async (/** @type {Stage} */ stage) => {
    const log = logOf(stage);
    const { because, seconds } = await runOnce(stage, log, passedOf(stage));
    const leftOut = skippedIn(readFileSync(log, 'utf8'));
    const result = because !== '' ? 'FAILED' : leftOut.length > 0 ? 'skipped' : 'ok';
    outcomes.set(stage, { stage, result, seconds, because, log, leftOut });
    print(
      `${stage.name.padEnd(14)} ${result.padEnd(7)} ${seconds.toFixed(0).padStart(5)} s${because && `  ${because}`}`,
    );
  };
  const inTurn = async (/** @type {Stage[]} */ queue) => {
    for (const stage of queue) await first(stage);
  };

  let rest = [...stages];
  while (rest.length > 0) {
    const next = rest.findIndex(({ where }) => where === 'alone');
    if (next === 0) {
      await first(rest[0]);
      rest = rest.slice(1);
      continue;
    }
    const beside = next < 0 ? rest : rest.slice(0, next);
    await Promise.all(['left', 'right'].map((side) => inTurn(beside.filter(({ where }) => where === side))));
    rest = rest.slice(beside.length);
  }

  for (const outcome of outcomes.values()) {
    if (!again || outcome.result !== 'FAILED') continue;
    const log = logOf(outcome.stage, 2);
    const second = await runOnce(outcome.stage, log, passedOf(outcome.stage));
    outcome.seconds += second.seconds;
    outcome.leftOut = [...new Set([...outcome.leftOut, ...skippedIn(readFileSync(log, 'utf8'))])];
    if (second.because === '') outcome.result = 'FLAKY';
    else Object.assign(outcome, { because: second.because, log });
    print(
      `${outcome.stage.name.padEnd(14)} ${outcome.result.padEnd(7)} ${second.seconds.toFixed(0).padStart(5)} s  again, alone`,
    );
  }
  return stages.map((stage) => /** @type {Outcome} */ (outcomes.get(stage)));
}

/**
 * What became of all: a table, what was left out, every failure with the end of its log, and a count.
 * @param {readonly Outcome[]} outcomes
 * @returns {string}
 */
export function reportOf(outcomes) {
  const logged = outcomes.map((outcome) => ({
    ...outcome,
    text: existsSync(outcome.log) ? readFileSync(outcome.log, 'utf8') : '',
  }));
  const rows = logged.map(
    ({ stage, result, seconds, text }) => `| ${stage.name} | ${seconds.toFixed(0)} | ${result} | ${figureIn(text)} |`,
  );
  const leftOut = outcomes.flatMap(({ stage, leftOut }) => leftOut.map((what) => `skipped in ${stage.name}: ${what}`));
  const bad = logged.filter(({ result }) => result === 'FLAKY' || result === 'FAILED');
  const details = bad.map(({ stage, result, because, log, text }) => {
    const tests = failedTests(text);
    const head = `${result} ${stage.name}: ${because} (${log})`;
    if (result === 'FLAKY') return [head, ...tests.map((name) => `  ${name}`)].join('\n');
    return [head, ...tests.map((name) => `  not ok: ${name}`), ...text.trimEnd().split('\n').slice(-40)].join('\n');
  });
  const count = (/** @type {Outcome['result'][]} */ ...of) =>
    outcomes.filter(({ result }) => of.includes(result)).length;
  const skipped = count('skipped');
  return [
    '',
    '| stage | seconds | result | figure |',
    '| --- | ---: | --- | --- |',
    ...rows,
    ...(leftOut.length > 0 ? ['', ...leftOut] : []),
    ...details.map((text) => `\n${text}`),
    '',
    `${count('ok', 'FLAKY')} passed, ${count('FAILED')} failed${skipped > 0 ? `, ${skipped} skipped, in whole or in part` : ''}`,
  ].join('\n');
}

async function main() {
  const args = process.argv.slice(2);
  const again = args.includes('--again');
  const [name = 'stages', ...names] = args.filter((arg) => arg !== '--again');
  const all = readTable(readFileSync(0, 'utf8'));
  const unknown = names.filter((wanted) => !all.some((stage) => stage.name === wanted));
  if (unknown.length > 0)
    throw new Error(`no stage ${unknown.join(', ')}; there are ${all.map((stage) => stage.name).join(', ')}`);
  const stages = names.length === 0 ? all : all.filter((stage) => names.includes(stage.name));
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.once(signal, () => {
      for (const group of groups) signalGroup(group, 'SIGKILL');
      process.exit(130);
    });
  const logs = join('.bench', 'stages', name);
  const from = performance.now();
  const outcomes = await runStages(stages, { logs, again, print: (line) => console.log(line) });
  const report = reportOf(outcomes);
  writeFileSync(join(logs, 'table.md'), `${report}\n`);
  if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, `${report}\n`);
  console.log(`\nall: ${((performance.now() - from) / 60_000).toFixed(1)} minutes${report}`);
  process.exitCode = outcomes.some(({ result }) => result === 'FAILED') ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();
