import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { UserError } from '../../../base/errors.js';
import { filesOfScript, isPlainScript } from '../../../base/io/script-files.js';
import { parameterNames } from '../../../suite/cases/cases.js';
import type { Case } from '../../../suite/cases/expand.js';
import { checkSuite } from '../../../suite/check/check.js';
import { readSpec, type Suite, systemNames } from '../../../suite/suite.js';
import { readsOfScript } from '../../generator/script-reads.js';
import { filesIn, isFile } from '../folder-files.js';
import { followStarts, followSteps } from './follow-steps.js';
import type { Ruler } from './ruler.js';

/** What to compare; env: 'all', or one by name; by default each scenario's first */
export type Chosen = {
  systems: readonly string[];
  env?: string;
  scenario?: string | string[];
  profile?: string | null;
  set?: Record<string, string>;
};

/**
 * Reads what a side of a duet measures of the chosen systems, and how it judges.
 * @param suite the side's
 * @param chosen what it does not have is left out
 * @param where top: the folder of its repository; k6: the program that tells what scripts read; null: only what they name is
 *   known
 * @throws {UserError} its suite cannot be read
 */
export async function readRuler(
  suite: Suite,
  { systems, env, scenario, profile = null, set = {} }: Chosen,
  { top = suite.root, k6 = null }: { top?: string; k6?: string | null } = {},
): Promise<Ruler> {
  const { root } = suite;
  const all = systems
    .filter((system) => systemNames(suite).includes(system))
    .flatMap((system) => {
      const known = parameterNames(readSpec(suite, system));
      const values = Object.fromEntries(Object.entries(set).filter(([name]) => known.has(name)));
      const checked = checkSuite(suite, [system], { profiles: [profile], set: values, memory: Infinity });
      if (checked.ok) return checked.cases;
      throw new UserError(`${join(root, 'specs', system, 'spec.toml')} has errors`, { hint: checked.render() });
    });
  const cases = all.filter((benchCase) => isChosen(benchCase, all, { env, scenario }));
  const reads = k6 === null ? new Map() : await readsOfCases(cases, { root, top, k6 });
  const texts = new Map(cases.map((benchCase) => [benchCase, textsOf(benchCase, { root, top, reads })]));
  return {
    cases,
    programs: programsIn(root),
    textsOf: (benchCase) => texts.get(benchCase)?.files ?? {},
    opaque: [...new Set([...texts.values()].flatMap(({ opaque }) => opaque))],
  };
}

/**
 * What scripts read that take nothing from our package, as k6 resolves it.
 * @returns digests by absolute path, by script and variables
 */
async function readsOfCases(
  cases: readonly Case[],
  { root, top, k6 }: { root: string; top: string; k6: string },
): Promise<Map<string, Map<string, string>>> {
  const reads = new Map();
  for (const benchCase of cases) {
    const script = scriptOf(benchCase, root);
    const key = readsKey(benchCase);
    if (script === null || reads.has(key) || !isFile(script) || !isPlainScript(script)) continue;
    const variables = { BASE_URL: 'http://base-url.invalid', ...benchCase.env };
    const found = await readsOfScript(script, { k6, top, variables });
    reads.set(key, new Map([...(found ?? [])].map(([path, digest]) => [join(top, path), digest])));
  }
  return reads;
}

const scriptOf = ({ script, spec_dir }: Case, root: string) => (script === null ? null : join(root, spec_dir, script));

const readsKey = ({ script, spec_dir, env }: Case) => JSON.stringify([spec_dir, script, env]);

/** What is written for the benchmark alone, and is not a program of the product. */
const setting = /\.(sh|bash|env|conf|cfg|ini|json|toml|ya?ml|properties)$|(^|\/)\.env$/;

/** The files that a database is filled from. */
const data = /\.(sql|csv|tsv|dump|js|json|ndjson|xml|txt|ya?ml|gz|zst|bin)$/;

/**
 * The files that say what a case sends, which its spec only names: script, data, bodies; what its setup runs and reads; and
 * the settings that its services are started with.
 * @param where reads: of scripts
 * @returns files: digests by path from the spec's folder, or by what a text is; opaque: commands of which nothing could be
 *   followed
 */
