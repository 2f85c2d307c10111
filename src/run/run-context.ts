import type { Guard } from '../base/process/guard.js';
import type { Interrupt } from '../base/process/interrupt.js';
import type { MachineSpeed } from '../base/process/speed-probe.js';
import type { Engine } from '../base/tools/container-engine.js';
import type { Case } from '../suite/cases/expand.js';
import type { RunnerValues } from '../suite/run-placeholders.js';

/**
 * The things that everything in a run shares.
 *
 * - id: UTC time and pid; the name of its folder, and the value of the marker
 * - time: when it began
 * - folder: .bench/runs/<id>, absolute; root: the suite's
 * - k6, toxiproxy: the programs; k6_version: without a leading v; toxiproxy null: no environment of the run has a network
 * - engine: it runs containers; null: no environment of the run has any
 * - memory_bytes: the most that a k6 process may take
 * - interrupt: whether it was interrupted
 * - secrets: that steps between ready and load captured so far: never to be written down
 * - seed: of the order of its cases, and of random values in requests; not there: they are never the same again
 * - seeded: the folders that starts share, by the step that filled them
 * - valuesOf: the values of the placeholders of a case, with the ports given out to its services
 */
export type Run = {
  id: string;
  time: Date;
  folder: string;
  root: string;
  env: NodeJS.ProcessEnv;
  k6: string;
  k6_version: string;
  toxiproxy: string | null;
  engine: Engine | null;
  memory_bytes: number;
  secrets: string[];
  seed?: number;
  seeded: Map<string, Promise<unknown>>;
  guard: Guard;
  interrupt: Interrupt;
  speed?: MachineSpeed;
  progress: Progress;
  ports: ReturnType<typeof import('../base/process/ports.js').portPool>;
  valuesOf: (benchCase: Case, ports?: Record<string, number>) => RunnerValues;
};

/**
 * Tells a person how far a run is. `unit`: the word for a round: a duet has blocks; `mayEndSooner`: the rounds are the most;
 * `live`: reads what a load is like so far, when it is shown; result: what the run found, as it was printed;
 * step: does work that may take long and writes to a log.
 */
export type Progress = {
  note: (text: string) => void;
  step: <T>(title: string, log: string, work: () => Promise<T>) => Promise<T>;
  begin: (
    cases: readonly Shown[],
    rounds: number,
    seed: number,
    how?: { unit?: string; mayEndSooner?: boolean },
  ) => void;
  beginCase: (index: number) => void;
  beginRound: (round: number) => void;
  iterations: (complete: number, seconds: number, live: () => LiveFigures) => void;
  endRound: () => void;
  endCase: (outcome: string, more?: string[]) => void;
  result: (text: string) => void;
  end: () => void;
};

/** blocks: where its rounds are not all alike */
export type Shown = {
  system: string;
  environment: string;
  name: string;
  duration_s: number | null;
  blocks?: readonly Block[];
};

/** A block of a duet; starts: how often the services of a side are started in it; loads: seconds of each of its loads. */
export type Block = { starts: number; loads: readonly number[] };

/**
 * A load so far; p50_ms, p95_ms: of the last second; requests, errors, dropped: since the load began; errors:
 * requests that failed; cores: CPU in use, by service and k6.
 */
export type LiveFigures = {
  p50_ms: number | null;
  p95_ms: number | null;
  requests: number;
  errors: number;
  dropped: number;
  cores: Record<string, number>;
};

/**
 * What a run does, as it happens. second: of a load; complete: iterations; whole: seconds that it takes, null where that is not
 * known; left_s: of the whole run.
 */
export type RunEvent =
  | { type: 'begin'; cases: string[] }
  | { type: 'case'; index: number }
  | { type: 'round'; text: string }
  | {
      type: 'second';
      complete: number;
      seconds: number;
      whole: number | null;
      left_s: number | null;
      live: () => LiveFigures;
    }
  | { type: 'outcome'; index: number; text: string }
  | { type: 'note'; text: string }
  | { type: 'result'; text: string };

export type Watcher = (event: RunEvent) => void;

/** A round of a case, and one of its parts; repeated: why it was measured before, and did not count */
export type Which = { round: number; part: number; parts: number; repeated?: readonly string[] };
