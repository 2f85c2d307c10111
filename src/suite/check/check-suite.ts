import { readFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { refusalHint, refusedPrograms } from '../../base/tools/own-texts.js';
import type { Output } from '../../base/world.js';
import { parseBytes } from '../cases/bytes.js';
import type { Case } from '../cases/expand.js';
import type { TomlTable } from '../cases/toml.js';
import { hintText } from '../nearest.js';
import { isName } from '../record-names.js';
import { defaultRounds, type Suite, specPath, systemNames } from '../suite.js';
import { checkBench } from './bench.js';
import type { Problem } from './code-frame.js';
import type { Notes } from './diagnostics.js';
import { renderProblems } from './print-problems.js';
import { type CheckOptions, checkSpec } from './spec.js';

export type Checked = {
  /** sorted by file and line */
  problems: Problem[];
  /** the chosen ones of the first of the profiles */
  cases: Case[];
  /** no problem is an error */
  ok: boolean;
  /** the problems with their lines, for where they will be shown */
  render: (stream?: Output, levels?: Problem['level'][]) => string;
};

/**
 * Says all that is wrong with bench.toml and specs, at once.
 * @param systems all by default
 */
export function checkSuite(
  suite: Omit<Suite, 'bench'>,
  systems: string[] = systemNames(suite),
  options: Partial<CheckOptions> = {},
): Checked {
  const known = systemNames(suite);
  for (const system of systems) if (!known.includes(system)) specPath(suite, system); // says which there are
  const { notes, bench } = checkBench(suite.benchText, known, suite.root);
  const limits = {
    memory: options.memory ?? memoryFor(bench),
    here: options.here ?? false,
    rounds: options.rounds ?? bench.run?.rounds ?? defaultRounds,
    openFiles: options.openFiles ?? openFilesLimit(),
    player: options.player ?? bench.run?.player,
  };
  const specs = systems.map((system) => checkSpec({ root: suite.root, bench }, system, { ...options, ...limits }));
  for (const [i, spec] of specs.entries()) addNameProblem(spec.notes, systems[i], known);
  const files = [notes, ...specs.map((spec) => spec.notes)];
  const problems = [
    ...unknownSettings(options.set ?? {}, specs),
    ...ownJudges(suite.root),
    ...files.flatMap((file) => file.problems()),
  ];
  const texts = new Map(files.map(({ file, text }) => [file, text]));
  return {
    problems,
    cases: specs.flatMap(({ cases }) => cases),
    ok: problems.every(({ level }) => level !== 'error'),
    render: (stream, levels = ['error', 'warn', 'info']) =>
      renderProblems(
        problems.filter(({ level }) => levels.includes(level)),
        (file) => texts.get(file) ?? '',
        stream,
      ),
  };
}

/**
 * The name of a system becomes a part of addresses: a page could not be made, or would be another's.
 * @param known all systems
 */
function addNameProblem(notes: Notes, system: string, known: string[]) {
  const twin = known.find((other) => other < system && other.toLowerCase() === system.toLowerCase());
  if (twin) notes.add({ path: [], message: `system names differ only in case: "${twin}" and "${system}"` });
  if (isName(system)) return;
  const message = `${JSON.stringify(system)} cannot be the name of a system`;
  const hint = 'Rename its folder: letters, digits and . _ + - , =, and not the ending of a page such as .html.';
  notes.add({ path: [], message, hint });
}

/** Only our programs reduce and judge: a verdict means the same in each suite. */
const ownJudges = (root: string): Problem[] =>
  refusedPrograms(join(root, 'reports')).map((name) => ({
    file: `reports/${name}`,
    line: null,
    column: null,
    length: null,
    level: 'error',
    message: 'a suite cannot override what reduces or judges',
    hint: refusalHint,
  }));

/** What is set must be a parameter of one of the specs at least. */
function unknownSettings(set: Record<string, string>, specs: { parameters: Set<string> }[]): Problem[] {
  const known = new Set(specs.flatMap(({ parameters }) => [...parameters]));
  return Object.keys(set)
    .filter((name) => !known.has(name))
    .map((name) => ({
      file: `--set ${name}=${set[name]}`,
      line: null,
      column: null,
      length: null,
      level: 'error',
      message: `there is no parameter "${name}"`,
      hint:
        hintText({ got: name, known }) ??
        `To use it, write "\${${name}}" where the value belongs, and give it a default in [parameters].`,
    }));
}

/**
 * How much memory k6 may take: what bench.toml says, or half of what is free.
 * @returns bytes
 */
export function memoryFor(bench: TomlTable): number {
  try {
    return parseBytes(bench.run?.memory ?? freemem() / 2);
  } catch {
    return freemem() / 2; // checkBench says what is wrong with it
  }
}

/**
 * How many files a process that we start may have open: it gets our limit, which Node.js has raised as far as it may.
 * @returns null: none, or unknown
 */
function openFilesLimit(): number | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null; // not Linux
  }
}
