import { counted, formatPlain } from '../../base/format.js';
import { limits } from '../../suite/cases/tables.js';
import { TooShort } from './too-short.js';

/**
 * One probe: a load that was tried. met: all thresholds were; limited: k6 itself was the limit, so that nothing is known;
 * disturbed: other programs were, and it is tried again.
 */
type ProbeResult = { load: number; met: boolean; limited: boolean; disturbed: boolean };

/**
 * estimates: of the highest load that is met, one of each search; sure: a step below the lowest that a search ended at, for
 * near the edge thresholds are missed now and then; reason: why there is none
 */
type SearchResult = { estimates: number[]; sure: number; probes: ProbeResult[]; reason: string | null };

type Bounds = {
  /** where to begin */
  from: number;
  /** the highest load to try */
  max: number;
  /** relative precision at which the search stops */
  precision: number;
  /** how often the edge is searched */
  repeats: number;
  /** the lowest load that can be asked for */
  least: number;
};

/**
 * Searches for the highest load that is met: doubled until it is not, the edge bracketed by bisection, and then searched
 * again and again from a little way off, for near the edge a load is met in some probes and not in others.
 * @param probe the load that it tells is the one that was tried: k6 takes whole numbers
 * @throws {TooShort} not even the first load could be judged
 */
export async function search(
  probe: (load: number) => Promise<ProbeResult>,
  { from, max, precision, repeats, least }: Bounds,
): Promise<SearchResult> {
  const probes: ProbeResult[] = [];
  const none = (reason: string) => ({ estimates: [], sure: 0, probes, reason });
  const tried = async (load: number) => {
    for (let times = 1; ; times += 1) {
      const result = await probe(load);
      probes.push(result);
      if (result.limited) throw new NothingToTell(`k6 reached its own limit at ${formatPlain(result.load)}`);
      if (!result.disturbed) return result.met;
      if (times === limits.disturbed_tries) {
        throw new NothingToTell(
          `other programs kept the machine busy ${counted(times, 'time')} in a row at ${formatPlain(result.load)}`,
        );
      }
    }
  };
  try {
    // One that is not met may be the machine's doing: it is tried again.
    const surely = async (load: number) => (await tried(load)) || tried(load);
    const steps = await bracket(surely, { from, max, least });
    if (steps.low === null) return none(`not even ${formatPlain(steps.high)} is met`);
    if (steps.high === null) return none(`every load up to ${formatPlain(steps.low)} met the thresholds`);
    const wide = 1 + 4 * precision;
    const rough = await bisect(tried, { low: steps.low, high: steps.high }, wide);
    const [estimates, met] = [[] as number[], [] as number[]];
    for (let done = 0; done < repeats; done += 1) {
      const edge = await searchEdge(
        tried,
        { low: rough.low / wide, high: rough.high * wide },
        { precision, wide, least },
      );
      if (edge === null) return none(`${formatPlain(least)} is met in some probes and not in others`);
      estimates.push(Math.sqrt(edge.low * edge.high));
      met.push(edge.low);
    }
    return { estimates, sure: Math.min(...met) / (1 + precision), probes, reason: null };
  } catch (error) {
    const met = probes.filter((result) => result.met && !result.limited && !result.disturbed).map(({ load }) => load);
    const missed = probes
      .filter((result) => !result.met && !result.limited && !result.disturbed)
      .map(({ load }) => load);
    if (error instanceof TooShort && probes.length > 0) {
      return none(
        `${missed.length ? `${formatPlain(Math.min(...missed))} is not met` : `${formatPlain(Math.max(...met))} is met`}, and ${error.explanation}`,
      );
    }
    if (!(error instanceof NothingToTell)) throw error;
    return none([error.message, ...knownOf(met, missed)].join('; '));
  }
}

/**
 * What probes say of the highest load, where the search cannot go on.
 * @param met loads
 * @param missed loads
 */
function knownOf(met: readonly number[], missed: readonly number[]): string[] {
  const most = Math.max(...met);
  const beyond = missed.filter((load) => !met.length || load > most);
  const least = formatPlain(Math.min(...beyond));
  if (!met.length) return beyond.length ? [`${least} is not met`] : [];
  const isMet = `${formatPlain(most)} is met`;
  if (!beyond.length) return [isMet];
  return [`${isMet} and ${least} is not met, so it lies between ${formatPlain(most)} and ${least}`];
}

type Tried = (load: number) => Promise<boolean>;

/** Two loads: low is met, high is not. */
type Bracket = { low: number; high: number };

/** Thrown where a load says nothing of the system, and would not if it were tried again. */
class NothingToTell extends Error {}

/** @returns null: none was found that is met, or not */
async function bracket(
  tried: Tried,
  { from, max, least }: { from: number; max: number; least: number },
): Promise<{ low: number | null; high: number | null }> {
  let load = Math.max(least, Math.min(from, max));
  if (await tried(load)) {
    while (load < max) {
      const next = Math.min(max, load * 2);
      if (!(await tried(next))) return { low: load, high: next };
      load = next;
    }
    return { low: load, high: null };
  }
  while (load > least) {
    const next = Math.max(least, load / 2);
    if (await tried(next)) return { low: next, high: load };
    load = next;
  }
  return { low: null, high: load };
}

/** @param ratio how close high and low are in the end */
async function bisect(tried: Tried, { low, high }: Bracket, ratio: number): Promise<Bracket> {
  if (high / low <= ratio) return { low, high };
  const middle = Math.sqrt(low * high);
  return bisect(tried, (await tried(middle)) ? { low: middle, high } : { low, high: middle }, ratio);
}

/**
 * Searches between two loads that have not been tried this time: an end that the search arrives at is tried too, and when
 * it is not as was thought, the search goes on beyond it, in steps that grow.
 * @returns null: not even the lowest load is met
 */
async function searchEdge(
  tried: Tried,
  { low, high }: Bracket,
  { precision, wide, least }: { precision: number; wide: number; least: number },
): Promise<Bracket | null> {
  const start = { low: Math.max(least, low), high };
  const edge = await bisect(tried, start, 1 + precision);
  if (edge.low === start.low && !(await tried(edge.low))) {
    if (edge.low <= least) return null;
    return searchEdge(tried, { low: edge.low / wide, high: edge.low }, { precision, wide: wide * wide, least });
  }
  if (edge.high === start.high && (await tried(edge.high))) {
    return searchEdge(tried, { low: edge.high, high: edge.high * wide }, { precision, wide: wide * wide, least });
  }
  return edge;
}
