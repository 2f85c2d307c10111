// Makes the fixtures raw/*.txtar: runs test/fixtures/raw-suite with the real k6, and keeps what the reduction reads.
//
//   node test/make/raw-fixtures.js [scenario…]
//
// Then look at record.json in each before it is committed: it is what the tests expect.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reduceCase } from '../../dist/records/reduce-case.js';
import { pack } from '../support/archive.js';
import { root } from '../support/cli.js';
import { edit } from '../support/raw.js';
import { differenceOf } from '../support/raw-case.js';
import { scratchFolder } from '../support/scratch.js';

const suite = join(root, 'test', 'fixtures', 'raw-suite');
const scenarios = process.argv.slice(2).length
  ? process.argv.slice(2)
  : [
      'ok',
      'dead',
      'dropped',
      'exceptions',
      'warmup',
      'mixed',
      'limited',
      'counted',
      'errors',
      'parts',
      'fault',
      'groups',
      'users',
    ];

for (const scenario of scenarios) {
  const raw = measured(scenario);
  const fixture = scratchFolder('raw');
  writeFileSync(join(fixture, 'case.json'), caseText(join(raw, 'case.json')));
  const rounds = readdirSync(raw).filter((name) => name.startsWith('round-'));
  for (const round of rounds) keepRound(join(raw, round), join(fixture, round));
  const record = await reduceCase(fixture);
  edit(join(fixture, 'case.json'), differenceOf);
  pack('raw', scenario, fixture);
  console.log(scenario, record?.verdict, record?.findings.map((/** @type {any} */ finding) => finding.id).join(' '));
}

/** @param {string} scenario @returns {string} the folder of its case in a fresh run */
function measured(scenario) {
  const folder = mkdtempSync(join(root, '.bench', 'raw-')); // in the repository: a script imports k6/script.js
  try {
    cpSync(suite, folder, { recursive: true });
    if (scenario === 'parts') writeFileSync(join(folder, 'bench.toml'), '[run]\nrounds = 1\nmemory = "61900kB"\n');
    const script = join(folder, 'specs', 'tiny', 'throws.js');
    writeFileSync(script, readFileSync(script, 'utf8').replace('../../../../../', '../../../../'));
    const args = ['run', 'tiny', '--env', 'all', '--scenario', scenario, '--seed', '1', '--player', 'javascript'];
    const bin = join(root, 'dist', 'cli', 'bin.js');
    const { stderr } = spawnSync(process.execPath, [bin, ...args], { cwd: folder, encoding: 'utf8' });
    const runs = join(folder, '.bench', 'runs');
    if (!existsSync(runs)) throw new Error(stderr);
    const run = join(runs, readdirSync(runs)[0], 'tiny');
    const kept = mkdtempSync(join(tmpdir(), 'benchfolio-raw-'));
    cpSync(join(run, readdirSync(run)[0], scenario), kept, { recursive: true });
    return kept;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without what only says where it was made. @param {string} file */
function caseText(file) {
  const text = JSON.parse(readFileSync(file, 'utf8'));
  return JSON.stringify({ ...text, root: '/benchfolio', run: { ...text.run, commit: null, dirty: false } });
}

/**
 * Keeps of a round what is read: no cumulative lines of the recorder, no metrics of k6 that nobody asks for.
 * @param {string} from
 * @param {string} to
 */
function keepRound(from, to) {
  mkdirSync(to);
  const read = (/** @type {string} */ name) => readFileSync(join(from, name), 'utf8');
  for (const name of ['round.json', 'services.ndjson']) writeFileSync(join(to, name), read(name));
  const lines = read('timeline.ndjson')
    .split('\n')
    .filter((line) => !line.startsWith('{"event":"cumulative"'));
  writeFileSync(join(to, 'timeline.ndjson'), lines.join('\n').replaceAll(root, '/benchfolio')); // where it ran is nobody's business
  const summary = JSON.parse(read('summary.json'));
  const wanted = Object.entries(summary.metrics).filter(
    ([name]) => !/^(http_req_|iteration_duration)[^{]*$/.test(name),
  );
  writeFileSync(join(to, 'summary.json'), `${JSON.stringify({ ...summary, metrics: Object.fromEntries(wanted) })}\n`);
}
