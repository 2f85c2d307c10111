import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Trial as KeptTrial } from '../../../reports/schema/types.d.ts';
import { makeFolder } from '../../base/io/files.js';
import { endCommand, startCommand } from '../../base/process/command.js';
import { openLog } from '../../base/process/log.js';
import { probeSpeed } from '../../base/process/speed-probe.js';
import { jq } from '../../base/tools/jq.js';
import { recordFile } from '../../records/reduce-case.js';
import type { LaneSettings } from '../../suite/cases/duet-settings.js';
import type { DuetContext } from '../duet/contexts.js';
import { measurePair } from '../duet/measure-pair.js';
import type { PairedCase } from '../duet/pair-cases.js';
import type { PairOutcome } from '../duet/pair-outcome.js';
import { runsOf } from '../duet/side-runs.js';
import { type SideName, sideNames } from '../duet/split.js';
import type { Run } from '../run-context.js';
import { newSeed, randomOf } from '../session/random-order.js';
import type { Condition } from './conditions.js';

type Case = PairedCase['head'];

/** The same for all trials of a session. */
type TrialContext = Omit<DuetContext, 'cases' | 'seed' | 'random' | 'runs' | 'budget_s'>;

/**
 * Measures one duet whose truth is known, all of its blocks.
 * @returns null: it was interrupted
 */
export async function measureTrial(
  pair: PairedCase,
  { name, env, both, bursts }: Condition,
  { n, ...context }: TrialContext & { n: number },
  session: Run,
): Promise<KeptTrial | null> {
  const run = { ...session, folder: join(session.folder, `trial-${n}`) };
  const seed = newSeed();
  const changed = {
    ...pair,
    base: withVariables(pair.base, both),
    head: withVariables(pair.head, { ...both, ...env }),
  };
  const prepared = { base: () => null, head: () => null };
  const before = await probeSpeed();
  const started = performance.now();
  const noise = bursts ? await startBursts(run) : null;
  let outcome;
  try {
    run.progress.beginCase(0);
    outcome = await measurePair(changed, prepared, {
      ...context,
      seed,
      cases: 1,
      budget_s: Infinity,
      runs: runsOf(context, run),
      random: randomOf(seed),
    });
  } finally {
    await noise?.();
  }
  if (outcome.status === 'interrupted') return null;
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const { pair: how, lanes } = outcome;
  const reason = outcome.reason ?? outcome.base_reason;
  const files = await filesOf(outcome);
  const trial = await jq('trial.json.jq', [join(outcome.folder, 'head', 'case.json'), ...namedIn(files)], {
    args: {
      files,
      trial: {
        id: `${run.id}-${n}`,
        time: new Date().toISOString(),
        condition: name,
        bursts,
        env,
        ...(Object.keys(both).length > 0 && { both }),
        blocks: context.blocks,
        timing: context.timing,
        lanes: lanesOf(pair, context.rule.lanes),
        seconds,
        speed: { before, after: await probeSpeed() },
        seed,
        status: reason === null ? 'measured' : 'error',
        reason,
        pair: {
          interleaved: how.interleaved,
          apart: how.apart,
          swapped_cores: how.swapped_cores,
          kept_awake: how.kept_awake,
          lanes_interleaved: lanes?.interleaved ?? null,
          falls: lanes?.falls ?? [],
          ...(lanes?.warm_up && { warm_up: lanes.warm_up }),
        },
      },
    },
  });
  rmSync(run.folder, { recursive: true, force: true }); // its raw files: a session has hundreds
  return trial;
}

/** How lanes are measured, as trials keep it: with the time that the age lane has of its scenario. */
export function lanesOf({ lanes }: PairedCase, settings: LaneSettings | null) {
  if (lanes === null || settings === null) return null;
  const { load, saturation } = settings;
  if (lanes.age === null) return { load, saturation, age: null };
  const { window, duration_s } = lanes.age.head;
  return { load, saturation, age: { warmup_s: window.from_s, seconds: Number(duration_s) - window.from_s } };
}

/** @returns the same, with these variables in the environment of its services */
const withVariables = (side: Case, env: Record<string, string>): Case => ({
  ...side,
  services: side.services.map((service) => ({ ...service, env: { ...service.env, ...env } })),
});

type SideFiles = Record<SideName, string | null>;

/** Null: there is none */
type RecordFiles = SideFiles & { load: SideFiles | null; saturation: SideFiles | null; age: SideFiles | null };

/** Lists the records of a trial. A side that failed in its first block has none; the trial is one all the same. */
async function filesOf({ folder, lanes }: PairOutcome): Promise<RecordFiles> {
  const [base, head] = await Promise.all(sideNames.map((side) => recordFile(join(folder, side))));
  return { base, head, load: lanes?.load ?? null, saturation: lanes?.saturation ?? null, age: lanes?.age ?? null };
}

const namedIn = ({ base, head, ...lanes }: RecordFiles): string[] =>
  [base, head, ...Object.values(lanes).flatMap((files) => [files?.base, files?.head])].filter(
    (file) => typeof file === 'string',
  );

/**
 * Starts what loads the machine at random.
 * @returns ends it
 */
async function startBursts(run: Run): Promise<() => Promise<unknown>> {
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
