import { join, relative } from 'node:path';
import { isReplaceable } from '../base/io/replace-folder.js';
import { quoted } from '../base/io/shell.js';
import type { Detected } from './detect.js';
import { managerOf } from './detect-node.js';
import type { PlannedFile } from './planned-file.js';
import { printable } from './printable.js';
import { packageIn } from './read-repository.js';
import { type Repository, upFrom } from './repository.js';

/** repeat: the words of the command; tools: whether they are there */
type InitOutcome = {
  repository: Repository;
  cwd: string;
  name: string;
  seen: Detected;
  files: PlannedFile[];
  repeat: string[];
  tools: boolean;
};

/** @returns what was done, and what to do next */
export function writtenText({ repository, cwd, name, seen, files, repeat, tools }: InitOutcome): string {
  const of = (...states: PlannedFile['state'][]) => files.filter(({ state }) => states.includes(state));
  const named = (some: PlannedFile[]) => table(some.map(({ file, what }) => [shown(file, cwd), what]));
  const changed = of('new', 'more');
  return [
    ...(changed.length > 0 ? section('Found', seen.seen) : ['Nothing to do: everything exists.', '']),
    ...section('Written', named(of('new'))),
    ...section('Lines added', named(of('more'))),
    ...(changed.length > 0 ? section('Up to date', named(of('same'))) : []),
    ...section(`Already there, unchanged (${inFull(repeat)})`, named(of('left'))),
    ...(changed.length > 0 ? [...section('Not loaded', leftOf(seen)), ...section('To fill in', seen.unsure)] : []),
    ...section(
      'Next',
      table(
        nextSteps({
          repository,
          cwd,
          name,
          changed,
          tools,
          scripts: Boolean(seen.scripts?.length),
          address: seen.service === null && !seen.contained,
        }),
      ),
    ),
  ]
    .join('\n')
    .replace(/\n*$/, '\n');
}

/** Of what is not loaded so many lines are printed. */
const mostLeft = 12;

/** @returns route and reason */
function leftOf({ more = [], left = [] }: Detected): string[] {
  const all = [
    ...more.map((path) => ({ route: `GET ${path}`, reason: 'it stands in the spec as a comment' })),
    ...left,
  ];
  const rows = table(all.slice(0, mostLeft).map(({ route, reason }) => [route, reason]));
  return all.length > mostLeft ? [...rows, `and ${all.length - mostLeft} more`] : rows;
}

/** @returns what would be done, with the text of each file */
export function plannedText({ cwd, seen, files }: InitOutcome): string {
  const heads = {
    new: 'would be written',
    more: 'would get lines; then it is',
    same: 'is up to date',
    left: 'exists and would stay unchanged; init would write this',
  };
  return [
    ...section('Found', seen.seen),
    ...section('Not loaded', leftOf(seen)),
    ...section('To fill in', seen.unsure),
    ...files.flatMap(({ file, state, text }) => [
      `${printable(shown(file, cwd))} ${heads[state]}${state === 'same' ? '' : ':'}`,
      ...(state === 'same' ? [] : ['', indented(text)]),
      '',
    ]),
  ]
    .join('\n')
    .replace(/\n*$/, '\n');
}

/** @returns commands, and what each is for */
function nextSteps({
  repository,
  cwd,
  name,
  changed,
  tools,
  scripts,
  address,
}: {
  repository: Repository;
  cwd: string;
  name: string;
  changed: PlannedFile[];
  tools: boolean;
  scripts: boolean;
  address: boolean;
}): [string, string][] {
  const install = installCommand(repository);
  const files = changed.map(({ file }) => shown(file, cwd));
  return [
    ...(install ? [[install, 'so that everybody uses one version'] as [string, string]] : []),
    ...(tools ? [] : [['npx benchfolio tools', 'once: builds k6, Hugo or jq if they are missing'] as [string, string]]),
    scripts
      ? [
          `npx benchfolio run ${name} --scenario steady --quick`,
          `${runPurpose(changed, address)}; without --scenario, your scripts too`,
        ]
      : [`npx benchfolio run ${name} --quick`, runPurpose(changed, address)],
    ['npx benchfolio keep v1', 'keep the records of that run'],
    [
      `npx benchfolio site ${isReplaceable(join(repository.root, 'public')) ? '' : '--folder .bench/public '}--open`,
      'build and open the pages',
    ],
    ...(address
      ? []
      : ([
          ...(repository.git ? committed(files) : firstCommit),
          [`npx benchfolio duet HEAD ${name} --quick`, 'after a change: did it make us slower?'],
        ] as [string, string][])),
  ];
}

const committed = (files: string[]) =>
  files.length === 0
    ? []
    : [
        [`git add ${files.map(quoted).join(' ')}`, ''],
        ['git commit -m "Benchmarks"', ''],
      ];

const firstCommit = [
  ['git init', 'a duet compares commits'],
  ['git add --all', 'with the service; git status lists what that adds'],
  ['git commit -m "Benchmarks"', ''],
];

/** @param address of a service that runs already */
function runPurpose(changed: PlannedFile[], address: boolean) {
  if (!changed.some(({ file }) => file.endsWith('spec.toml'))) return 'measure and judge it'; // what is there may start it or not
  return address ? 'measure and judge it, once it runs' : 'start, measure and judge it';
}

/** @returns null: it is asked for already, or there is nothing to ask by */
function installCommand({ root, top }: Repository): string | null {
  const folder = upFrom(root, 'package.json', top);
  const { dependencies, devDependencies, name } = folder === undefined ? {} : packageIn(folder);
  if (folder === undefined || name === 'benchfolio' || { ...dependencies, ...devDependencies }.benchfolio) return null;
  const add = {
    npm: 'npm install --save-dev',
    pnpm: 'pnpm add --save-dev',
    yarn: 'yarn add --dev',
    bun: 'bun add --dev',
  };
  return `${add[managerOf(folder, top)]} benchfolio`;
}

const section = (title: string, lines: string[]) =>
  lines.length === 0 ? [] : [`${printable(title)}:`, ...lines.map((line) => `  ${printable(line)}`), ''];

/** @param rows two columns */
function table(rows: string[][]): string[] {
  const width = Math.max(0, ...rows.map(([first]) => first.length).filter((length) => length < 50));
  return rows.map(([first, second]) => (second ? `${first.padEnd(width)}  ${second}` : first));
}

const indented = (text: string) =>
  text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => (line === '' ? '' : `    ${printable(line)}`))
    .join('\n');

const shown = (file: string, cwd: string) => relative(cwd, file);

/** @param words of the command */
const inFull = (words: string[]) =>
  `\`npx benchfolio ${[...words, '--dry-run'].map(quoted).join(' ')}\` prints what init would write`;
