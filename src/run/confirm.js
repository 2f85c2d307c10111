import { createInterface } from 'node:readline/promises';
import { UserError } from '../errors.js';

/**
 * Asks before an environment is loaded whose spec says so: it may be shared with others.
 * @param {readonly import('../spec/index.js').Case[]} cases
 * @param {{ confirmed: boolean }} options confirmed: --confirm was given
 * @param {import('../cli.js').World} world
 * @throws {UserError} nobody to ask, or the answer was no
 */
export async function confirmEnvironments(cases, { confirmed }, world) {
  const asking = new Map(cases.filter(({ confirm }) => confirm)
    .map(({ system, environment, url, confirm }) => [`${system}/${environment}`, { url, confirm }]));
  if (confirmed) return;
  for (const [name, { url, confirm }] of asking) {
    const what = `${name} (${url}): ${confirm}`;
    if (!(/** @type {NodeJS.ReadStream} */ (world.stdin).isTTY)) {
      throw new UserError(what, { hint: 'Nothing was sent. If it may be loaded, say --confirm.' });
    }
    const yes = await saysYes(`${what}\nSend load to it? [y/N] `, world);
    if (!yes) throw new UserError(`${name} is not measured: not confirmed`);
  }
}

/**
 * @param {string} question
 * @param {import('../cli.js').World} world
 */
async function saysYes(question, { stdin, stderr }) {
  const prompt = createInterface({ input: stdin, output: stderr });
  prompt.on('SIGINT', () => process.kill(process.pid, 'SIGINT')); // nothing has begun: end as usual
  try {
    return /^y(es)?$/i.test((await prompt.question(question)).trim());
  } finally {
    prompt.close();
  }
}
