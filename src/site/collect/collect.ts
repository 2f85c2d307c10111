import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Calibration } from '../../records/calibration/calibration.js';
import { FileProblem } from '../../records/read-record.js';
import { isOfFuture } from '../../records/runs.js';
import { keptFiles, type RecordPlace } from '../../records/versions.js';
import type { Suite } from '../../suite/suite.js';
import { readCalibrations } from './calibrations.js';
import { type Duet, readDuets } from './collect-duets.js';
import { type Entry, readEntry } from './collect-record.js';
import { withoutCollisions } from './collisions.js';
import { type LastRun, lastRun } from './last-run.js';
import type { SiteProblem } from './spec-problem.js';
import { readSystems, type System } from './systems.js';

/**
 * All that the site shows, and what it leaves out.
 * calibrations: by system
 */
export type CollectedSite = {
  entries: Entry[];
  run: LastRun | null;
  systems: System[];
  duets: Duet[];
  calibrations: Map<string, Calibration>;
  problems: SiteProblem[];
};

/** Reads the kept records, the last run and the specs of a suite. */
export async function collect(suite: Suite): Promise<CollectedSite> {
  const problems: SiteProblem[] = [];
  const refuse = (file: string, message: string) => {
    problems.push({ file: relative(suite.root, file), message });
  };
  const leaveOut = ({ file, problem }: FileProblem) => refuse(file, `it ${problem}`);
  const run = lastRun(suite, refuse);
  const duets = readDuets(suite, refuse);
  const kept = readAll(keptFiles(suite, leaveOut), true, leaveOut);
  const fresh = readAll(run ? freshFiles(run) : [], false, leaveOut);
  const entries = withoutCollisions(
    withoutKeptTwice(kept, fresh),
    ({ url, version, system }) => [url, `versions/${version}`, `systems/${system}`],
    ({ url }, message) => refuse(join(suite.root, 'reports', `${url}.json`), message),
  );
  const systems = readSystems(
    suite,
    [...entries, ...(run?.cases ?? []), ...duets.flatMap(({ outcome }) => outcome.cases)].map(({ system }) => system),
    refuse,
  );
  const calibrations = await readCalibrations(
    suite,
    systems.map(({ name }) => name),
    refuse,
  );
  return { entries, run, duets, systems, calibrations, problems };
}

type RecordFile = RecordPlace & { file: string };

/** @returns of what has a record; until it is kept, its version is named by the run */
const freshFiles = ({ id, dir, cases }: LastRun): RecordFile[] =>
  cases
    .map(({ system, environment, case: name, dir: folder }) => ({
      file: join(dir, folder, 'record.json'),
      version: id,
      system,
      environment,
      case: name,
    }))
    .filter(({ file }) => existsSync(file));

function readAll(files: RecordFile[], kept: boolean, leaveOut: (problem: FileProblem) => void) {
  const entries = [];
  for (const file of files) {
    try {
      const entry = readEntry(file, kept);
      if (kept && isOfFuture(entry.record.time)) throw new FileProblem(file.file, ofFuture(entry.record.time), {});
      entries.push(entry);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      leaveOut(error);
    }
  }
  return entries;
}

/** It would be the newest version for good. */
const ofFuture = (time: string) =>
  `was measured on ${time.slice(0, 10)}, which is in the future: the clock of that machine was wrong, or this one's is`;

/** A fresh record that has been kept since is shown once, under its version's name. */
function withoutKeptTwice(kept: Entry[], fresh: Entry[]) {
  const idOf = ({ system, environment, record, case: name }: Entry) =>
    [system, environment, name, record.time].join(' ');
  const ran = new Set(fresh.map(idOf));
  const all = kept.map((entry) => (ran.has(idOf(entry)) ? { ...entry, lastRun: true } : entry));
  const known = new Set(kept.map(idOf));
  return [...all, ...fresh.filter((entry) => !known.has(idOf(entry)))];
}
