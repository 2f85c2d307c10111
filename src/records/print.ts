import { styleText } from 'node:util';
import type { Comparison } from '../../reports/schema/types.d.ts';
import { jqOver } from '../base/tools/jq.js';
import type { World } from '../base/world.js';

export type ReportFormat = 'text' | 'markdown' | 'json';

const programs = { text: 'report.txt.jq', markdown: 'report.md.jq' };

/** Of the words that say how something is. */
const colors = {
  pass: 'green',
  met: 'green',
  better: 'green',
  fail: 'red',
  error: 'red',
  missed: 'red',
  worse: 'red',
  invalid: 'yellow',
  inconclusive: 'yellow',
  unclear: 'yellow',
  warning: 'yellow',
  open: 'yellow',
} as const;

/** Where they stand: at the end of a row, at the start of a threshold, and of a finding. */
const places = [
  /(?<= {2})(?:pass|fail|error|invalid|inconclusive|better|worse|unclear)(?=(?: \(not in the gate\))?$)/gm,
  /(?<=^ {2}\(?)(?:met|missed|open)(?=\)? )/gm,
  /(?<=^ {2})(?:error|warning)(?=, )/gm,
];

/**
 * Colours a report.
 * @param stream whose terminal it is for: without one, or with NO_COLOR, nothing is coloured
 */
function paint(text: string, stream: NodeJS.WritableStream, verdict: Comparison['verdict']) {
  const coloured = (word: string, key: keyof typeof colors) => styleText(colors[key], word, { stream });
  const first = (word: string) => styleText('bold', coloured(word, verdict), { stream });
  return places.reduce(
    (painted, pattern) => painted.replace(pattern, (word) => coloured(word, word as keyof typeof colors)),
    text.replace(/^\w+:/, first),
  );
}

/**
 * Prints a comparison to the world's stdout.
 * @param given records: of what was measured for it, the text shows more of them; reports: a folder whose jq programs shadow
 *   ours
 * @returns what it printed, without colours
 * @throws {UserError} code 4: jq failed
 */
export async function printReport(
  {
    comparison,
    records = [],
    format = 'text',
    reports,
  }: { comparison: Comparison; records?: readonly unknown[]; format?: ReportFormat; reports?: string },
  { stdout }: Pick<World, 'stdout'>,
): Promise<string> {
  if (format === 'json') {
    const json = JSON.stringify(comparison, null, 2);
    stdout.write(`${json}\n`);
    return json;
  }
  const terminal = stdout.isTTY === true;
  const text = (
    await jqOver(programs[format], format === 'text' ? [comparison, ...records] : [comparison], {
      raw: true,
      reports,
      args: { width: terminal ? stdout.columns || 80 : 100, terminal },
    })
  ).trimEnd();
  stdout.write(`${format === 'text' && terminal ? paint(text, stdout, comparison.verdict) : text}\n`);
  return text;
}
