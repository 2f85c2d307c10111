import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { Fingerprint } from '../../../reports/schema/types.d.ts';
import { tarOf } from '../../base/io/tar.js';
import type { Trend } from './histogram.js';

/** What a machine says of its part of a load: generator.json, as reports/schema/generator.schema.json describes it. */
export type Said = {
  archive: string;
  definition: string;
  part: { index: number; of: number };
  round: number;
  round_part: number;
  seed: string;
  player: 'native' | 'javascript';
  k6_version: string;
  machine: Fingerprint & { cores: number; memory_bytes: number };
  host: string;
  boot: string;
  started_ms: number;
  ended_ms: number;
  k6_exit: number;
  complete_iterations: number;
  interrupted_iterations: number;
  others: { name: string; cpu_ms: number }[];
  problems: string[];
  files: Record<string, { bytes: number; sha256: string }>;
};

/**
 * Lines of the raw files, as much of them as is read outside of jq: the recorder's, which reports/lib/reduce/timeline.jq
 * describes, the native player's (k6/native/README.md), and the sampler's.
 */
export type TimelineLine =
  | { event: 'param'; data: { aggregates: { trend: string[] } } }
  | { event: 'metric'; data: Record<string, unknown> }
  | { event: 'start' | 'snapshot' | 'cumulative'; data: number[][] }
  | { event: 'exit'; data: unknown };

export type HistogramLine = {
  started_ms?: number;
  sub_bits?: number;
  total?: boolean;
  users?: number;
  tags?: Record<string, string | undefined>;
  counts?: Record<string, number>;
  times?: Record<string, Trend>;
};

export type ServicesLine = { t: number; services: Record<string, { cpu_ns: number }>; k6?: { cpu_ns: number } };

/** What a generator leaves; the last says that it is whole. */
export const resultFiles = [
  'case.json',
  'summary.json',
  'histograms.ndjson',
  'timeline.ndjson',
  'services.ndjson',
  'k6.log',
  'generator.json',
];

/** Characters of a line: logs of containers cut those of 16 KiB. */
const perLine = 7999;

/**
 * What tells a copy of a generator's files from a damaged one.
 * @returns by name, without generator.json
 */
export async function digestsOf(folder: string): Promise<Record<string, { bytes: number; sha256: string }>> {
  const names = resultFiles.filter((name) => name !== 'generator.json' && existsSync(join(folder, name)));
  const digests = names.map(async (name) => [name, await digestOf(join(folder, name))]);
  return Object.fromEntries(await Promise.all(digests));
}

async function digestOf(file: string) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return { bytes: statSync(file).size, sha256: hash.digest('hex') };
}

/**
 * All that a generator leaves as one text, for who sees no more of it than what it prints: a tar archive, packed with gzip, in
 * base64, framed. Each of its lines has a mark: a log of two streams may have a line of the other one between any two.
 * @returns lines
 */
export function framedResults(folder: string): string[] {
  const files = resultFiles.filter((name) => existsSync(join(folder, name)));
  const packed = gzipSync(tarOf(files.map((name) => ({ name, content: readFileSync(join(folder, name)) }))));
  const text = packed.toString('base64');
  const sha256 = createHash('sha256').update(packed).digest('hex');
  const lines = Array.from(
    { length: Math.ceil(text.length / perLine) },
    (_, i) => `|${text.slice(i * perLine, (i + 1) * perLine)}`,
  );
  return [`benchfolio-results 2 ${packed.length} ${sha256}`, ...lines, 'benchfolio-results-end'];
}

/** A generator's last words where something outside it wanted it to end. */
export const endedBySignal = 'it was ended by a signal';

/** Why there are no results. */
export const framedFailure = (reason: string) => `benchfolio-failed ${JSON.stringify({ reason })}`;
