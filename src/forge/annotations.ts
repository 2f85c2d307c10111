import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Comparison, JudgedThreshold } from '../../reports/schema/types.d.ts';
import { keyOf } from '../suite/cases/sub-metric.js';
import { tryThreshold } from '../suite/cases/thresholds.js';
import { positionsIn } from '../suite/check/positions.js';
import { openSpec, type SpecFile, systemNames } from '../suite/suite.js';

/**
 * A remark on a line of a file. path: from the repository's root
 */
export type Annotation = {
  path: string;
  start_line: number;
  end_line: number;
  annotation_level: 'failure' | 'warning';
  title: string;
  message: string;
};

/** Cases that are named in one remark: a swept threshold is missed on one line many times. */
const most_cases = 10;

/**
 * Remarks for the thresholds that were missed, on their lines.
 * @param suite null: the specs are not here
 * @returns one a line
 */
export function annotationsOf(comparison: Comparison, suite: { root: string } | null): Annotation[] {
  if (suite === null) return [];
  const known = new Set(systemNames(suite));
  const lines: Map<string, { path: string; line: number; level: 'fail' | 'warn'; texts: string[] }> = new Map();
  for (const comparedCase of comparison.cases.filter(({ system }) => known.has(system))) {
    for (const missed of comparedCase.thresholds.filter(({ outcome }) => outcome === 'missed')) {
      const { path, line } = placeOf(comparedCase, missed, openSpec(suite, comparedCase.system));
      const found = lines.get(`${path}:${line}`) ?? { path, line, level: levelOf(missed), texts: [] };
      const text = `${comparedCase.environment} ${comparedCase.case}: ${missed.text}`;
      const level = found.level === 'fail' ? 'fail' : levelOf(missed);
      lines.set(`${path}:${line}`, { ...found, level, texts: [...found.texts, text] });
    }
  }
  return [...lines.values()].map(({ path, line, level, texts }) => ({
    path: relative(repositoryRoot(suite.root), path),
    start_line: line,
    end_line: line,
    annotation_level: level === 'fail' ? 'failure' : 'warning',
    title: 'Threshold missed',
    message: messageOf(texts),
  }));
}

/** A threshold that base misses too is not a failure of head. */
const levelOf = ({ level, lane, verdict }: { level: 'fail' | 'warn'; lane?: string; verdict?: string | null }) =>
  lane && verdict !== 'worse' ? 'warn' : level;

function messageOf(texts: string[]) {
  const more = texts.length - most_cases;
  return [...texts.slice(0, most_cases), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

/**
 * The folder that git's is in, or the suite's own.
 * @param root of the suite
 */
export function repositoryRoot(root: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return root;
  }
}

/**
 * Where a threshold stands: its own line if its expression is there as it is, else its key, else its scenario.
 * @param of case
 */
function placeOf(
  { scenario }: { scenario: string | null },
  missed: JudgedThreshold,
  { path, text, spec, error }: SpecFile,
) {
  if (error) return { path, line: error.line };
  const own = spec.scenarios?.[scenario ?? '']?.thresholds ?? {};
  const name = keyOf(own, missed);
  const inSpec = ['scenarios', ...(scenario === null ? [] : [scenario])];
  if (name === undefined) return { path, line: positionsIn(text).place(inSpec, 'key').line };
  const at = [own[name]].flat().findIndex((threshold) => isSame(threshold?.expr ?? threshold, missed));
  const within = Array.isArray(own[name]) && at >= 0 ? [at] : [];
  return { path, line: positionsIn(text).place([...inSpec, 'thresholds', name, ...within]).line };
}

/** @param missed a spec of today may write the same in another way */
function isSame(written: unknown, { aggregation, op, value }: JudgedThreshold) {
  const read = tryThreshold(String(written));
  return read !== null && read.aggregation === aggregation && read.op === op && read.value === value;
}
