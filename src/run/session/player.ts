import { counted } from '../../base/format.js';
import { beyondNative } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';

/** So many cases are named, the others counted. */
const mostNames = 3;

export type Player = 'javascript' | 'native';

/**
 * Whether the native player may be wanted: unless JavaScript was asked for, or no case could be its own.
 * @param player that was asked for
 */
export const wantsNative = (cases: readonly Case[], player?: Player) =>
  player !== 'javascript' && cases.some((benchCase) => beyondNative(benchCase) === null);

/**
 * Has the native player send what it can of the requests of cases: each that it sends says so, since it is another
 * definition.
 * @param given native: this k6 has it; note: gets how many it sends, and why a case is left to the JavaScript player
 */
export function playNatively(
  cases: readonly Case[],
  { note, ...given }: { native: boolean; env: NodeJS.ProcessEnv; note: (text: string) => void },
): Case[] {
  const reasons = cases.map((benchCase) => reasonAgainstNative(benchCase, given));
  for (const reason of new Set(reasons)) {
    if (reason === null) continue;
    const names = cases
      .filter((_, i) => reasons[i] === reason)
      .map(({ system, environment, name }) => `${system}/${environment}/${name}`);
    const others = names.length - mostNames;
    const named = [...names.slice(0, mostNames), ...(others > 0 ? [counted(others, 'other case')] : [])].join(', ');
    note(`the JavaScript player, not the native one, sends the requests of ${named}: ${reason}`);
  }
  const sent = reasons.filter((reason) => reason === null).length;
  if (sent > 0) note(`the native player sends the requests of ${counted(sent, 'case')}`);
  return cases.map((benchCase, i) => (reasons[i] === null ? { ...benchCase, player: 'native' } : benchCase));
}

/** @returns null: the native player can send its requests */
function reasonAgainstNative(
  benchCase: Case,
  { native, env }: { native: boolean; env: NodeJS.ProcessEnv },
): string | null {
  const beyond = beyondNative(benchCase);
  if (beyond !== null) return beyond;
  if (!native)
    return 'there is no k6 with this version of the native player in it (`npx benchfolio tools` builds one, with Go)';
  const proxy = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'].find((name) => env[name]);
  if (proxy !== undefined && !isLocal(benchCase.url))
    return `${proxy} is set, and only the JavaScript player goes through proxies`;
  return null;
}

/** Nothing goes through a proxy to this machine. */
const isLocal = (url: string) => /^https?:\/\/(127\.|localhost[:/]|\[::1\])/.test(`${url}/`);
