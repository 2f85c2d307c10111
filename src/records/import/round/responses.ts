import { FileProblem, short } from './file-problem.js';
import { type Finding, finding, findingsOf, type ReadFile, type Round } from './round.js';
import { eachRow } from './round-rows.js';
import { distributionOfSamples, ruleOfK6, Samples } from './samples.js';
import { countOf, statusFinding } from './statuses.js';

/** What a row says of a response, with its time in milliseconds. */
export type Response = { fromMs: number; ms: number; code: string; received: number | null };

/**
 * Reads a CSV file with its columns' names, a row for each response, and none for a request without one.
 * @param of responseOf: null where a row is none; times: a note on its times
 */
export async function roundOfResponses(
  { path, progress }: ReadFile,
  {
    tool,
    responseOf,
    times = '',
    findings,
  }: { tool: string; responseOf: (row: string[]) => Response | null; times?: string; findings: Finding[] },
): Promise<Round> {
  const samples = new Samples();
  const statuses: Map<string, number> = new Map();
  await eachRow(
    path,
    { delimiter: ',' },
    (row, line) => {
      if (line === 1) return;
      const response = responseOf(row);
      if (response === null) throw new FileProblem(`is no row of ${tool}'s CSV: "${short(row.join(','))}"`, line);
      const { fromMs, ms, code, received } = response;
      const badStatus = code >= '500';
      statuses.set(code, (statuses.get(code) ?? 0) + 1);
      samples.add('', { fromMs, ms, failed: badStatus, lost: false, badStatus, received, sent: null, users: null });
    },
    progress,
  );
  if (samples.size === 0) throw new FileProblem('has no responses');
  const all = samples.all;
  const codes = [...statuses];
  const bad = countOf(codes, '5');
  return {
    tool,
    time: null,
    seconds: (all.toMs - all.fromMs) / 1000,
    // Those without a response are missing, so that none is not known of the others.
    counts: {
      requests: all.count,
      errors: bad > 0 ? bad : null,
      expected: bad > 0 ? all.count - bad : null,
      network_errors: null,
      status_errors: bad,
      received_bytes: all.received,
    },
    latency: distributionOfSamples(all, ruleOfK6),
    requests: {},
    groups: {},
    findings: findingsOf(
      ...findings,
      finding(
        `${tool}-csv`,
        'warn',
        `${tool}'s CSV has no requests without a response${times}: errors of the network are not counted.`,
      ),
      statusFinding(tool, codes, all.count),
    ),
  };
}
