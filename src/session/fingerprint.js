import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { readOrNull } from '../process/processes.js';

/**
 * The machine that measured: two records can only be compared when it was the same (or an equal one).
 * @typedef {{ cpu_model: string, cores: number, memory_bytes: number,
 *   runner: 'local' | 'github-hosted' | 'self-hosted' | 'ci', os: string, kernel: string, k6: string,
 *   node: string }} MachineFingerprint
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} k6 its version
 * @returns {MachineFingerprint}
 */
export function fingerprintOf(env, k6) {
  return {
    cpu_model: cpus()[0]?.model.trim() || 'unknown',
    cores: availableParallelism(), // those that we may use: a container or taskset may allow fewer than there are
    memory_bytes: Math.min(totalmem(), process.constrainedMemory() || Infinity),
    runner: runnerOf(env),
    os: readOrNull('/etc/os-release')?.match(/^PRETTY_NAME="?([^"\n]*)"?$/m)?.[1] ?? process.platform,
    kernel: release(),
    k6,
    node: process.versions.node,
  };
}

/**
 * What kind of machine this is, by the variables that CI services set (for GitHub: docs.github.com, "Default
 * environment variables").
 * @param {NodeJS.ProcessEnv} env
 * @returns {MachineFingerprint['runner']}
 */
export function runnerOf(env) {
  if (env.GITHUB_ACTIONS !== 'true') return env.CI && env.CI !== 'false' ? 'ci' : 'local';
  return env.RUNNER_ENVIRONMENT === 'github-hosted' ? 'github-hosted' : 'self-hosted';
}
