import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/cli.js';

/** What a key, field, file or phrase was called before; each has one name now. */
const gone = {
  'keys and fields': [
    /\b(rate_asked_rps|at_once|by_user|false_alarm|guide_title)\b/,
    /\b(smallest_change|smallest_found|drift_source|in_turn|within_s)\b/,
    /^(like|drift|guide) = /,
    /^\[\[needs\]\]|^needs = \[/,
    /\.exitCodes\.unclear|exitCodes\.(ok|broken)/,
    /'(broken|failed)' [|:]|"(broken|failed)", "(fail|todo|worse)"/,
    /\b(not-steady|load-did-not-happen|same-busy)\b/,
  ],
  options: [/--false-alarm\b/, /--to <load>/, /--times\b/, /--for <duration>/],
  files: [/\btell\.yml\b/, /\bbench\.yml\b/, /\busual\.jq\b/, /\blike\.js\b/, /\bneeds\.js\b/],
  'code words': [
    /\b(playCase|laneOf|played|tellOnce|noteOnce|refuseStrange\w*|patience_ms|most_at_once)\b/,
    /\b(Chart|Cell|Table)Wish\b/,
    /@param \{Case\} (one|item|lane)\b/,
  ],
  phrases: [
    /false alarm/i,
    /\bdrifts?\b/,
    /could have been seen|smallest worsening|cries wolf/,
    /in the long run at most|wrong when right|How often an interval is wrong|How sure (it|a duet)/i,
    /base against itself/i,
    /what people do today/i,
    /looked at after|\blooksOf\b|(rule|context)\.looks\b/,
    /\bsittings?\b/i,
    /highest load met|users, most|memory, most|middle user/,
    /\bAgain: |The same again:/,
    /^name: (Tell|Bench)$|What Bench found|It is measured|How it came out/,
    /slice "before" "now"|Not as before|>As before<|Beside the metrics/,
    /How a number is made|What is in a record/,
    /^## (Begin|Do|Move|Look up|Understand)$/,
    /can't be believed|stayed open|Left open|Without an interval/,
    /\bmend(s|ed|ing)?\b/i,
    /\btold\b(?! apart)/i,
    /\bgo(es)? before\b/,
    /\breckon(s|ed)? with\b/,
    /\[low, high\]", /,
    /CPU time (it|k6) could get|decides nothing:|threshold (\S+ )?decides nothing|\(not gated\)/,
  ],
};

/** It says what was called otherwise. */
const exempt = ['test/cli/vocabulary.test.js'];

/** Measured, recorded or generated elsewhere. */
const others = /^(reports\/(versions|calibrations)|test\/fixtures\/imported)\/|package-lock\.json$|\.sum$/;

const files = execFileSync('git', ['-C', root, 'ls-files', '-z'], { encoding: 'utf8', maxBuffer: 1e8 })
  .split('\0')
  .filter((file) => file && !exempt.includes(file) && !others.test(file));
const lines = files.flatMap((file) =>
  readText(file)
    .split('\n')
    .map((line, i) => ({ at: `${file}:${i + 1}: ${line.trim().slice(0, 120)}`, line })),
);

/** @param {string} file @returns {string} '' of a picture, and of a file that is deleted but not yet committed */
function readText(file) {
  try {
    const text = readFileSync(join(root, file), 'utf8');
    return text.includes('\0') ? '' : text;
  } catch {
    return '';
  }
}

for (const [what, patterns] of Object.entries(gone)) {
  test(`no old name is left in the tree: ${what}`, () => {
    const found = lines.filter(({ line }) => patterns.some((pattern) => pattern.test(line))).map(({ at }) => at);
    assert.deepEqual(found, []);
  });
}

test('variables of the program are called by what they hold', () => {
  const vague =
    /\b(const|let) (one|asked|wanted)\b|\b(one|asked|wanted)(, \w+)?\) =>|@param \{.*\} \[?(one|asked|wanted)\b/;
  const found = lines
    .filter(({ at, line }) => /^(src|k6)\/\S+\.[jt]s:/.test(at) && vague.test(line))
    .map(({ at }) => at);
  assert.deepEqual(found, []);
});
