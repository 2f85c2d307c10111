/**
 * What everything in a run shares.
 *
 * - id: UTC time and pid; the name of its folder, and the value of the marker
 * - folder: .bench/runs/<id>, absolute; root: the suite's
 * - k6, toxiproxy: the programs; toxiproxy null: no environment of the run has a network
 * - memory_bytes: what a k6 process may take
 * - interrupt: whether it was told to stop
 * - valuesOf: what placeholders of a case stand for, with the ports given out to its services
 * @typedef {{
 *   id: string, folder: string, root: string, env: NodeJS.ProcessEnv, k6: string, toxiproxy: string | null,
 *   memory_bytes: number,
 *   guard: import('../process/guard.js').Guard, interrupt: import('../process/interrupt.js').Interrupt,
 *   progress: import('./progress.js').Progress, ports: ReturnType<typeof import('../process/ports.js').portPool>,
 *   valuesOf: (one: import('../spec/index.js').Case, ports?: Record<string, number>) => import('../placeholders.js').Values,
 * }} Run
 */
export {};
