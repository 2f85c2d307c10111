import { Interrupted } from '../../base/process/failure.js';
import { whyNoRepository } from '../../base/tools/git.js';
import { refuseUnmetRequirements } from '../../suite/requirements.js';
import { exposedNote, exposedVariables } from '../services/secrets.js';
import { confirmEnvironments } from './confirm.js';
import { playNatively } from './player.js';
import { interruptedCode, openSession } from './session.js';

/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { UserError } from '../../base/errors.js' */
/** @import { Run, Watcher } from '../run-context.js' */
/** @import { Suite } from '../../suite/suite.js' */
/** @import { World } from '../../base/world.js' */
/** @import { Player } from './player.js' */
/** @import { RunPlan } from './select-cases.js' */

/**
 * Does work that loads services: asks where a spec wants that, refuses what is not installed, opens a session, and closes
 * it however the work ends.
 * @param {RunPlan} plan what is to be measured
 * @param {{ confirm?: boolean, env?: string, place?: Suite,
 *   player?: Player, watcher?: Watcher }} options confirm: --confirm was given; env: 'all' when no
 *   environment was asked for by its name; place: the suite in which the run's files go, where that is not the one that is
 *   measured; player: what sends declared requests, where it is not the one that bench.toml names or the native one; watcher:
 *   learns what happens
 * @param {World} world
 * @param {(run: Run, cases: Case[]) => Promise<number>} work cases: those that may be measured; gives the exit code
 * @returns {Promise<number>} the exit code: the work's, or 130 when it was interrupted
 * @throws {UserError} nothing was measured, or the work could not go on
 */
export async function withSession(
  plan,
  { confirm = false, env, place = plan.suite, player = plan.suite.bench.run?.player, watcher },
  world,
  work,
) {
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
