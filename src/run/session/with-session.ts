import { Interrupted } from '../../base/process/failure.js';
import { whyNoRepository } from '../../base/tools/git.js';
import type { World } from '../../base/world.js';
import type { Case } from '../../suite/cases/expand.js';
import { refuseUnmetRequirements } from '../../suite/requirements.js';
import type { Suite } from '../../suite/suite.js';
import type { Run, Watcher } from '../run-context.js';
import { exposedNote, exposedVariables } from '../services/secrets.js';
import { confirmEnvironments } from './confirm.js';
import { type Player, playNatively } from './player.js';
import type { RunPlan } from './select-cases.js';
import { interruptedCode, openSession } from './session.js';

/**
 * Does work that loads services: asks where a spec wants that, refuses what is not installed, opens a session, and closes
 * it however the work ends.
 * @param plan what is to be measured
 * @param options confirm: --confirm was given; env: 'all' when no environment was asked for by its name; place: the suite in
 *   which the run's files go, where that is not the one that is measured; player: what sends declared requests, where it is
 *   not the one that bench.toml names or the native one; watcher: learns what happens
 * @param work cases: those that may be measured; gives the exit code
 * @returns the exit code: the work's, or 130 when it was interrupted
 * @throws {UserError} nothing was measured, or the work could not go on
 */
export async function withSession(
  plan: RunPlan,
  {
    confirm = false,
    env,
    place = plan.suite,
    player = plan.suite.bench.run?.player,
    watcher,
  }: { confirm?: boolean; env?: string; place?: Suite; player?: Player; watcher?: Watcher },
  world: World,
  work: (run: Run, cases: Case[]) => Promise<number>,
): Promise<number> {
  const mayRun = await confirmEnvironments(plan.toRun, { confirmed: confirm, all: env === 'all' }, world);
  const cases = plan.toRun.filter(mayRun);
  refuseUnmetRequirements(plan.suite, cases, world.env);
  const { run, native, close } = await openSession(
    place,
    { memory_bytes: plan.memory_bytes, cases, player, watcher },
    world,
  );
  const { note } = run.progress;
  const exposed = exposedNote(exposedVariables(cases, world.env));
  if (exposed) note(exposed);
  const repository = await whyNoRepository(place.root);
  if (repository?.refused)
    note(`${repository.text}: records have no commit${repository.hint ? `. ${repository.hint}` : ''}`);
  try {
    const exit = await work(
      run,
      player === 'javascript' ? cases : playNatively(cases, { native, env: world.env, note }),
    );
    return run.interrupt.asked ? interruptedCode : exit;
  } catch (error) {
    if (error instanceof Interrupted) return interruptedCode;
    throw error;
  } finally {
    close();
  }
}