function textsOf(
  benchCase: Case,
  { root, top, reads }: { root: string; top: string; reads: Map<string, Map<string, string>> },
): { files: Record<string, string>; opaque: string[] } {
  const { rows, requests, setup, services, after_ready, spec_dir } = benchCase;
  const folder = join(root, spec_dir);
  const bodies = (requests ?? []).map(({ body }) => body?.file);
  const templates = services.flatMap((service) => Object.keys(service.files));
  const sent = [...rows.map(({ file }) => file), ...bodies, ...templates]
    .filter((file) => typeof file === 'string')
    .map((file) => join(folder, file));
  const step = (words: readonly string[], cwd = '.') => ({ words, cwd: resolve(folder, cwd) });
  const commands = services.flatMap(({ command, build, cwd }) => [
    step(command, cwd),
    ...build.map((words) => step(words, cwd)),
  ]);
  const prepared = followSteps(
    [
      ...setup.map((words) => step(words)),
      ...after_ready.flatMap(({ command, cwd, env }) =>
        command ? [step([...command, ...Object.values(env)], cwd)] : [],
      ),
      ...services.flatMap((service) => service.setup.map((words) => step(words, service.cwd))),
    ],
    {
      top,
      folder,
      programs: new Set(commands.flatMap(({ words, cwd }) => words.map((word) => resolve(cwd, word)).filter(isFile))),
    },
  );
  // The product may be in the spec's folder too. Of the files that start a service, count only those that cannot be the product
  // itself: settings, and no programs.
  const ofSpec = (found: string[], kind: RegExp) =>
    found.filter((file) => kind.test(file) && file.startsWith(`${folder}/`));
  const named = (words: readonly string[], cwd = '.') => filesNamed(words, { folder, cwd });
  const settings = ofSpec(
    services.flatMap(({ command, env, cwd, container }) =>
      named([...command, ...Object.values(env), ...(container?.compose ? [container.compose.file] : [])], cwd),
    ),
    setting,
  );
  const mounted = services.flatMap(({ container }) =>
    named(
      (container?.volumes ?? []).map((volume) => volume.split(':')[0]).filter((source) => /^\.{1,2}\//.test(source)),
    ),
  );
  const script = scriptOf(benchCase, root);
  const files = [
    ...sent,
    ...prepared.files,
    ...settings,
    ...ofSpec(mounted, setting),
    ...ofSpec(mounted, data),
    ...(script === null ? [] : [...filesOfScript(script), ...(readsPieces(script) ? dataIn(dirname(script)) : [])]),
  ];
  const digests = [
    ...[...prepared.texts, ...followStarts(commands, { top, folder })].map(([what, text]) => [what, digestOf(text)]),
    ...files.filter(isFile).map((file) => [relative(folder, file), digestOf(readFileSync(file))]),
    ...[...(reads.get(readsKey(benchCase)) ?? [])].map(([file, digest]) => [relative(folder, file), digest]),
  ];
  // Of a command that cannot be followed, the data beside the spec may be what it reads.
  const guessed =
    prepared.opaque.size === 0
      ? []
      : dataIn(folder).map((file) => [relative(folder, file), digestOf(readFileSync(file))]);
  return { files: Object.fromEntries([...digests, ...guessed]), opaque: [...prepared.opaque] };
}

const digestOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** A path that is made of pieces: which file it opens is known when it runs. */
const pieces = /\bopen\(\s*(?!(['"])[^'"\n]*\1\s*[,)])/;

/** @returns does it, or a module of it, open what its text does not name? */
const readsPieces = (script: string): boolean =>
  filesOfScript(script)
    .filter((file) => /\.[cm]?[jt]s$/.test(file) && isFile(file))
    .some((file) => pieces.test(readFileSync(file, 'utf8')));

/** @returns what is no program in it */
const dataIn = (folder: string): string[] =>
  (filesIn(folder) ?? []).filter((file) => data.test(file) && !/\.js$|(^|\/)node_modules\//.test(file));

/**
 * The files that words of a command name, also within a word: "seed.sql", "${spec.dir}/seed.sql", "--file=seed.sql",
 * "psql < seed.sql"; of a folder in the spec's all.
 * @param where folder: the spec's; cwd: in it
 */
function filesNamed(words: readonly string[], { folder, cwd }: { folder: string; cwd: string }): string[] {
  const parts = words
    .map((word) => word.replaceAll('${spec.dir}', folder))
    .flatMap((word) => [word, ...word.split(/[\s=<>|;&"'`()@,]+/)]);
  return [...new Set(parts)].filter(Boolean).flatMap((part) => {
    const path = resolve(folder, cwd, part);
    return path.startsWith(`${folder}/`) && !isFile(path) ? (filesIn(path) ?? []) : [path];
  });
}

function isChosen(
  { system, scenario: name, environment }: Case,
  all: readonly Case[],
  { env, scenario }: { env?: string; scenario?: string | string[] },
) {
  if (scenario !== undefined && ![scenario].flat().includes(name)) return false;
  if (env === 'all' || env === environment) return true;
  const first = all.find((other) => other.system === system && other.scenario === name);
  return env === undefined && environment === first?.environment;
}

/**
 * The suite's own programs: they override ours.
 * @returns by path in reports/
 */
function programsIn(root: string): Record<string, string> {
  const folder = join(root, 'reports');
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jq'));
  return Object.fromEntries(
    names.sort().map((name) => {
      const file = join(folder, name);
      return [name, isFile(file) ? readFileSync(file, 'utf8') : 'not a file'];
    }),
  );
}
