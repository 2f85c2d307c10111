import { rename, rm } from 'node:fs/promises';
import { CaseFailure } from '../../base/process/failure.js';
import { ExecError, exec } from '../../base/tools/exec.js';
import { placeholdersOf } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';
import { variablesOf } from '../../suite/run-placeholders.js';
import type { CaseFile } from './k6.js';
import { entryOf } from './k6-arguments.js';

/** What stands for the address until somebody gives one: a name that never resolves (RFC 2606). */
const nowhere = 'http://base-url.invalid';

/** Whether where the system is must be given where the load is made: it stands only in a run, or one must confirm it. */
export const needsAddress = ({ url, confirm }: Pick<Case, 'url' | 'confirm'>) => url.includes('${') || confirm !== null;

/** The environment variables that whoever makes the load must set. */
export const neededVariables = ({
  requests,
  hosts,
  ...target
}: Pick<Case, 'url' | 'confirm' | 'hosts' | 'requests'>): string[] =>
  variablesOf([requests, hosts, needsAddress(target) ? null : target.url]);

/** @returns what stands for them until then */
const unset = (benchCase: Parameters<typeof neededVariables>[0]): Record<string, string> =>
  Object.fromEntries(neededVariables(benchCase).map((name) => [name, `unset:${name}`]));

/**
 * The variables of a script: an archive has them as they are now, and where services run is not known.
 * @throws {CaseFailure}
 */
function packedVariables({ env = {}, scenario }: Pick<Case, 'env' | 'scenario'>): Record<string, string> {
  const [open] = placeholdersOf(env);
  if (open === undefined) return env;
  throw new CaseFailure(
    `the variable ${open.path[0]} of scenario ${scenario} has \${${open.name}}, which an archive does not know`,
    {
      hint: 'A script finds the address in __ENV.BASE_URL, wherever it runs.',
    },
  );
}

/**
 * Packs a case, the driver and all files that it sends into one file, as `k6 archive` does. No secret is in it.
 * @param file is written whole, or not at all
 * @param given k6: the program; root: the suite's
 * @throws {CaseFailure} k6 refused
 */
export async function packCase(
  { file: caseFile, benchCase }: CaseFile,
  file: string,
  { k6, root }: { k6: string; root: string },
) {
  const entry = entryOf(benchCase, root);
  const variables = {
    CASE: caseFile,
    ...entry.variables,
    ...packedVariables(benchCase),
    PACKED: '1',
    ...(needsAddress(benchCase) && { BASE_URL: nowhere }),
    ...(benchCase.player !== 'native' && unset(benchCase)), // JavaScript puts them in at once
  };
  const given = Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const half = `${file}.${process.pid}.tmp`;
  // k6 packs the variables that it is given, and none of the environment's: there may be secrets in those.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, K6_AUTO_EXTENSION_RESOLUTION: 'false' };
  try {
    await exec(k6, ['archive', '--no-color', ...given, '-O', half, entry.argument], {
      env,
      cwd: entry.cwd,
      input: entry.text ?? '',
    });
    await rename(half, file);
  } catch (cause) {
    await rm(half, { force: true });
    const said = cause instanceof ExecError ? /msg="(.*?)(?:\\n)*"/.exec(cause.stderr)?.[1] : null;
    throw new CaseFailure(`k6 could not pack ${benchCase.name}: ${said ?? (cause as Error).message}`, {
      cause,
    });
  }
}
