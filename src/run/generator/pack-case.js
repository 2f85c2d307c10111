import { rename, rm } from 'node:fs/promises';
import { CaseFailure } from '../../base/process/failure.js';
import { ExecError, exec } from '../../base/tools/exec.js';
import { placeholdersOf } from '../../suite/cases/cases.js';
import { variablesOf } from '../../suite/run-placeholders.js';
import { entryOf } from './k6-arguments.js';

/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { CaseFile } from './k6.js' */

/** What stands for the address until somebody gives one: a name that never resolves (RFC 2606). */
const nowhere = 'http://base-url.invalid';

/**
 * Whether where the system is must be given where the load is made: it stands only in a run, or one must confirm it.
 * @param {Pick<Case, 'url' | 'confirm'>} benchCase
 */
export const needsAddress = ({ url, confirm }) => url.includes('${') || confirm !== null;

/**
 * The environment variables that whoever makes the load must set.
 * @param {Pick<Case, 'url' | 'confirm' | 'hosts' | 'requests'>} benchCase
 * @returns {string[]}
 */
export const neededVariables = ({ requests, hosts, ...target }) =>
  variablesOf([requests, hosts, needsAddress(target) ? null : target.url]);

/** @param {Parameters<typeof neededVariables>[0]} benchCase @returns {Record<string, string>} what stands for them until then */
const unset = (benchCase) => Object.fromEntries(neededVariables(benchCase).map((name) => [name, `unset:${name}`]));

/**
 * The variables of a script: an archive has them as they are now, and where services run is not known.
 * @param {Pick<Case, 'env' | 'scenario'>} benchCase
 * @returns {Record<string, string>}
 * @throws {CaseFailure}
 */
function packedVariables({ env = {}, scenario }) {
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
 * @param {CaseFile} measured
 * @param {string} file is written whole, or not at all
 * @param {{ k6: string, root: string }} given k6: the program; root: the suite's
 * @throws {CaseFailure} k6 refused
 */
export async function packCase({ file: caseFile, benchCase }, file, { k6, root }) {
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
    throw new CaseFailure(`k6 could not pack ${benchCase.name}: ${said ?? /** @type {Error} */ (cause).message}`, {
      cause,
    });
  }
}
