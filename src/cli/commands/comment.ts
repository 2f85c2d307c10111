import { join, relative, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Comparison } from '../../../reports/schema/types.d.ts';
import { exitCodes, UserError } from '../../base/errors.js';
import { printForMachines, type World } from '../../base/world.js';
import { annotationsOf, repositoryRoot } from '../../forge/annotations.js';
import { type CommentContext, commentText, junitText } from '../../forge/comment-text.js';
import { conclusionOf } from '../../forge/github/check-run.js';
import { lastComparison, machineOf, readComparison } from '../../forge/github/comparison.js';
import { clientFor } from '../../forge/github/github-client.js';
import { postBegin, postMissing, postOutcome } from '../../forge/github/post-outcome.js';
import { targetOf } from '../../forge/github/target.js';
import { markerOf, resultsIn } from '../../forge/marker.js';
import { gitState } from '../../run/session/git-state.js';
import { loadSuite, type Suite } from '../../suite/suite.js';
import { wholeFrom } from '../cli-options.js';

type CommentOptions = {
  file?: string;
  dryRun?: boolean;
  format?: 'markdown' | 'json' | 'junit';
  apiUrl?: string;
  repository?: string;
  pull?: number;
  head?: string;
  key?: string;
  check?: string;
  begin?: boolean;
  missing?: string;
  inconclusive?: 'neutral' | 'failure';
  site?: string;
  artifact?: string;
  exitCode?: boolean;
};

/** What some options must look like. */
const forms = {
  repository: { pattern: /^[\w.-]+\/[\w.-]+$/, form: 'owner/name' },
  head: { pattern: /^[0-9a-f]{40,64}$/, form: 'the 40 digits of a commit' },
  key: { pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, form: 'letters, digits, . _ or -' },
};

export function register(program: Command, world: World) {
  program
    .command('comment [comparison.json]')
    .summary('post the result on the pull request: a comment and a check')
    .description('post a comparison on its pull request, as one comment that later runs update (default: the last run)')
    .option('--dry-run', 'print the comment without posting it')
    .addOption(
      new Option('--format <format>', 'print the result in this format without posting it').choices([
        'markdown',
        'json',
        'junit',
      ]),
    )
    .option('--repository <owner/name>', 'default: GITHUB_REPOSITORY', matching(forms.repository))
    .option('--pull <n>', 'number of the pull request (default: from the event in GITHUB_EVENT_PATH)', wholeFrom(1))
    .option('--head <sha>', 'the measured commit (default: from the event, otherwise from git)', matching(forms.head))
    .option('--key <name>', 'name of the comment: one comment per suite and key', matching(forms.key), 'default')
    .option('--check <name>', 'also create a check run of this name, with missed thresholds annotated on their lines')
    .addOption(
      new Option('--inconclusive <conclusion>', 'with --check, how it ends when the result is inconclusive or invalid')
        .choices(['neutral', 'failure'])
        .default('neutral'),
    )
    .option('--begin', 'with --check, before measuring: mark the check as in progress')
    .option('--missing <why>', 'with --check, if there is no comparison: fail the check for this reason')
    .option('--site <url>', 'URL of the pages', webAddress)
    .option('--artifact <url>', 'URL of the files', webAddress)
    .option('--api-url <url>', 'default: GITHUB_API_URL, else https://api.github.com', webAddress)
    .option('--exit-code', 'exit with the exit code of the comparison')
    .addHelpText(
      'after',
      `
The token is GITHUB_TOKEN or GH_TOKEN. The exit code is 0 once the result is posted, because run and duet report
the verdict in theirs. It is also 0 if the token may not comment; the text is then in the job summary and printed here.`,
    )
    .action(async (file, options) => {
      world.exitCode = await comment({ file, ...options }, world);
    });
}

/**
 * Posts a comparison, or prints what it would post.
 * @param options file: a comparison.json
 * @returns 0, or with exitCode that of the comparison
 * @throws {UserError} no comparison, or (code 4) GitHub did not take it
 */
export async function comment(options: CommentOptions, world: World): Promise<number> {
  const { check = null, begin = false, missing = null, key = 'default', site = null, artifact = null } = options;
  const suite = suiteAround(world.cwd);
  const suiteFolder = suite ? relative(repositoryRoot(suite.root), suite.root) : '';
  const context = {
    title: key === 'default' ? null : key,
    site,
    artifact,
    marker: markerOf({ suite: suiteFolder, key }),
  };
  if (missing?.trim() === '') throw new UserError('--missing needs a reason: why is there no comparison?');
  if (begin || missing !== null) {
    if (check === null) throw new UserError(`--${begin ? 'begin' : 'missing'} is for a check: --check <name>`);
    const { client, target } = await connect(options, suite, world);
    if (target.head === null)
      throw new UserError('cannot tell which commit was measured', { hint: 'Pass --head <sha>.' });
    const given = { head: target.head, check, target, context };
    await (missing === null ? postBegin(client, given, world) : postMissing(client, given, missing, world));
    return exitCodes.pass;
  }
  const file = options.file ? resolve(world.cwd, options.file) : lastComparison(suite ?? loadSuite(world.cwd));
  const comparison = await readComparison(file);
  const machine = machineOf(comparison, file);
  const reports = suite ? join(suite.root, 'reports') : undefined;
  if (options.dryRun || options.format) {
    const all = { ...context, machine, head: options.head ?? null, before: [] };
    const text = await printed(comparison, all, { format: options.format, suite, reports });
    printForMachines(world.stdout, `${text}\n`);
  } else {
    const { client, target } = await connect(options, suite, world);
    const all = { ...context, machine, head: target.head };
    const { inconclusive } = options;
    await postOutcome(client, { comparison, context: all, target, check, inconclusive, suite, reports }, world);
  }
  return options.exitCode ? comparison.exit : exitCodes.pass;
}

async function printed(
  comparison: Comparison,
  context: CommentContext,
  { format = 'markdown', suite, reports }: { format?: CommentOptions['format']; suite: Suite | null; reports?: string },
): Promise<string> {
  if (format === 'junit') return junitText(comparison, reports);
  const body = await commentText(comparison, context, reports);
  if (format === 'markdown') return body;
  const { verdict, exit } = comparison;
  const title = resultsIn(body, context.marker)?.[0]?.text ?? verdict;
  const annotations = annotationsOf(comparison, suite);
  return JSON.stringify({ verdict, exit, conclusion: conclusionOf(exit), title, body, annotations }, null, 2);
}

async function connect(options: CommentOptions, suite: Suite | null, { cwd, env, stderr }: World) {
  const target = targetOf(options, env);
  const client = clientFor({
    url: options.apiUrl ?? env.GITHUB_API_URL ?? 'https://api.github.com',
    token: (env.GITHUB_TOKEN || env.GH_TOKEN || '').trim() || null,
    say: (sentence) => stderr.write(`${sentence}\n`),
  });
  return { client, target: { ...target, head: target.head ?? (await gitState(suite?.root ?? cwd)).commit } };
}

/** A comparison can be posted from anywhere. */
function suiteAround(cwd: string): Suite | null {
  try {
    return loadSuite(cwd);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

/** @returns reads an option */
function matching({ pattern, form }: { pattern: RegExp; form: string }): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(`It must be ${form}.`);
  };
}

/** @returns an address that can stand in a link */
function webAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!/^https?:$/.test(url?.protocol ?? '')) throw new InvalidArgumentError('It must begin with https:// or http://.');
  return String(url).replace(/[()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
