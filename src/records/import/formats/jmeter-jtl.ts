import { FileProblem, short } from '../round/file-problem.js';
import { type Finding, finding, findingsOf, isoTime, type ReadFile, type Round } from '../round/round.js';
import { eachRow } from '../round/round-rows.js';
import { countsOf, distributionOfSamples, ruleOfJmeter, type Sample, Samples, unnamed } from '../round/samples.js';

type Head = { delimiter: string; columns: Map<string, number>; width: number };

const needed = ['timeStamp', 'elapsed', 'label', 'success'];

/** JMeter's results, a line a sample: CSV with the names of its columns in the first line (jmeter -l results.jtl). */
export async function readJtl({ path, begin, progress }: ReadFile): Promise<Round> {
  const head = headOf(begin);
  const requests = new Samples();
  const groups = new Samples();
  let unlikely = 0;
  await eachRow(
    path,
    { delimiter: head.delimiter },
    (row, line) => {
      if (line === 1) return;
      const sample = sampleOf(row, head, line);
      if (!sample.failed && /^5\d\d$/.test(row[head.columns.get('responseCode') ?? -1] ?? '')) unlikely += 1;
      (isGroup(row, head) ? groups : requests).add(row[Number(head.columns.get('label'))] || unnamed, sample);
    },
    progress,
  );
  if (requests.size + groups.size === 0) throw new FileProblem('has no samples: only the names of its columns');
  return roundOf(requests, groups, unlikely);
}

function roundOf(requests: Samples, groups: Samples, unlikely: number): Round {
  // Where JMeter keeps transactions alone, they are all that was measured.
  const onlyGroups = requests.size === 0;
  const sent = onlyGroups ? groups : requests;
  const all = sent.all;
  return {
    tool: 'JMeter',
    time: isoTime(all.fromMs),
    seconds: (all.toMs - all.fromMs) / 1000,
    counts: countsOf(all),
    users_max: all.users,
    latency: distributionOfSamples(all, ruleOfJmeter),
    requests: sent.requests(ruleOfJmeter),
    groups: onlyGroups
      ? {}
      : Object.fromEntries(
          groups.named.map(([name, tally]) => [
            name,
            { count: tally.count, duration: distributionOfSamples(tally, ruleOfJmeter) },
          ]),
        ),
    findings: findingsOf(
      ...findingsOfJmeter(
        `Percentiles are by the rule of JMeter's report${all.count > 20000 ? ', though over all samples: its own are those of the last 20,000' : ''}.`,
      ),
      onlyGroups &&
        finding(
          'jmeter-only-transactions',
          'warn',
          'The file has transaction controllers only and none of their samples: a request is a transaction here, and its latency is that of all that it sends.',
        ),
      !onlyGroups &&
        groups.size > 0 &&
        finding(
          'jmeter-transactions',
          'info',
          "Transaction controllers are groups here and not requests, as in the total of JMeter's report.",
        ),
      unlikely > 0 &&
        finding(
          'jmeter-statuses',
          'warn',
          `${unlikely} of ${all.count} samples have a status of 500 or more, and the file calls them a success: they are not counted as errors.`,
        ),
      sent.joinedFinding('labels'),
    ),
  };
}

/** What JMeter's times mean. */
export const findingsOfJmeter = (percentiles: string): Finding[] => [
  finding(
    'jmeter-times',
    'info',
    `JMeter's times are whole milliseconds from before the connection is opened to the last byte: a service of less than a millisecond cannot be distinguished from none. ${percentiles}`,
  ),
  finding(
    'jmeter-load',
    'info',
    'A thread of JMeter sends its next request after the response (a closed loop): requests that a stall held back were never sent, and are in no latency.',
  ),
];

/** @param begin of the file */
function headOf(begin: string): Head {
  const [line] = begin.replace(/^\ufeff/, '').split(/\r?\n/, 1);
  const delimiter =
    [',', ';', '\t', '|'].find((mark) => line.includes(`timeStamp${mark}`) || line.includes(`${mark}timeStamp`)) ?? ',';
  const names = line.split(delimiter).map((name) => name.replace(/^"|"$/g, ''));
  const columns = new Map(names.map((name, i) => [name, i]));
  const missing = needed.filter((name) => !columns.has(name));
  if (missing.length)
    throw new FileProblem(`does not name the columns of a JTL: there is no ${missing.join(' and no ')}`, 1);
  return { delimiter, columns, width: names.length };
}

function sampleOf(row: string[], { columns, width }: Head, line: number): Sample {
  if (row.length === 1 && row[0] === '') throw new FileProblem('is empty', line);
  if (row.length !== width) throw new FileProblem(`has ${row.length} of ${width} columns`, line);
  const field = (name: string) => row[columns.get(name) ?? -1];
  const number = (name: string) => {
    const text = field(name);
    return text === undefined || !/^\d{1,15}$/.test(text) ? null : Number(text);
  };
  const [elapsed, start, success] = [field('elapsed'), field('timeStamp'), field('success')];
  if (!/^\d{1,9}$/.test(elapsed)) throw new FileProblem(`has no elapsed time: "${short(elapsed)}"`, line);
  if (!/^[1-9]\d{10,13}$/.test(start))
    throw new FileProblem(`has a timeStamp that is not a number of milliseconds: "${short(start)}"`, line);
  if (!/^(true|false)$/i.test(success))
    throw new FileProblem(`says neither true nor false for success: "${short(success)}"`, line);
  const failed = success.toLowerCase() === 'false';
  return {
    fromMs: Number(start),
    ms: Number(elapsed),
    failed,
    lost: failed && Boolean(field('responseCode')?.startsWith('Non HTTP')),
    badStatus: false,
    received: number('bytes'),
    sent: number('sentBytes'),
    users: number('allThreads'),
  };
}

/** Is this row the sum of others, of a transaction controller? JMeter's report leaves it out of the total. */
const isGroup = (row: string[], { columns }: Head) =>
  row[columns.get('responseMessage') ?? -1]?.startsWith('Number of samples in transaction') ?? false;
