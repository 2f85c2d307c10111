import { FileProblem, short } from '../round/file-problem.js';
import { finding, findingsOf, isoTime, type ReadFile, type Round } from '../round/round.js';
import { eachRow } from '../round/round-rows.js';
import { countsOf, distributionOfSamples, ruleOfK6, Samples, unnamed } from '../round/samples.js';

/**
 * time, tag, interval_real, connect_time, send_time, latency, receive_time, interval_event, size_out, size_in, net_code,
 * proto_code
 */
const width = 12;

/** Phantom's and Pandora's phout: twelve columns with tabs between them, a line a request, times in microseconds. */
export async function readPhout({ path, progress }: ReadFile): Promise<Round> {
  const tags = new Samples();
  let clientErrors = 0;
  await eachRow(
    path,
    { delimiter: '\t', quoted: false },
    (row, line) => {
      const wrong = problemOf(row);
      if (wrong) throw new FileProblem(wrong, line);
      const status = Number(row[11]);
      const lost = row[10] !== '0';
      const badStatus = !lost && status >= 500;
      if (!lost && status >= 400 && status < 500) clientErrors += 1;
      tags.add(tagOf(row[1]), {
        fromMs: Number(row[0]) * 1000,
        ms: Number(row[2]) * 0.001,
        failed: lost || badStatus,
        lost,
        badStatus,
        received: Number(row[9]),
        sent: Number(row[8]),
        users: null,
      });
    },
    progress,
  );
  if (tags.size === 0) throw new FileProblem('has no lines');
  const all = tags.all;
  return {
    tool: 'Pandora or Phantom',
    time: isoTime(all.fromMs),
    seconds: (all.toMs - all.fromMs) / 1000,
    counts: { ...countsOf(all), status_errors: all.badStatus },
    latency: distributionOfSamples(all, ruleOfK6),
    requests: tags.requests(ruleOfK6),
    groups: {},
    findings: findingsOf(
      finding(
        'phout-times',
        'info',
        "Times are interval_real, in microseconds, and include the time to connect. Percentiles are of all lines, by k6's rule.",
      ),
      all.badStatus > 0 &&
        finding(
          'phout-statuses',
          'warn',
          `${all.badStatus} of ${all.count} responses had a status of 500 or more: they are errors here, where phout counts what the network lost alone (net_code).`,
        ),
      clientErrors > 0 &&
        finding(
          'phout-client-errors',
          'warn',
          `${clientErrors} of ${all.count} responses had a status from 400 to 499: phout does not say whether they were expected, and they are in the throughput.`,
        ),
      tags.joinedFinding('tags'),
    ),
  };
}

/** "tag#42" is "tag": the number tells samples apart. */
function tagOf(text: string) {
  const [tag] = text.split('#', 1);
  return tag === '' || tag === '__EMPTY__' ? unnamed : tag;
}

function problemOf(row: string[]): string | null {
  if (row.length === 1 && row[0] === '') return 'is empty';
  if (row.length !== width) return `has ${row.length} of ${width} columns`;
  if (!/^\d{1,12}(\.\d+)?$/.test(row[0])) return `does not begin with a time: "${short(row[0])}"`;
  const wrong = row.slice(2).find((text) => !/^\d{1,15}$/.test(text));
  return wrong === undefined ? null : `has "${short(wrong)}" where a whole number belongs`;
}
