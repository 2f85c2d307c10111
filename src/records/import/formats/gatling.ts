import { readFile } from 'node:fs/promises';
import { FileProblem, short } from '../round/file-problem.js';
import { finding, findingsOf, isoTime, type ReadFile, type Round } from '../round/round.js';
import { eachRow } from '../round/round-rows.js';
import { countsOf, distributionOfSamples, ruleOfK6, Samples } from '../round/samples.js';
import { eachBinaryRecord, isBinaryLog } from './gatling-binary.js';

/**
 * What a record of simulation.log says, in text or in binary. from, to, at: milliseconds since 1970; groups: the outermost first.
 */
export type LogRecord =
  | { kind: 'run'; version: string; at: number }
  | { kind: 'user'; starts: boolean; at: number }
  | { kind: 'request'; groups: string[]; name: string; from: number; to: number; ok: boolean; message: string }
  | { kind: 'group'; groups: string[]; from: number; to: number }
  | { kind: 'assertion' }
  | { kind: 'error'; message: string };

export const isGatling = (begin: string) =>
  isBinaryLog(begin) || /^(?:ASSERTION\t[^\n]*\n)*RUN\t[^\n]*\t[^\n]*\t\d{13}\t/.test(begin);

/** simulation.log of Gatling 3: text up to version 3.12, binary since 3.13. */
export async function readGatling(file: ReadFile): Promise<Round> {
  const log = new Log();
  if (isBinaryLog(file.begin)) eachBinaryRecord(await readFile(file.path), (record) => log.take(record));
  else await eachTextRecord(file, (record) => log.take(record));
  return log.round();
}

class Log {
  #samples = new Samples();
  #groups = new Samples();
  #version = '';
  #began = Infinity;
  #users = 0;
  #mostUsers = 0;
  #failedExpectations = 0;
  #assertions = 0;
  #errors = 0;

  take(record: LogRecord) {
    switch (record.kind) {
      case 'run':
        this.#version = record.version;
        this.#began = record.at;
        break;
      case 'user':
        this.#users += record.starts ? 1 : -1;
        this.#mostUsers = Math.max(this.#mostUsers, this.#users);
        break;
      case 'request':
        this.#request(record);
        break;
      case 'group':
        this.#groups.add(record.groups.join(' / '), sampleOf(record));
        break;
      case 'assertion':
        this.#assertions += 1;
        break;
      case 'error':
        this.#errors += 1;
    }
  }

  #request({ groups, name, from, to, ok, message }: Extract<LogRecord, { kind: 'request' }>) {
    const lost = !ok && isOfNetwork(message);
    const badStatus = !ok && !lost && /^status\./.test(message);
    if (!ok && !lost && !badStatus) this.#failedExpectations += 1;
    this.#samples.add([...groups, name].join(' / '), { ...sampleOf({ from, to }), failed: !ok, lost, badStatus });
  }

  round(): Round {
    const samples = this.#samples;
    if (samples.size === 0) throw new FileProblem('has no requests');
    const all = samples.all;
    return {
      tool: 'Gatling',
      version: this.#version,
      time: isoTime(Math.min(this.#began, all.fromMs)),
      seconds: (all.toMs - all.fromMs) / 1000,
      counts: { ...countsOf(all), status_errors: all.badStatus, failed_expectations: this.#failedExpectations },
      users_max: this.#mostUsers > 0 ? this.#mostUsers : null,
      latency: distributionOfSamples(all, ruleOfK6),
      requests: samples.requests(ruleOfK6),
      groups: Object.fromEntries(
        this.#groups.named.map(([name, tally]) => [
          name,
          { count: tally.count, duration: distributionOfSamples(tally, ruleOfK6) },
        ]),
      ),
      findings: findingsOf(
        finding(
          'gatling-times',
          'info',
          "Gatling's times are whole milliseconds, and include those of requests that failed. Percentiles are of all lines, by k6's rule. In a closed model requests that a stall held back were never sent.",
        ),
        samples.joinedFinding('requests'),
        this.#assertions > 0 &&
          finding(
            'gatling-assertions',
            'warn',
            `The log has ${this.#assertions} assertions, but not what became of them: they are not judged here.`,
          ),
        this.#errors > 0 &&
          finding(
            'gatling-errors',
            'warn',
            `The log has ${this.#errors} errors that are of no request, such as a value that could not be built: these are in no number.`,
          ),
      ),
    };
  }
}

function sampleOf({ from, to }: { from: number; to: number }) {
  if (to < from) throw new FileProblem(`has an end that is before its start: ${to} and ${from}`);
  return {
    fromMs: from,
    ms: to - from,
    failed: false,
    lost: false,
    badStatus: false,
    received: null,
    sent: null,
    users: null,
  };
}

/** No response, by the name of the exception, which Gatling shortens: "j.n.ConnectException: …". */
const isOfNetwork = (message: string) =>
  /^(?:\w+\.)+\w*(?:Exception|Error)\b|^Request timeout|^Premature close|^(?:\w+\.)*\w*Timeout\w*/.test(message);

/** How many columns a record has since 3.4, and before: with a user's number, behind the kind or the scenario. */
const columns = { REQUEST: [7, 8], GROUP: [6, 7], USER: [4, 6] };

const eachTextRecord = ({ path, progress }: ReadFile, take: (record: LogRecord) => void) =>
  eachRow(
    path,
    { delimiter: '\t', quoted: false },
    (row, line) => {
      const record = recordOf(row);
      if (record === null) throw new FileProblem(`is no line of Gatling's log: "${short(row.join(' '))}"`, line);
      try {
        take(record);
      } catch (error) {
        throw error instanceof FileProblem ? new FileProblem(error.message, line) : error;
      }
    },
    progress,
  );

/** @returns null: it is none */
function recordOf(row: string[]): LogRecord | null {
  const [kind] = row;
  if (kind === 'ASSERTION') return { kind: 'assertion' };
  if (kind === 'ERROR') return { kind: 'error', message: row[1] ?? '' };
  if (kind === 'RUN') {
    const at = timeOf(row[3]);
    return at === null ? null : { kind: 'run', version: row[5] ?? '', at };
  }
  if (!Object.hasOwn(columns, kind)) return null;
  const [now, before] = columns[kind as keyof typeof columns];
  const isOld = row.length === before;
  if (row.length !== now && !isOld) return null;
  if (kind === 'USER') {
    const [event, at] = isOld ? [row[3], timeOf(row[5])] : [row[2], timeOf(row[3])];
    if (at === null || (event !== 'START' && event !== 'END')) return null;
    return { kind: 'user', starts: event === 'START', at };
  }
  const [groups, ...rest] = row.slice(isOld ? 2 : 1);
  const hierarchy = groups === '' ? [] : groups.split(',');
  if (kind === 'GROUP') {
    const [from, to] = rest.map(timeOf);
    return from === null || to === null ? null : { kind: 'group', groups: hierarchy, from, to };
  }
  const [name, start, end, status, message] = rest;
  const [from, to] = [timeOf(start), timeOf(end)];
  if (from === null || to === null || (status !== 'OK' && status !== 'KO')) return null;
  return { kind: 'request', groups: hierarchy, name, from, to, ok: status === 'OK', message: message.trim() };
}

const timeOf = (text: string | undefined) => (text !== undefined && /^\d{13}$/.test(text) ? Number(text) : null);
