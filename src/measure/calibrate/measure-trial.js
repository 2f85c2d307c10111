import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../io/files.js';
import { endCommand, startCommand } from '../../process/command.js';
import { openLog } from '../../process/log.js';
import { reduceCase } from '../../records/reduce-case.js';
import { newSeed, randomOf } from '../../session/random-order.js';
import { jq } from '../../tools/jq.js';
import { measurePair, runsOf } from '../duet/measure-pair.js';
import { sideNames } from '../duet/split.js';

/**
 * @typedef {import('../../run-context.js').Run} Run
 * @typedef {import('./conditions.js').Condition} Condition
 */

/**
 * Measures one duet whose truth is known, all of its blocks.
 * @param {import('../duet/pair-cases.js').PairedCase} pair
 * @param {Condition} condition
 * @param {Omit<import('../duet/measure-pair.js').DuetContext, 'seed'> & { n: number }} context
 * @param {Run} session
 * @returns {Promise<import('../../records/calibration/trials.js').KeptTrial | null>} null: it was interrupted
 */
export async function measureTrial(pair, { name, env, bursts }, { n, ...context }, session) {
  const run = { ...session, folder: join(session.folder, `trial-${n}`) };
  const seed = newSeed();
  const slowed = {
    ...pair.head,
    services: pair.head.services.map((service) => ({ ...service, env: { ...service.env, ...env } })),
  };
  const built = { base: () => null, head: () => null };
  const started = performance.now();
  const noise = bursts ? await startBursts(run) : null;
  let outcome;
  try {
    run.progress.beginCase(0);
    outcome = await measurePair(
      { ...pair, head: slowed },
      {
        ...context,
        seed,
        cases: 1,
        runs: runsOf(context, run),
        random: randomOf(seed),
        built,
      },
    );
  } finally {
    await noise?.();
  }
  const reports = join(context.suite.root, 'reports');
  if (outcome.status === 'interrupted') return null;
  const sides = sideNames.map((side) => join(outcome.folder, side));
  const records = await Promise.all(sides.map((folder) => reduceCase(folder, { reports })));
  const reason = outcome.reason ?? outcome.base_reason;
  // One that failed in its first block has no records; it is a trial all the same.
  const measured = records.every((record) => record !== null) ? sides.map((folder) => join(folder, 'record.json')) : [];
  const trial = await jq('trial.json.jq', [join(sides[1], 'case.json'), ...measured], {
    reports,
    args: {
      trial: {
        id: `${run.id}-${n}`,
        time: new Date().toISOString(),
        condition: name,
        bursts,
        env,
        blocks: context.blocks,
        timing: context.timing,
        seconds: Math.round((performance.now() - started) / 100) / 10,
        seed,
        status: reason === null ? 'measured' : 'error',
        reason,
      },
    },
  });
  rmSync(run.folder, { recursive: true, force: true }); // its raw files: a session has hundreds
  return trial;
}

/**
 * Starts what loads the machine at random.
 * @param {Run} run
 * @returns {Promise<() => Promise<unknown>>} ends it
 */
async function startBursts(run) {
  const log = openLog(join(makeFolder(run.folder), 'bursts.log'));
  const running = await startCommand(
    {
      name: 'bursts',
      argv: [process.execPath, fileURLToPath(new URL('background-load.js', import.meta.url))],
      cwd: run.root,
      env: run.env,
      log,
    },
    run,
  );
  return () => endCommand(running, 'SIGTERM', 1000).finally(() => log.close());
}
