import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { looksOf } from '../duet/looks.js';
import { UserError } from '../errors.js';
import { jq } from '../jq.js';
import { parseToml } from '../spec/index.js';
import { mergeCompare } from '../spec/compare.js';
import { specPath } from '../suite.js';
import { readTrials, trialsFolder } from './trials.js';

/**
 * How trials are judged, where it is not as the spec says.
 * @typedef {{ tolerance?: number, false_alarm?: number, gate?: string[], blocks?: number }} Rule
 */

/**
 * What the trials of a system say of duets. Those of an earlier definition or timing do not count: another duet.
 * @param {import('../suite.js').Suite} suite
 * @param {string} system
 * @param {Rule} [rule]
 * @returns {Promise<{ calibration: any, left_out: number }>} as reports/calibration.json.jq prints it
 * @throws {UserError} there is no trial, or a file is none
 */
export async function calibrationOf(suite, system, { blocks, ...rule } = {}) {
  const kept = await readTrials(suite, system);
  const last = latest(kept);
  if (!last) {
    throw new UserError(`there is no trial of "${system}" in ${trialsFolder(suite, system)}`, {
      hint: `Measure some: benchfolio calibrate ${system}`,
    });
  }
  const used = kept.filter(({ trial }) => sameDuet(trial, last));
  const spec = /** @type {any} */ (parseToml(readFileSync(specPath(suite, system), 'utf8')));
  const { gate, tolerance, tolerances, false_alarm } =
    mergeCompare([suite.bench.compare, spec.compare, spec.scenarios[last.scenario]?.compare]);
  refuseUnknown(rule.gate ?? [], last, system);
  const args = { rule: { gate, tolerance, tolerances, false_alarm, ...rule, looks: looksOf(blocks ?? last.blocks) } };
  const calibration = await jq('calibration.json.jq', used.map(({ file }) => file), { args, reports: join(suite.root, 'reports') });
  return { calibration, left_out: kept.length - used.length };
}

/** @param {readonly { trial: import('./trials.js').Trial }[]} kept */
const latest = (kept) => kept.map(({ trial }) => trial).sort((a, b) => a.time.localeCompare(b.time)).at(-1);

/** @param {import('./trials.js').Trial} one @param {import('./trials.js').Trial} other */
const sameDuet = (one, other) => one.definition === other.definition && one.blocks === other.blocks
  && one.timing.warmup_s === other.timing.warmup_s && one.timing.seconds === other.timing.seconds;

/** @param {string[]} gate @param {import('./trials.js').Trial} trial @param {string} system */
function refuseUnknown(gate, { metrics }, system) {
  const stranger = gate.find((name) => !(name in metrics));
  if (stranger === undefined) return;
  throw new UserError(`trials of "${system}" have no metric "${stranger}"`, { hint: `They have ${Object.keys(metrics).join(', ')}.` });
}

/**
 * Prints it.
 * @param {import('../suite.js').Suite} suite
 * @param {string} system
 * @param {Rule & { json?: boolean }} options
 * @param {Pick<import('../cli.js').World, 'stdout'>} world
 * @returns {Promise<void>}
 * @throws {UserError} there is no trial
 */
export async function printCalibration(suite, system, { json = false, ...rule }, world) {
  const { calibration, left_out } = await calibrationOf(suite, system, rule);
  if (json) {
    world.stdout.write(`${JSON.stringify(calibration, null, 2)}\n`);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'benchfolio-'));
  try {
    const file = join(folder, 'calibration.json');
    await writeFile(file, JSON.stringify(calibration));
    const text = await jq('calibration.txt.jq', [file], { raw: true, reports: join(suite.root, 'reports') });
    world.stdout.write(text);
    if (left_out > 0) world.stdout.write(`\n${left_out} earlier trials are of another definition or timing, and not counted.\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
