import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isPlainScript } from '../../base/io/script-files.js';
import { packageRoot } from '../../base/tools/find-tool.js';
import type { Case } from '../../suite/cases/expand.js';
import { limits } from '../../suite/cases/tables.js';
import type { Run } from '../run-context.js';
import type { Stream } from '../services/prometheus/stream.js';
import { writeDuetEntry } from './duet-entry.js';
import type { CaseFile, Segment } from './k6.js';
import { linkPackage } from './link-package.js';

/**
 * A packed case that is run in place of the suite's own. seed: of random values; paused: k6 waits to be resumed; address:
 * where k6 takes commands; null: where it does of itself.
 */
export type Packed = { file: string; seed: string; paused: boolean; address: string | null };

/**
 * What k6 starts with: a file, or a text that it reads from its standard input. argument: of `k6 run`; cwd: of k6
 */
export type Entry = { argument: string; text: string | null; cwd: string; variables: { SCRIPT?: string } };

/**
 * What k6 starts with: one of ours, or a scenario's script, with the link that it imports our package by. A script that
 * knows nothing of us is begun by one of ours, which finds it by a variable.
 * @param root the suite's
 */
export function entryOf(
  { script, spec_dir, player }: Pick<Case, 'script' | 'spec_dir' | 'player'>,
  root: string,
): Entry {
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

const ours = (name: string) => join(packageRoot, 'k6', name);

/**
 * k6's arguments, without the address.
 * @param given folder: for its files; twoSides: every iteration goes to both sides of a duet
 */
export function argumentsOf(
  { file, benchCase }: CaseFile,
  {
    entry,
    folder,
    twoSides,
    part,
    segment,
    packed,
    stream,
    run,
  }: {
    entry: Entry;
    folder: string;
    twoSides: boolean;
    part: number;
    segment: Segment | null;
    packed?: Packed;
    stream: Stream | null;
    run: Pick<Run, 'root' | 'folder' | 'seed'>;
  },
): string[] {
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
 * @param folder of a round: system, environment, case, and what is in it
 */
const withoutSide = (folder: string, { side }: Pick<Case, 'side'>) =>
  folder
    .split(sep)
    .filter((name, depth) => depth < 3 || (name !== side && name !== `${side}-alone`))
    .join('/');

/** Of each request, how many answers are sampled: the log holds a line for each. */
const answersOf = ({ requests }: Case) =>
  Math.min(limits.answers, Math.ceil(limits.answers_all / new Set(requests?.map(({ name }) => name)).size || 1));

/** @returns its part of the load, and all of them: without the sequence k6 rounds each part by itself */
function segmentArguments(segment: Segment | null): string[] {
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

/**
 * @param tags that are told apart
 * @returns for k6's own recorder
 */
const recorderArguments = (file: string, tags: string): string[] => [
  '--out',
  `web-dashboard=${new URLSearchParams({ port: '-1', period: '1s', record: file, tags })}`,
];

/** Requests told apart take the recorder a kilobyte a second each: only a few are. */
const mostNames = 12;

/** @returns the tags whose values the recorder tells apart */
function recordedTags({ requests }: Case): string {
  const names = new Set(requests?.map(({ name }) => name)).size;
  return names > 1 && names <= mostNames ? 'phase,name' : 'phase';
}
