import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isPlainScript } from '../../base/io/script-files.js';
import { packageRoot } from '../../base/tools/find-tool.js';
import { limits } from '../../suite/cases/tables.js';
import { writeDuetEntry } from './duet-entry.js';
import { linkPackage } from './link-package.js';

/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { Run } from '../run-context.js' */
/** @import { Stream } from '../services/prometheus/stream.js' */
/** @import { CaseFile, Segment } from './k6.js' */

/**
 * A packed case that is run in place of the suite's own. seed: of random values; paused: k6 waits to be resumed; address:
 * where k6 takes commands; null: where it does of itself.
 * @typedef {{ file: string, seed: string, paused: boolean, address: string | null }} Packed
 */

/**
 * What k6 starts with: a file, or a text that it reads from its standard input.
 * @typedef {{ argument: string, text: string | null, cwd: string, variables: { SCRIPT?: string } }} Entry argument: of `k6 run`; cwd: of k6
 */

/**
 * What k6 starts with: one of ours, or a scenario's script, with the link that it imports our package by. A script that
 * knows nothing of us is begun by one of ours, which finds it by a variable.
 * @param {Pick<Case, 'script' | 'spec_dir' | 'player'>} benchCase
 * @param {string} root the suite's
 * @returns {Entry}
 */
export function entryOf({ script, spec_dir, player }, root) {
  const usual = { text: null, cwd: root, variables: {} };
  if (script === null) return { ...usual, argument: ours(player === 'native' ? 'native.js' : 'main.js') };
  const file = join(root, spec_dir, script);
  if (isPlainScript(file)) {
    const from = JSON.stringify(pathToFileURL(ours('plain-script.js')).href);
    const text = `export * from ${from};\nexport { default } from ${from};\n`;
    return { argument: '-', text, cwd: dirname(file), variables: { SCRIPT: file } };
  }
  linkPackage(root);
  return { ...usual, argument: file };
}

/** @param {string} name */
const ours = (name) => join(packageRoot, 'k6', name);

/**
 * What k6 is started with, its address aside.
 * @param {CaseFile} measured
 * @param {{ entry: Entry, folder: string, twoSides: boolean, part: number, segment: Segment | null,
 *   packed?: Packed, stream: Stream | null,
 *   run: Pick<Run, 'root' | 'folder' | 'seed'> }} given folder: for its files;
 *   twoSides: every iteration goes to both sides of a duet
 * @returns {string[]}
 */
export function argumentsOf({ file, benchCase }, { entry, folder, twoSides, part, segment, packed, stream, run }) {
  const native = benchCase.player === 'native';
  const variables = {
    ...(!packed && { CASE: file, ...entry.variables }), // an archive has its own
    PART: part,
    SUMMARY: join(folder, 'summary.json'),
    ANSWERS: answersOf(benchCase),
    ...((twoSides || benchCase.side !== null) && !benchCase.lane && { FIELDS: limits.answer_fields }),
    // other random values in each round, and the same ones with the same --seed
    ...(run.seed !== undefined && { SEED: `${run.seed} ${withoutSide(relative(run.folder, folder), benchCase)}` }),
    ...(packed && { SEED: packed.seed }),
    ...(native && { HISTOGRAMS: join(folder, 'histograms.ndjson') }),
  };
  return [
    'run',
    '--no-usage-report',
    '--no-color',
    '--log-output=stderr',
    ...segmentArguments(segment),
    ...(packed?.paused ? ['--paused'] : []),
    ...(packed?.address ? ['--address', packed.address] : []),
    ...(native
      ? []
      : recorderArguments(join(folder, 'timeline.ndjson'), twoSides ? 'phase,side' : recordedTags(benchCase))),
    ...(stream?.args(segment && segment.index + 1) ?? []),
    ...Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    packed?.file ?? (twoSides && benchCase.script !== null ? writeDuetEntry(entry.argument, folder) : entry.argument),
  ];
}

/**
 * Both sides of a duet draw the same where each has a k6 process of its own, too.
 * @param {string} folder of a round: system, environment, case, and what is in it
 * @param {Pick<Case, 'side'>} benchCase
 */
const withoutSide = (folder, { side }) =>
  folder
    .split(sep)
    .filter((name, depth) => depth < 3 || (name !== side && name !== `${side}-alone`))
    .join('/');

/** Of each request, how many answers are sampled: the log holds a line for each. @param {Case} benchCase */
const answersOf = ({ requests }) =>
  Math.min(limits.answers, Math.ceil(limits.answers_all / new Set(requests?.map(({ name }) => name)).size || 1));

/**
 * @param {Segment | null} segment
 * @returns {string[]} its part of the load, and all of them: without the sequence k6 rounds each part by itself
 */
function segmentArguments(segment) {
  if (!segment) return [];
  const { index, of } = segment;
  const edges = Array.from({ length: of + 1 }, (_, edge) => (edge === 0 ? '0' : edge === of ? '1' : `${edge}/${of}`));
  return [
    '--execution-segment',
    `${edges[index]}:${edges[index + 1]}`,
    '--execution-segment-sequence',
    edges.join(','),
  ];
}

/** @param {string} file @param {string} tags that are told apart @returns {string[]} for k6's own recorder */
const recorderArguments = (file, tags) => [
  '--out',
  `web-dashboard=${new URLSearchParams({ port: '-1', period: '1s', record: file, tags })}`,
];

/** Requests told apart take the recorder a kilobyte a second each: only a few are. */
const mostNames = 12;

/** @param {Case} benchCase @returns {string} the tags whose values the recorder tells apart */
function recordedTags({ requests }) {
  const names = new Set(requests?.map(({ name }) => name)).size;
  return names > 1 && names <= mostNames ? 'phase,name' : 'phase';
}
