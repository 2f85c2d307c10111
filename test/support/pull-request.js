// A pull request on a server that answers like GitHub, with a suite to tell it from.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { mainIn } from './cli.js';
import { comparisonOf, situations } from './comparisons.js';
import { githubServer, heads } from './github-server.js';
import { newSuite } from './runs.js';

export const worse = await comparisonOf(situations.worse);
export const pass = await comparisonOf(situations.pass);

/** Of a change that concerns no system. */
export const untouched = { ...pass, cases: [], verdict: 'inconclusive', exit: 3 };

/** Servers of the file that uses this. @type {Awaited<ReturnType<typeof githubServer>>[]} */
const servers = [];
after(() => Promise.all(servers.map((server) => server.close())));

/** A suite with the spec of the comparisons, an event, and a server. @param {{ event?: any, token?: string }} [given] */
export async function pullRequest({ event, token = 'workflow' } = {}) {
  const github = await githubServer();
  servers.push(github);
  const cwd = newSuite();
  mkdirSync(join(cwd, 'specs', 'shop'), { recursive: true });
  writeFileSync(join(cwd, 'specs', 'shop', 'spec.toml'), spec);
  writeFileSync(
    join(cwd, 'event.json'),
    JSON.stringify(
      event ?? {
        pull_request: { number: 7, head: { sha: heads.current } },
        repository: { id: 1 },
      },
    ),
  );
  const env = {
    GITHUB_TOKEN: token,
    GITHUB_API_URL: github.url,
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_EVENT_PATH: join(cwd, 'event.json'),
    GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
  };
  const where = { cwd, env };
  const fileOf = (/** @type {any} */ comparison) => {
    const file = join(cwd, `${comparison.verdict}-${comparison.time.replace(/\D/g, '')}.json`);
    writeFileSync(file, JSON.stringify(comparison));
    return file;
  };
  /** @param {any} comparison @param {string[]} [args] */
  const comment = (comparison, args = []) => mainIn(['comment', fileOf(comparison), ...args], where);
  const summary = () => readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8');
  return { github, where, cwd, fileOf, comment, summary };
}

const spec = `title = "Shop"
[environments.single]
url = "http://127.0.0.1:1"
[scenarios.search]
executor = "constant-vus"
[scenarios.search.thresholds]
memory_bytes = "max<300e6"
http_req_duration = [
  "p(50)<50",
  { expr = "p(95)<100" },
]
`;

/** The same, measured later: minutes past one. */
export const later = (/** @type {any} */ comparison, /** @type {number} */ minutes) => ({
  ...comparison,
  time: `2026-11-21T13:${String(minutes).padStart(2, '0')}:00.000Z`,
});

/** The event of a run that a fork's pull request started. @param {any} [run] */
export const workflowRun = (run) => ({
  repository: { id: 1 },
  workflow_run: {
    event: 'pull_request',
    head_sha: heads.current,
    head_branch: 'faster',
    pull_requests: [],
    head_repository: { full_name: 'bob/shop', owner: { login: 'bob' } },
    ...run,
  },
});
