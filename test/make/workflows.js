// Runs the workflows of this repository as they are, on this machine, by nektos/act and without Docker:
//
//   node test/make/workflows.js
//
// Benchmark measures a sample pull request, Benchmark report posts it to a server that answers like GitHub, on this machine too. What is
// GitHub's own is stood in for by test/support/workflows/: the store of artifacts is a folder, the cache is empty.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { comparisonProblem } from '../../src/records/index.js';
import { findTool, toolRequirements } from '../../src/tools/find.js';
import { root } from '../support/cli.js';
import { githubServer, heads } from '../support/github-server.js';

/** One case, short: whether the workflows work is asked, not how fast anything is. */
const options = '--quick --scenario hello --set rate=500 --blocks 2';

const scratch = mkdtempSync(join(tmpdir(), 'benchfolio-workflows-'));
const place = { repository: join(scratch, 'repository'), store: join(scratch, 'store'), bin: join(scratch, 'bin') };
const workflow = (/** @type {string} */ name) => join('.github', 'workflows', `${name}.yml`);

/** @param {string[]} args */
const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], { cwd: place.repository });

/** The working tree as a repository of its own, with a commit that changes one system. */
function samplePullRequest() {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0').filter((name) => name && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(place.repository, file)), { recursive: true });
    cpSync(join(root, file), join(place.repository, file), { verbatimSymlinks: true });
  }
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', 'https://github.com/acme/shop.git');
  git('add', '--all');
  git('commit', '--quiet', '--message=base');
  appendFileSync(join(place.repository, 'specs', 'express', 'app', 'app.js'), '// changed\n');
  git('commit', '--quiet', '--all', '--message=head');
}

/** What is built here already need not be built again: the action finds it on PATH. */
async function shareTools() {
  mkdirSync(place.bin);
  for (const tool of Object.values(toolRequirements)) {
    const found = await findTool(tool.name).catch(() => null); // else the action builds it
    if (found) symlinkSync(found.path, join(place.bin, tool.name === 'jq' ? 'jq' : tool.commands[0]));
  }
}

/** The actions that the workflows take from elsewhere, and what stands in for each here. */
function standIns() {
  const uses = [workflow('benchmark'), workflow('benchmark-report'), 'action.yml']
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const pins = new Set(uses.replace(/(actions\/[a-z-]+)\/[a-z]+@/g, '$1@').match(/actions\/[a-z-]+@[0-9a-f]{40}/g));
  const folderOf = (/** @type {string} */ pin) =>
    join(root, 'test', 'support', 'workflows', pin.slice('actions/'.length).split('@')[0]);
  return [...pins]
    .filter((pin) => existsSync(folderOf(pin)))
    .flatMap((pin) => ['--local-repository', `${pin}=${folderOf(pin)}`]);
}

/**
 * @param {string} name of the workflow
 * @param {string} event
 * @param {object} payload
 * @param {string[]} args
 * @returns {Promise<string>} what it printed
 */
async function act(name, event, payload, args = []) {
  const file = join(scratch, `${event}.json`);
  writeFileSync(file, JSON.stringify(payload));
  const child = spawn(
    'go',
    [
      '-C',
      join(root, 'test', 'tools', 'act'),
      'tool',
      'act',
      event,
      '--directory',
      place.repository,
      '--workflows',
      join(place.repository, workflow(name)),
      '--eventpath',
      file,
      '--platform',
      'ubuntu-24.04=-self-hosted',
      '--action-cache-path',
      join(scratch, 'act'),
      '--no-cache-server',
      '--env',
      `STORE=${place.store}`,
      ...standIns(),
      ...args,
    ],
    {
      env: { ...process.env, CGO_ENABLED: '0', PATH: `${place.bin}:${process.env.PATH}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part) => {
      text += part;
      process.stdout.write(part);
    });
  }
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0, `act ${name} ended with ${code}`);
  return text;
}

/** @param {string} url of the API @param {'requested' | 'completed'} action */
const report = (url, action) =>
  act(
    'benchmark-report',
    'workflow_run',
    {
      action,
      repository: { id: 1, full_name: 'acme/shop' },
      workflow_run: {
        id: 1,
        event: 'pull_request',
        conclusion: 'failure',
        head_sha: heads.current,
        head_branch: 'faster',
        html_url: 'https://github.example/runs/1',
        head_repository: { full_name: 'acme/shop', owner: { login: 'acme' } },
        pull_requests: [{ number: 7, base: { repo: { id: 1 } } }],
      },
    },
    ['--env', `GITHUB_API_URL=${url}`, '--secret', 'GITHUB_TOKEN=workflow'],
  );

const github = await githubServer();
try {
  samplePullRequest();
  await shareTools();

  const checks = () =>
    github.checkRuns.map(({ name, status, conclusion, head_sha }) => [name, status, conclusion, head_sha]);
  await report(github.url, 'requested');
  assert.deepEqual(checks(), [['benchfolio', 'in_progress', undefined, heads.current]]);
  await report(github.url, 'completed'); // a run that broke before there was a comparison
  assert.deepEqual(checks(), [['benchfolio', 'completed', 'failure', heads.current]]);
  assert.equal(github.comments.length, 0);

  const measured = await act('benchmark', 'pull_request', { pull_request: { number: 7 } }, [
    '--var',
    `BENCH_OPTIONS=${options}`,
  ]);
  assert.match(measured, /set-output:: systems=express\n/);
  const artifact = join(place.store, 'benchfolio');
  const comparison = JSON.parse(readFileSync(join(artifact, 'comparison.json'), 'utf8'));
  assert.equal(comparisonProblem(comparison), null);
  assert.deepEqual(
    comparison.cases.map((/** @type {any} */ one) => [one.system, one.case]),
    [['express', 'hello,rate=500']],
  );
  assert.equal(
    readdirSync(artifact, { recursive: true }).filter((file) => String(file).endsWith('record.json')).length,
    2 * 4, // of each side: solo, under load, at saturation, with age
  );

  await report(github.url, 'completed');
  const [comment, ...more] = github.comments;
  assert.deepEqual([comment.user.login, more], ['github-actions[bot]', []]);
  assert.match(comment.body, /express.*https:\/\/github\.example\/runs\/1/s);
  const [, last, ...others] = checks();
  assert.deepEqual([last.filter((_, i) => i !== 2), others], [['benchfolio', 'completed', heads.current], []]);
  console.log('\nBenchmark measured, and Benchmark report posted it.');
} finally {
  await github.close();
  rmSync(scratch, { recursive: true, force: true });
}
