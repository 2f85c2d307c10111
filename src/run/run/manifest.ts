import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes, UserError } from '../../base/errors.js';
import { makeTemporaryFolder } from '../../base/io/files.js';
import { removeTree } from '../../base/io/remove-tree.js';
import { findTool } from '../../base/tools/find-tool.js';
import type { World } from '../../base/world.js';
import type { Case } from '../../suite/cases/expand.js';
import type { Kubernetes } from '../../suite/cases/generators.js';
import { variablesOf as envNames } from '../../suite/run-placeholders.js';
import { loadSuite } from '../../suite/suite.js';
import { mostBytes, testRunOf } from '../cluster/test-run.js';
import { packCase } from '../generator/pack-case.js';
import { targetEnvironment } from '../generator/target-environment.js';
import { writeCase } from '../measure/case-file.js';
import { generatorCores } from '../session/cores.js';
import { definitionHash } from '../session/definition-hash.js';
import { playNatively, wantsNative } from '../session/player.js';
import { newSeed } from '../session/random-order.js';
import { headerOf } from '../session/run-header.js';
import { planRun } from '../session/select-cases.js';
import type { RunOptions } from './run-benchmark.js';

/**
 * Prints a TestRun of k6-operator for one case, in place of measuring it.
 * @param world what is to be done with it goes to its stderr
 * @returns 0
 * @throws {UserError} it is not one case, or one that the operator cannot run
 */
export async function printManifest(
  { seed = newSeed(), player, ...choice }: RunOptions,
  world: World,
): Promise<number> {
  const suite = loadSuite(world.cwd);
  const { toRun } = planRun(suite, { ...choice, player }, world);
  refuseUnfit(toRun);
  const k6 = await findTool('k6', { native: wantsNative(toRun, player) });
  const how = { native: k6.native, env: world.env, note: () => {} };
  const [benchCase] = player === 'javascript' ? toRun : playNatively(toRun, how);
  const { kubernetes } = benchCase.generators as NonNullable<Case['generators']>;
  const time = new Date();
  const name = nameOf(benchCase);
  const folder = makeTemporaryFolder();
  try {
    const run = { id: name, time, root: suite.root, env: world.env, k6_version: k6.version };
    const header = await headerOf(run, { seed, rounds: 1, profile: choice.profile ?? null });
    const measured = await writeCase(folder, benchCase, {
      root: suite.root,
      definition: definitionHash(benchCase, suite.root),
      header,
      generator: generatorCores([]),
    });
    const file = join(folder, `${name}.tar`);
    await packCase(measured, file, { k6: k6.path, root: suite.root });
    const archive = readFileSync(file);
    refuseLarge(archive, kubernetes);
    const variables = variablesOf(benchCase, seed);
    const secrets = secretNames(benchCase);
    const manifest = testRunOf({ kubernetes, name, archive, variables, secrets: secrets.length > 0 });
    world.stdout.write(`${JSON.stringify(manifest, null, 2)}\n`);
    for (const line of whatToDo(name, secrets, kubernetes)) world.stderr.write(`${line}\n`);
    return exitCodes.pass;
  } finally {
    removeTree(folder);
  }
}

/** What Kubernetes takes as a name. */
const nameOf = ({ system, environment, name }: Case) =>
  `benchfolio-${system}-${environment}-${name}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/-+$/, '');

function refuseUnfit(cases: readonly Case[]) {
  const [benchCase] = cases;
  if (cases.length !== 1) {
    throw new UserError(`--manifest takes one case, and these are ${cases.length}`, {
      hint: 'Choose one with --env, --scenario and, of a sweep, --set name=value.',
    });
  }
  if (benchCase.generators === null) {
    throw new UserError(`nothing says which pods make the load of environment "${benchCase.environment}"`, {
      hint: 'Say it there: generators = { kubernetes = { parallelism = 4, image = "…" } }.',
    });
  }
  if (benchCase.after_ready.length > 0) {
    throw new UserError('k6-operator knows no steps before the load, and this environment has after_ready', {
      hint: '`benchfolio run` without --manifest does them.',
    });
  }
}

function refuseLarge(archive: Buffer, { archive_volume }: Pick<Kubernetes, 'archive_volume'>) {
  if (archive_volume || archive.length <= mostBytes) return;
  throw new UserError(`the archive has ${archive.length} bytes, and a ConfigMap takes ${mostBytes} of it`, {
    code: exitCodes.error,
    hint: 'k6-operator takes no packed one. Name a volume: archive_volume = { claim = "…", folder = "…" }.',
  });
}

/** Whether where requests go is secret. */
const hidesAddress = ({ url, hosts }: Case) => [url, ...hosts].some((text) => text.includes('${'));

/** What each runner has in its environment, that may be read by everybody. */
const variablesOf = (benchCase: Case, seed: number): Record<string, string> => ({
  ...(hidesAddress(benchCase) ? {} : addressOf(benchCase)),
  SEED: String(seed),
});

/** The variables of a script are in the archive. */
function addressOf({ env, ...benchCase }: Case) {
  const values = { env: {}, specDir: '', runDir: '', ports: {} };
  return targetEnvironment([{ url: benchCase.url, hosts: benchCase.hosts, ready: {}, values }], benchCase);
}

/** Variables that a Secret must have. */
const secretNames = (benchCase: Case): string[] => [
  ...envNames(benchCase),
  ...(hidesAddress(benchCase) ? ['BASE_URL', 'BASE_HOSTS'] : []),
];

/** @returns lines */
const whatToDo = (name: string, secrets: readonly string[], { archive_volume, parallelism }: Kubernetes): string[] => [
  'Apply it: … | kubectl apply -f -',
  ...(secrets.length === 0
    ? []
    : [
        `Before: kubectl create secret generic ${name} ${secrets.map((secret) => `--from-literal=${secret}=…`).join(' ')}`,
      ]),
  ...(archive_volume ? [`Before: benchfolio archive …, and the file as ${name}.tar into ${archive_volume.claim}`] : []),
  `Its ${parallelism} pods print their results: keep each log, and give all of them to benchfolio merge.`,
];
