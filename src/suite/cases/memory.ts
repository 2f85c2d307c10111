import type { Case } from './expand.js';
import { requestsOf } from './load.js';

/**
 * The memory that k6 2.2 needs, tried with this driver and its recorder under a memory limit (see src/run/generator/k6.ts; without
 * one the garbage collector takes five times as much): itself, a user, a request.
 */
const bytesPer = { process: 60e6, user: 0.4e6, request: 330 };

/** The same for the native player, whose users are not JavaScript and who counts in histograms. */
const nativeBytesPer = { process: 60e6, user: 0.04e6, request: 0 };

/**
 * What a case needs of k6's memory: k6 keeps every value of every trend until it ends, the native player none.
 * @param benchCase one that has an executor
 * @returns bytes, of which for users and samples; exact: false when the pace is the users' own and the highest was taken
 */
export function memoryOf(benchCase: Case): { bytes: number; users: number; samples: number; exact: boolean } {
  const { requests, exact } = requestsOf(benchCase);
  const bytes = benchCase.player === 'native' ? nativeBytesPer : bytesPer;
  const users = benchCase.load.users * bytes.user;
  const samples = requests * bytes.request;
  return { bytes: bytes.process * benchCase.instances + users + samples, users, samples, exact };
}

/**
 * Into how many consecutive k6 processes a case is cut so that each fits into memory: each warms up, and measures its
 * share of the window. Only a constant load can be cut: a ramp or a number of iterations would not be the same load, and
 * a fault happens once.
 * @param benchCase one that has an executor
 * @param available bytes
 * @returns 1: not cut; null: it does not fit and cannot be cut
 */
export function partsOf(benchCase: Case, available: number): number | null {
  if (benchCase.generators) return 1; // pods have memory of their own
  const { bytes, samples, exact } = memoryOf(benchCase);
  if (bytes <= available) return 1;
  const free = available - (bytes - samples);
  if (free <= 0) return null;
  const uncut = exact ? null : 1; // it may well need less
  if (!canBeCut(benchCase)) return uncut;
  const { window, duration_s } = benchCase;
  const perSecond = samples / Number(duration_s);
  const length = Number(window.to_s) - window.from_s;
  const parts = Math.ceil((perSecond * length) / (free - perSecond * window.from_s));
  return parts >= 1 && length / parts >= 1 ? parts : uncut; // k6 wants at least a second
}

/** Whether parts of a load are the same load: it is constant, for a time, and nothing happens once. */
export const canBeCut = ({ k6, faults }: Pick<Case, 'k6' | 'faults'>) =>
  k6.duration !== undefined && faults.length === 0;
