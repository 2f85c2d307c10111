/**
 * What everything in a run shares.
 *
 * - id: UTC time and pid; the name of its folder, and the value of the marker
 * - time: when it began
 * - folder: .bench/runs/<id>, absolute; root: the suite's
 * - k6, toxiproxy: the programs; k6_version: without a leading v; toxiproxy null: no environment of the run has a network
 * - memory_bytes: what a k6 process may take
 * - interrupt: whether it was told to stop
 * - valuesOf: what placeholders of a case stand for, with the ports given out to its services
 * @typedef {{
 *   id: string, time: Date, folder: string, root: string, env: NodeJS.ProcessEnv, k6: string, k6_version: string,
 *   toxiproxy: string | null, memory_bytes: number,
 *   guard: import('./process/guard.js').Guard, interrupt: import('./process/interrupt.js').Interrupt,
 *   progress: Progress, ports: ReturnType<typeof import('./process/ports.js').portPool>,
 *   valuesOf: (benchCase: import('./spec/index.js').Case, ports?: Record<string, number>) => import('./placeholders.js').RunnerValues,
 * }} Run
 */

/**
 * Tells a person how far a run is. `unit`: what a round is called: a duet has blocks.
 * @typedef {{ note: (text: string) => void, begin: (cases: readonly Shown[], rounds: number, seed: number, unit?: string) => void,
 *   beginCase: (index: number) => void, beginRound: (round: number) => void,
 *   iterations: (complete: number, seconds: number) => void,
 *   endRound: () => void, endCase: (outcome: string, more?: string[]) => void, end: () => void }} Progress
 * @typedef {{ system: string, environment: string, name: string, duration_s: number | null }} Shown
 *
 * @typedef {{ round: number, part: number, parts: number }} Which round of a case, and which of its parts
 */
export {};
