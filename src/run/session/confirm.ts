import { createInterface } from 'node:readline/promises';
import { UserError } from '../../base/errors.js';
import type { World } from '../../base/world.js';
import type { Case } from '../../suite/cases/expand.js';

/**
 * Asks before an environment is loaded whose spec says so: it may be shared with others.
 * @param options confirmed: --confirm was given; all: no environment was asked for by its name, so that one may be left out
 * @returns which may be loaded
 * @throws {UserError} there is no terminal to ask at, or the answer was no
 */
export async function confirmEnvironments(
  cases: readonly Case[],
  { confirmed, all }: { confirmed: boolean; all: boolean },
  world: World,
): Promise<(benchCase: Case) => boolean> {
  const nameOf = ({ system, environment }: Case) => `${system}/${environment}`;
  const asking = new Map(cases.filter(({ confirm }) => confirm).map((benchCase) => [nameOf(benchCase), benchCase]));
  const leftOut: Set<string> = new Set();
  if (confirmed) return () => true;
  for (const [name, { url, hosts, confirm }] of asking) {
    const what = `${name} (${[url, ...hosts].join(', ')}): ${confirm}`;
    if (!(world.stdin as NodeJS.ReadStream).isTTY) {
      if (all && asking.size < new Set(cases.map(nameOf)).size) {
        world.stderr.write(`not measured: ${what}\n  If it may be loaded, say --confirm.\n`);
        leftOut.add(name);
        continue;
      }
      throw new UserError(what, { hint: 'Nothing was sent. If it may be loaded, say --confirm.' });
    }
    const yes = await saysYes(`${what}\nSend load to it? [y/N] `, world);
    if (!yes) throw new UserError(`${name} is not measured: not confirmed`);
  }
  return (benchCase) => !leftOut.has(nameOf(benchCase));
}

async function saysYes(question: string, { stdin, stderr }: World) {
  const prompt = createInterface({ input: stdin, output: stderr });
  prompt.on('SIGINT', () => process.kill(process.pid, 'SIGINT')); // nothing has begun: end as usual
  try {
    return /^y(es)?$/i.test((await prompt.question(question)).trim());
  } finally {
    prompt.close();
  }
}
