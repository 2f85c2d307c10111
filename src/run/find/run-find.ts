import { join } from 'node:path';
import type { Search } from '../../../reports/schema/types.d.ts';
import { exitCodes, UserError } from '../../base/errors.js';
import { counted, formatPlain } from '../../base/format.js';
import type { CaseFailure } from '../../base/process/failure.js';
import type { World } from '../../base/world.js';
import { readRecord } from '../../records/read-record.js';
import { loadNow } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';
import { caseName } from '../../suite/cases/names.js';
import { limits } from '../../suite/cases/tables.js';
import { loadSuite } from '../../suite/suite.js';
import { measureCase } from '../measure/measure-case.js';
import type { Run } from '../run-context.js';
import { buildServices } from '../services/build-services.js';
import { serviceKeeper } from '../services/service-pool.js';
import { type CaseOutcome, conclude } from '../session/conclude.js';
import type { Player } from '../session/player.js';
import { newSeed } from '../session/random-order.js';
import { commandWith } from '../session/repeat-command.js';
import { headerOf } from '../session/run-header.js';
import type { CaseSelection } from '../session/select-cases.js';
import { deleteScratch } from '../session/session.js';
import { withSession } from '../session/with-session.js';
import { disturbedText, foundText, probeText } from './find-report.js';
import { type LoadParameter, loadOf } from './load-parameter.js';
import { measureProbe, type Observed, probed, probeFolder } from './probe.js';
import { search } from './search.js';
import { selectCase } from './searched-case.js';

/**
 * from, max: iterations a second or users; probe_s: how long one load is measured; precision: relative; repeats: how often
 * the edge is searched; rounds: of the record, at the load that was found
 */
type FindOptions = CaseSelection & {
  system?: string;
  from?: number;
  max?: number;
  probe_s?: number;
  precision?: number;
  repeats?: number;
  rounds?: number;
  player?: Player;
  confirm?: boolean;
  json?: boolean;
};

type Prepared = { header: Record<string, unknown>; built: CaseFailure | null };

const defaults = { probe_s: 5, precision: 0.02, repeats: 5, rounds: 3, max: 100_000 };

/**
 * Finds the highest load under which a scenario still meets its thresholds, measures it there, and prints both. The
 * result of the search is a part of that record, which is kept and compared like any other.
 * @returns the exit code: 3 when there is no such load to report, else that of the record
 * @throws {UserError} nothing to search, or a service failed
 */
export async function runFind(options: FindOptions, world: World): Promise<number> {
  const findOptions = { ...defaults, ...definedOptions(options) };
  if (findOptions.from !== undefined && findOptions.from > findOptions.max) {
    throw new UserError(`--from ${findOptions.from} is above --max ${findOptions.max}`, {
      hint: 'Begin with a load that is to be tried.',
    });
  }
  const suite = loadSuite(world.cwd);
  const plan = selectCase(suite, options, world);
  const load = loadOf(plan.toRun[0]);
  return withSession(plan, options, world, async (session, [benchCase]) => {
    const run = quiet(session);
    const { rounds, precision, probe_s } = findOptions;
    const command = commandOf(benchCase, options);
    const prepared = await prepare(benchCase, { rounds, command }, run);
    const { found, curve, disturbed } = await searchLoad(benchCase, { ...findOptions, ...prepared, load, suite }, run);
    if (disturbed > 0 && !options.json) world.stdout.write(disturbedText(disturbed, curve.length));
    if (found.reason !== null) {
      world.stdout.write(`Nothing found: ${found.reason}.\n`);
      deleteScratch(run, []);
      return exitCodes.inconclusive;
    }
    const how = { ...load, precision, probe_s, curve, estimates: found.estimates };
    run.progress.note(`measuring at ${formatPlain(found.sure)}, ${counted(rounds, 'round')}`);
    const outcome = await measureFound(foundCase(benchCase, found.sure, how), { ...prepared, rounds }, run);
    const exit = await conclude(suite, { command, options, cases: [outcome] }, run, world);
    if (!options.json && outcome.status === 'measured') {
      world.stdout.write(`\n${foundText(readRecord(join(run.folder, outcome.dir, 'record.json')).search as Search)}\n`);
    }
    return exit;
  });
}

/** A search says itself how far it is. */
const quiet = (run: Run): Run => ({
  ...run,
  progress: { ...run.progress, beginRound() {}, endRound() {}, iterations() {} },
});

/**
 * Builds the services, and puts together what is the same for all probes and for the record.
 * @throws {UserError} they cannot be built
 */
async function prepare(
  benchCase: Case,
  { rounds, command }: { rounds: number; command: string },
  run: Run,
): Promise<Prepared> {
  const header = await headerOf(run, { seed: newSeed(), rounds, profile: benchCase.profile, command });
  const built = (await buildServices([benchCase], run))(benchCase);
  if (built) throw built;
  return { header, built };
}

/** Leaves out what was not given. */
const definedOptions = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;

/** The command that does the same again. */
function commandOf(
  { system, scenario, environment }: Case,
  { from, max, probe_s, precision, repeats, ...options }: FindOptions,
) {
  const probe = probe_s && `${probe_s}s`;
  const bounds = Object.entries(definedOptions({ from, max, probe, precision, repeats }));
  const words = ['find', system, ...bounds.flatMap(([name, value]) => [`--${name}`, String(value)])];
  return commandWith(words, { ...options, scenario, env: environment });
}

/** Searches for the load, and says what each probe observed. */
async function searchLoad(
  benchCase: Case,
  {
    load,
    header,
    built,
    suite,
    probe_s,
    from = loadNow(benchCase),
    ...bounds
  }: Prepared & {
    load: LoadParameter;
    suite: { root: string };
    from?: number;
    max: number;
    probe_s: number;
    precision: number;
    repeats: number;
  },
  run: Run,
) {
  const { parameter } = load;
  run.progress.note(
    `${benchCase.system}/${benchCase.environment}/${benchCase.scenario}: which ${parameter} still meets the thresholds? Each is tried for ${probe_s} s`,
  );
  const curve: Observed[] = [];
  let disturbances = 0;
  const found = await search(
    async (probeLoad) => {
      const { observed, limited, disturbed, thresholds } = await measureProbe(
        probed(benchCase, probeLoad, probe_s),
        { folder: probeFolder(run.folder, curve.length + 1), header, built },
        run,
      );
      curve.push(observed);
      if (disturbed) disturbances += 1;
      run.progress.note(probeText(curve.length, { observed, thresholds, disturbed }, load));
      return { ...observed, limited, disturbed };
    },
    { ...bounds, from, least: parameter === 'vus' ? 1 : 0.01 },
  );
  return { found, curve, disturbed: disturbances };
}

/** The case at the load that was found: one of its own, with how it was found. */
const foundCase = (benchCase: Case, load: number, how: NonNullable<Case['search']> & { probe_s: number }): Case => ({
  ...probed(benchCase, load, how.probe_s),
  name: caseName(benchCase.scenario, { find: how.parameter }),
  values: { find: how.parameter },
  search: how,
});

/** Measures the case at the load that was found. */
async function measureFound(found: Case, prepared: Prepared & { rounds: number }, run: Run): Promise<CaseOutcome> {
  const { system, environment, name } = found;
  const dir = join(system, environment, name);
  const keeper = serviceKeeper(run);
  const outputs = { folder: join(run.folder, dir), keeper, repeats: limits.disturbed_repeats };
  const { status, reason } = await measureCase(found, { ...prepared, ...outputs }, run).finally(keeper.end);
  return { system, environment, case: name, dir, status, reason };
}
