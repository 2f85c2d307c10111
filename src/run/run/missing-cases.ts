import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ComparableRecord, differenceOf } from '../../../site/assets/js/comparable.js';
import { UserError } from '../../base/errors.js';
import { counted } from '../../base/format.js';
import { findTool } from '../../base/tools/find-tool.js';
import type { World } from '../../base/world.js';
import { readRecord } from '../../records/read-record.js';
import { recordPath, versionsDir } from '../../records/versions.js';
import type { Case } from '../../suite/cases/expand.js';
import { versionName } from '../../suite/record-names.js';
import type { Suite } from '../../suite/suite.js';
import { definitionHash } from '../session/definition-hash.js';
import { fingerprintOf } from '../session/fingerprint.js';
import { type Player, playNatively, wantsNative } from '../session/player.js';

/** So many cases are named. */
const mostNames = 3;

/**
 * The cases that a kept version has no record of. What it has must be of what would be measured now: a version of two
 * definitions, players or machines would be none.
 * @param cases to measure
 * @returns as they were given
 * @throws {UserError} the name cannot be, a record cannot be read, or one is of something else
 */
export async function missingCases(
  cases: readonly Case[],
  { suite, version, player }: { suite: Suite; version: string; player?: Player },
  world: World,
): Promise<Case[]> {
  const folder = join(versionsDir(suite), versionName(version));
  const fileOf = ({ system, environment, name }: Case) => join(folder, recordPath({ system, environment, case: name }));
  const there = cases.filter((benchCase) => existsSync(fileOf(benchCase)));
  const k6 = await findTool('k6', { native: wantsNative(there, player) });
  const fingerprint = fingerprintOf(world.env, k6.version);
  const asSent =
    player === 'javascript' ? there : playNatively(there, { native: k6.native, env: world.env, note: () => {} });
  const others = asSent.flatMap((benchCase) => {
    const { system, environment, name } = benchCase;
    const record = readRecord(fileOf(benchCase), { version, system, environment, case: name });
    const now: ComparableRecord = {
      definition: definitionHash(benchCase, suite.root),
      fingerprint,
      ...(benchCase.player === 'native' && { player: benchCase.player }),
    };
    const difference = differenceOf(record, now);
    return difference === null ? [] : [`${system}/${environment}/${name} (${difference})`];
  });
  if (others.length > 0) {
    const named = others.slice(0, mostNames).join(', ') + (others.length > mostNames ? ', …' : '');
    throw new UserError(`version ${version} was measured otherwise in ${counted(others.length, 'case')}: ${named}`, {
      hint: 'A kept record is never rewritten: choose another name for this measurement.',
    });
  }
  return cases.filter((benchCase) => !there.includes(benchCase));
}

/**
 * Refuses to measure what a version has.
 * @param missing of them
 * @throws {UserError}
 */
export function refuseKept(cases: readonly Case[], missing: readonly Case[], version: string) {
  const kept = cases.length - missing.length;
  if (kept === 0) return;
  throw new UserError(`version ${version} has ${counted(kept, 'record')} of these ${counted(cases.length, 'case')}`, {
    hint: 'A kept record is never rewritten: --missing measures the others, another name measures all.',
  });
}
