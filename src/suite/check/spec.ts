import { join } from 'node:path';
import type { Path, Report } from '../cases/error.js';
import { type Case, expand } from '../cases/expand.js';
import { writtenAt } from '../cases/extends.js';
import { parameterNames } from '../cases/parameters.js';
import { applyProfile } from '../cases/profile.js';
import type { TomlTable } from '../cases/toml.js';
import { openSpec, type Suite } from '../suite.js';
import { Notes } from './diagnostics.js';
import { inspectorOf } from './inspect-script.js';
import { lintCases } from './lints/lints.js';
import { checkAttachments, checkFiles } from './references/missing-files.js';
import { checkReferences } from './references/unknown-names.js';
import { sentencesFor } from './schema/messages.js';
import { prune } from './schema/salvage.js';
import { schemaErrors } from './schema/validate.js';
import { lintValues } from './values.js';

export type CheckOptions = {
  /** those to expand; all by default, and the spec without one (null) */
  profiles?: (string | null)[];
  set?: Record<string, string>;
  /** those to look at closely: their files, and what could go wrong */
  choose?: (cases: Case[]) => Case[];
  /** bytes that k6 may take */
  memory: number;
  /** what sends declared requests */
  player?: 'native' | 'javascript';
  /** that each case is measured */
  rounds: number;
  /** the cases are to be run now: a need that this machine cannot meet is an error */
  here: boolean;
  /** that a process may have; null: unknown */
  openFiles: number | null;
};

/**
 * All that is wrong with one spec.
 * @param system one that there is
 * @returns the chosen cases of the first profile, and what can be set
 */
export function checkSpec(
  suite: Pick<Suite, 'root' | 'bench'>,
  system: string,
  options: CheckOptions,
): { notes: Notes; cases: Case[]; parameters: Set<string> } {
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
  const report: Report = (path, message, hint, focus) => notes.add({ path, message, hint, focus });
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

/** Expands a spec with one of its profiles, and looks at the chosen cases closely. */
function checkProfile(
  {
    spec,
    standIns,
    suite,
    system,
    profile,
  }: {
    spec: TomlTable;
    standIns: string[];
    suite: Pick<Suite, 'root' | 'bench'>;
    system: string;
    profile: string | null;
  },
  options: CheckOptions,
  notes: Notes,
): Case[] {
  const { set = {}, choose = (all: Case[]) => all, ...limits } = options;
  const written = applyProfile(spec, profile, () => {});
  const placed = (resolved: Path) => {
    const path = writtenAt(written.environments, resolved);
    return { path, over: profile === null ? [] : ['profiles', profile, ...path] };
  };
  const wrong = new Set(standIns.map((name) => `environments ${name}`));
  const report: Report = (path, message, hint, focus) => {
    wrong.add(path.slice(0, 2).join(' '));
    notes.add({ ...placed(path), message, hint, focus });
  };
  const isSound = (benchCase: Case) =>
    !wrong.has(`scenarios ${benchCase.scenario}`) && !wrong.has(`environments ${benchCase.environment}`);

  const parameters = parameterNames(spec);
  const known = Object.fromEntries(Object.entries(set).filter(([name]) => parameters.has(name)));
  if (profile !== null && !spec.profiles?.[profile]) {
    // else all would be said of the spec without one
    applyProfile(spec, profile, (path, message, hint) => notes.add({ path, message, hint }));
    return [];
  }
  const unread = (script: string) =>
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
  const warn: Report = (path, message, hint, focus) =>
    notes.add({ ...placed(path), level: 'warn', message, hint, focus });
  checkFiles(whole, { folder: join(suite.root, 'specs', system), root: suite.root, warn }, report);
  for (const lint of lintCases(cases.filter(isSound), { ...limits, written })) {
    notes.add({ level: 'warn', ...lint, ...placed(lint.path) });
  }
  return cases;
}
