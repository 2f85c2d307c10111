import { join } from 'node:path';
import { makeFolder, writeJson } from '../../base/io/files.js';
import { CaseFailure, Interrupted } from '../../base/process/failure.js';
import { probeSpeed } from '../../base/process/speed-probe.js';
import { inParts, partsOf } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';
import type { CaseFile } from '../generator/k6.js';
import type { Run } from '../run-context.js';
import { openPrometheus, type RunningPrometheus } from '../services/prometheus/open-prometheus.js';
import { secretsOf } from '../services/secrets.js';
import type { Services } from '../services/services.js';
import { generatorCores } from '../session/cores.js';
import { definitionHash } from '../session/definition-hash.js';
import { writeFailure } from '../session/write-failure.js';
import { writeCase } from './case-file.js';
import { disturbanceOf, setAside } from './disturbed-round.js';
import { deleteData, measureLoad } from './measure-load.js';

/** rounds: how many are complete; more: lines that help to find out why */
export type CaseResult = {
  status: 'measured' | 'error' | 'interrupted';
  rounds: number;
  reason: string | null;
  more?: string[];
};

/**
 * Measures one case: its services ready (afresh for each round where `restart` says so), N rounds, its services stopped. A
 * round that other programs disturbed is measured again. A failure is written down and is not thrown: the other cases go on.
 * @param given folder: its own; header: what is the same for all cases of the run; repeats: so many rounds at the most are
 *   measured again; built: why its services could not be built; probed: with a probe of the machine's speed before and after
 *   it
 * @throws {UserError} the run cannot go on: the disk is full
 */
export async function measureCase(
  benchCase: Case,
  {
    folder,
    rounds,
    header,
    repeats = 0,
    built,
    keeper,
    probed = true,
  }: {
    folder: string;
    rounds: number;
    header: Record<string, unknown>;
    repeats?: number;
    probed?: boolean;
    built: CaseFailure | null;
    keeper: ReturnType<typeof import('../services/service-pool.js').serviceKeeper>;
  },
  run: Run,
): Promise<CaseResult> {
  const parts = partsOf(benchCase, run.memory_bytes) ?? 1; // null, it does not fit and cannot be cut: check refuses it
  const generator = generatorCores(benchCase.services);
  const definition = definitionHash(benchCase, run.root); // however it is cut: that is the machine's doing
  const measured = await writeCase(folder, inParts(benchCase, parts), {
    root: run.root,
    definition,
    header,
    generator,
  });
  let round = 0;
  /** Why the round was measured so far, and did not count. */
  let repeated: string[] = [];
  let left = repeats;
  const held: { prometheus: RunningPrometheus | null } = { prometheus: null };
  try {
    if (built) throw built;
    if (probed) run.speed ??= await probeSpeed(); // else that after the case before
    const before = run.speed;
    const cores = generator.pinned ? generator.cores.join(',') : null;
    const afresh = benchCase.restart === 'round';
    const open = async () => {
      const servicesFolder = afresh ? makeFolder(join(folder, `services-${round + 1}`)) : folder;
      const ready = await keeper.get(benchCase, servicesFolder);
      const prometheus = await openPrometheus(
        measured.benchCase,
        { folder: servicesFolder, services: ready, cores },
        run,
      );
      held.prometheus = prometheus;
      return { services: ready, prometheus };
    };
    let opened = await open();
    if (parts > 1) run.progress.note(`each round is cut into ${parts} k6 processes: one would not fit into memory`);
    while (round < rounds) {
      run.progress.beginRound(round + 1);
      if (afresh && (round > 0 || repeated.length > 0)) {
        await opened.prometheus.close();
        held.prometheus = null;
        await keeper.release(benchCase);
        opened = await open();
      }
      await measureRound(measured, { round: round + 1, repeated, folder, cores, ...opened }, run);
      const disturbance = left > 0 ? await disturbanceOf(folder, round + 1, benchCase) : null;
      if (disturbance === null) {
        run.progress.endRound();
        round += 1;
        repeated = [];
      } else {
        run.progress.note(`round ${round + 1} is measured again: ${disturbance}`);
        setAside(folder, round + 1, repeated.length + 1);
        repeated = [...repeated, disturbance];
        left -= 1;
      }
    }
    await opened.prometheus.close();
    held.prometheus = null;
    await keeper.release(benchCase);
    if (probed) {
      run.speed = await probeSpeed();
      await writeJson(join(folder, 'speed.json'), { before, after: run.speed });
    }
    return { status: 'measured', rounds: round, reason: null };
  } catch (error) {
    if (error instanceof CaseFailure) {
      return {
        status: 'error',
        rounds: round,
        ...(await writeFailure(folder, error, secretsOf(benchCase, run.env, run.secrets))),
      };
    }
    if (!(error instanceof Interrupted)) throw error;
    return { status: 'interrupted', rounds: round, reason: `interrupted after ${round} of ${rounds} rounds` };
  } finally {
    await held.prometheus?.close();
    await keeper.release(benchCase);
  }
}

/**
 * Measures one round, in as many k6 processes as it is cut into; on any error no data of it is left.
 * @param given repeated: why it was measured before, and did not count; folder: of the case; cores: those that k6 is pinned
 *   to
 * @throws {CaseFailure | Interrupted}
 */
async function measureRound(
  measured: CaseFile,
  {
    round,
    repeated,
    folder,
    cores,
    services,
    prometheus,
  }: {
    round: number;
    repeated: readonly string[];
    folder: string;
    cores: string | null;
    services: Services;
    prometheus: RunningPrometheus;
  },
  run: Run,
) {
  const { parts } = measured.benchCase;
  const suffix = (part: number) => (parts === 1 ? '' : `.${part}`);
  const folders = Array.from({ length: parts }, (_, index) => join(folder, `round-${round}${suffix(index + 1)}`));
  const targets = [{ side: null, services }];
  try {
    for (const [index, partFolder] of folders.entries()) {
      const which = { round, part: index + 1, parts, ...(repeated.length ? { repeated } : {}) };
      await measureLoad(measured, { which, folder: makeFolder(partFolder), targets, cores, prometheus }, run);
    }
  } catch (error) {
    folders.forEach(deleteData);
    throw error;
  }
}
