import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parameterNames } from '../../../cases/index.js';
import { checkSuite } from '../../../check/index.js';
import { UserError } from '../../../errors.js';
import { filesOfScript } from '../../../io/script-files.js';
import { readSpec, systemNames } from '../../../suite.js';

/** @import { Case } from '../../../cases/expand.js' */
/** @import { Suite } from '../../../suite.js' */
/** @import { Ruler } from './index.js' */

/**
 * @typedef {object} Chosen as for a run: environment 'all', or one by name, or each scenario's first
 * @property {readonly string[]} systems
 * @property {string} [env]
 * @property {string | string[]} [scenario]
 * @property {string | null} [profile]
 * @property {Record<string, string>} [set]
 */

/**
 * Reads what a side of a duet measures of the chosen systems, and how it judges.
 * @param {Suite} suite the side's
 * @param {Chosen} chosen what it does not have is left out
 * @returns {Ruler}
 * @throws {UserError} its suite cannot be read
 */
export function readRuler(suite, { systems, env, scenario, profile = null, set = {} }) {
  const { root } = suite;
  const cases = systems
    .filter((system) => systemNames(suite).includes(system))
    .flatMap((system) => {
      const known = parameterNames(readSpec(suite, system));
      const values = Object.fromEntries(Object.entries(set).filter(([name]) => known.has(name)));
      const checked = checkSuite(suite, [system], { profiles: [profile], set: values, memory: Infinity });
      if (checked.ok) return checked.cases;
      throw new UserError(`${join(root, 'specs', system, 'spec.toml')} has errors`, { hint: checked.render() });
    });
  return {
    cases: cases.filter((benchCase) => isChosen(benchCase, cases, { env, scenario })),
    programs: programsIn(root),
    textsOf: (benchCase) => textsOf(benchCase, root),
  };
}

/** More files of a folder than this are not compared: that takes time before the load. */
const most = 2000;

/** What is written for the benchmark alone, and is not a program of the product. */
const setting = /\.(sh|bash|env|conf|cfg|ini|json|toml|ya?ml|properties)$|(^|\/)\.env$/;

/** What a database is filled from. */
const data = /\.(sql|csv|tsv|dump|js|xml|gz|zst)$/;

/**
 * The files that say what a case sends, which its spec only names: script, data, bodies; what its setup runs and reads; and
 * the settings that its services are started with.
 * @param {Case} benchCase
 * @param {string} root
 * @returns {Record<string, string>} by path in the spec's folder
 */
function textsOf({ script, rows, requests, setup, services, after_ready, spec_dir }, root) {
  const folder = join(root, spec_dir);
  const bodies = (requests ?? []).map(({ body }) => body?.file);
  const templates = services.flatMap((service) => Object.keys(service.files));
  const sent = [...rows.map(({ file }) => file), ...bodies, ...templates]
    .filter((file) => typeof file === 'string')
    .map((file) => join(folder, file));
  const named = (/** @type {readonly string[]} */ words, cwd = '.') => filesNamed(words, { folder, cwd });
  const prepared = [
    ...named(setup.flat()),
    ...after_ready.flatMap(({ command, cwd, env }) => named([...(command ?? []), ...Object.values(env)], cwd)),
    ...services.flatMap((service) => named(service.setup.flat(), service.cwd)),
  ];
  // A product may be in the spec's folder too: of what starts it only what cannot be a program of its own.
  const ofSpec = (/** @type {string[]} */ found, /** @type {RegExp} */ kind) =>
    found.filter((file) => kind.test(file) && file.startsWith(`${folder}/`));
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
  const files = [
    ...sent,
    ...prepared,
    ...settings,
    ...ofSpec(mounted, setting),
    ...ofSpec(mounted, data),
    ...(script === null ? [] : filesOfScript(join(folder, script))),
  ];
  return Object.fromEntries(
    files
      .filter(isFile)
      .map((file) => [relative(folder, file), createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );
}

/**
 * The files that words of a command name, also within a word: "seed.sql", "${spec.dir}/seed.sql", "--file=seed.sql",
 * "psql < seed.sql"; of a folder in the spec's all.
 * @param {readonly string[]} words
 * @param {{ folder: string, cwd: string }} where folder: the spec's; cwd: in it
 * @returns {string[]}
 */
function filesNamed(words, { folder, cwd }) {
  const parts = words
    .map((word) => word.replaceAll('${spec.dir}', folder))
    .flatMap((word) => [word, ...word.split(/[\s=<>|;&"'`()@,]+/)]);
  return [...new Set(parts)].filter(Boolean).flatMap((part) => {
    const path = resolve(folder, cwd, part);
    return path.startsWith(`${folder}/`) && !isFile(path) ? filesIn(path) : [path];
  });
}

/** @param {string} folder @returns {string[]} none where it is not a folder, or has too many */
function filesIn(folder) {
  try {
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
    return found.length > most ? [] : found.map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/**
 * @param {Case} benchCase
 * @param {readonly Case[]} all
 * @param {{ env?: string, scenario?: string | string[] }} chosen
 */
function isChosen({ system, scenario: name, environment }, all, { env, scenario }) {
  if (scenario !== undefined && ![scenario].flat().includes(name)) return false;
  if (env === 'all' || env === environment) return true;
  const first = all.find((other) => other.system === system && other.scenario === name);
  return env === undefined && environment === first?.environment;
}

/**
 * The suite's own programs: they override ours.
 * @param {string} root
 * @returns {Record<string, string>} by path in reports/
 */
function programsIn(root) {
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

/** @param {string} path also of a link to nothing, or to itself */
function isFile(path) {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
