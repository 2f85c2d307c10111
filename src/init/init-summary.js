import { join, relative } from 'node:path';
import { isReplaceable } from '../base/io/replace-folder.js';
import { quoted } from '../base/io/shell.js';
import { managerOf } from './detect-node.js';
import { printable } from './printable.js';
import { packageIn } from './read-repository.js';
import { upFrom } from './repository.js';

/** @import { Detected } from './detect.js' */
/** @import { PlannedFile } from './planned-file.js' */
/** @import { Repository } from './repository.js' */

/**
 * @typedef {{ repository: Repository, cwd: string, name: string, seen: Detected, files: PlannedFile[], repeat: string[],
 *   tools: boolean }} InitOutcome repeat: the words of the command; tools: whether they are there
 */

/** @param {InitOutcome} outcome @returns {string} what was done, and what to do next */
export function writtenText({ repository, cwd, name, seen, files, repeat, tools }) {
  const of = (/** @type {PlannedFile['state'][]} */ ...states) => files.filter(({ state }) => states.includes(state));
  const named = (/** @type {PlannedFile[]} */ some) => table(some.map(({ file, what }) => [shown(file, cwd), what]));
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

/** @param {Detected} seen @returns {string[]} route and reason */
function leftOf({ more = [], left = [] }) {
  const all = [
    ...more.map((path) => ({ route: `GET ${path}`, reason: 'it stands in the spec as a comment' })),
    ...left,
  ];
  const rows = table(all.slice(0, mostLeft).map(({ route, reason }) => [route, reason]));
  return all.length > mostLeft ? [...rows, `and ${all.length - mostLeft} more`] : rows;
}

/** @param {InitOutcome} outcome @returns {string} what would be done, with the text of each file */
export function plannedText({ cwd, seen, files }) {
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

/**
 * @param {{ repository: Repository, cwd: string, name: string, changed: PlannedFile[], tools: boolean, scripts: boolean, address: boolean }} given
 * @returns {[string, string][]} commands, and what each is for
 */
function nextSteps({ repository, cwd, name, changed, tools, scripts, address }) {
  const install = installCommand(repository);
  const files = changed.map(({ file }) => shown(file, cwd));
  return [
    ...(install ? [/** @type {[string, string]} */ ([install, 'so that everybody uses one version'])] : []),
    ...(tools
      ? []
      : [
          /** @type {[string, string]} */ (['npx benchfolio tools', 'once: builds k6, Hugo or jq if they are missing']),
        ]),
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
      : /** @type {[string, string][]} */ ([
          ...(repository.git ? committed(files) : firstCommit),
          [`npx benchfolio duet HEAD ${name} --quick`, 'after a change: did it make us slower?'],
        ])),
  ];
}

/** @param {string[]} files */
const committed = (files) =>
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

/** @param {PlannedFile[]} changed @param {boolean} address of a service that runs already */
function runPurpose(changed, address) {
  if (!changed.some(({ file }) => file.endsWith('spec.toml'))) return 'measure and judge it'; // what is there may start it or not
  return address ? 'measure and judge it, once it runs' : 'start, measure and judge it';
}

/** @param {Repository} repository @returns {string | null} null: it is asked for already, or there is nothing to ask by */
function installCommand({ root, top }) {
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

/** @param {string} title @param {string[]} lines */
const section = (title, lines) =>
  lines.length === 0 ? [] : [`${printable(title)}:`, ...lines.map((line) => `  ${printable(line)}`), ''];

/** @param {string[][]} rows two columns @returns {string[]} */
function table(rows) {
  const width = Math.max(0, ...rows.map(([first]) => first.length).filter((length) => length < 50));
  return rows.map(([first, second]) => (second ? `${first.padEnd(width)}  ${second}` : first));
}

/** @param {string} text */
const indented = (text) =>
  text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => (line === '' ? '' : `    ${printable(line)}`))
    .join('\n');

/** @param {string} file @param {string} cwd */
const shown = (file, cwd) => relative(cwd, file);

/** @param {string[]} words of the command */
const inFull = (words) =>
  `\`npx benchfolio ${[...words, '--dry-run'].map(quoted).join(' ')}\` prints what init would write`;
