import { join } from 'node:path';
import { expand } from '../cases/expand.js';
import { writtenAt } from '../cases/extends.js';
import { parameterNames } from '../cases/parameters.js';
import { applyProfile } from '../cases/profile.js';
import { openSpec } from '../suite.js';
import { Notes } from './diagnostics.js';
import { inspectorOf } from './inspect-script.js';
import { lintCases } from './lints/lints.js';
import { checkAttachments, checkFiles } from './references/missing-files.js';
import { checkReferences } from './references/unknown-names.js';
import { sentencesFor } from './schema/messages.js';
import { prune } from './schema/salvage.js';
import { schemaErrors } from './schema/validate.js';
import { lintValues } from './values.js';

/** @import { Path, Report } from '../cases/error.js' */
/** @import { Case } from '../cases/expand.js' */
/** @import { TomlTable } from '../cases/toml.js' */
/** @import { Suite } from '../suite.js' */

/**
 * @typedef {object} CheckOptions
 * @property {(string | null)[]} [profiles] those to expand; all by default, and the spec without one (null)
 * @property {Record<string, string>} [set]
 * @property {(cases: Case[]) => Case[]} [choose] those to look at closely: their files, and what could go wrong
 * @property {number} memory bytes that k6 may take
 * @property {'native' | 'javascript'} [player] what sends declared requests
 * @property {number} rounds that each case is measured
 * @property {boolean} here the cases are to be run now: what this machine cannot do is an error
 * @property {number | null} openFiles that a process may have; null: unknown
 */

/**
 * All that is wrong with one spec.
 * @param {Pick<Suite, 'root' | 'bench'>} suite
 * @param {string} system one that there is
 * @param {CheckOptions} options
 * @returns {{ notes: Notes, cases: Case[], parameters: Set<string> }} the chosen cases of the first profile, and what
 *   can be set
 */
export function checkSpec(suite, system, options) {
  const { file, text, spec: document, error } = openSpec(suite, system);
  const notes = new Notes(file, text);
  if (error) {
    notes.addBroken(error);
    return { notes, cases: [], parameters: new Set() };
  }
  const errors = schemaErrors('spec', document);
  for (const sentence of sentencesFor(errors, document)) notes.add(sentence);
  const pruned = prune(document, errors);
  if (!pruned) return { notes, cases: [], parameters: new Set() };

  const { spec } = pruned;
  /** @type {Report} */
  const report = (path, message, hint, focus) => notes.add({ path, message, hint, focus });
  const folder = join(suite.root, 'specs', system);
  checkReferences(spec, document, folder, report);
  checkAttachments(spec.attachments ?? [], { folder, root: suite.root }, report);
  const profiles = options.profiles ?? [null, ...Object.keys(spec.profiles ?? {})];
  const found = profiles.map((profile) => checkProfile({ ...pruned, suite, system, profile }, options, notes));
  const [cases] = found;
  if (!options.profiles && !errors.length) {
    lintValues(spec, found.flat(), (path, message, hint) => notes.add({ level: 'warn', path, message, hint }));
  }
  return { notes, cases, parameters: parameterNames(spec) };
}

/**
 * Expands a spec with one of its profiles, and looks at the chosen cases closely.
 * @param {{ spec: TomlTable, standIns: string[], suite: Pick<Suite, 'root' | 'bench'>, system: string,
 *   profile: string | null }} given
 * @param {CheckOptions} options
 * @param {Notes} notes
 * @returns {Case[]}
 */
function checkProfile({ spec, standIns, suite, system, profile }, options, notes) {
  const { set = {}, choose = (/** @type {Case[]} */ all) => all, ...limits } = options;
  const written = applyProfile(spec, profile, () => {});
  const placed = (/** @type {Path} */ resolved) => {
    const path = writtenAt(written.environments, resolved);
    return { path, over: profile === null ? [] : ['profiles', profile, ...path] };
  };
  const wrong = new Set(standIns.map((name) => `environments ${name}`));
  /** @type {Report} */
  const report = (path, message, hint, focus) => {
    wrong.add(path.slice(0, 2).join(' '));
    notes.add({ ...placed(path), message, hint, focus });
  };
  const isSound = (/** @type {Case} */ benchCase) =>
    !wrong.has(`scenarios ${benchCase.scenario}`) && !wrong.has(`environments ${benchCase.environment}`);

  const parameters = parameterNames(spec);
  const known = Object.fromEntries(Object.entries(set).filter(([name]) => parameters.has(name)));
  if (profile !== null && !spec.profiles?.[profile]) {
    // else all would be said of the spec without one
    applyProfile(spec, profile, (path, message, hint) => notes.add({ path, message, hint }));
    return [];
  }
  const unread = (/** @type {string} */ script) =>
    notes.add({
      level: 'warn',
      path: [
        'scenarios',
        Object.keys(spec.scenarios).find((name) => spec.scenarios[name].script === script) ?? '',
        'script',
      ],
      message: `the load is in ${script}, and there is no k6 to read it: its cases are not checked`,
      hint: 'Build one: npx benchfolio tools.',
    });
  const inspect = inspectorOf(join(suite.root, 'specs', system), limits.here ? undefined : unread);
  const cases = choose(expand({ spec, bench: suite.bench, system, profile, set: known, inspect }, report));
  const whole = cases.filter(({ environment }) => !standIns.includes(environment));
  /** @type {Report} */
  const warn = (path, message, hint, focus) => notes.add({ ...placed(path), level: 'warn', message, hint, focus });
  checkFiles(whole, { folder: join(suite.root, 'specs', system), root: suite.root, warn }, report);
  for (const lint of lintCases(cases.filter(isSound), { ...limits, written })) {
    notes.add({ level: 'warn', ...lint, ...placed(lint.path) });
  }
  return cases;
}
