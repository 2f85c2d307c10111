import { rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Case } from '../../suite/cases/expand.js';
import type { Kubernetes } from '../../suite/cases/generators.js';
import { variablesOf } from '../../suite/run-placeholders.js';
import type { CaseFile } from '../generator/k6.js';
import { packCase } from '../generator/pack-case.js';
import { type Target, targetEnvironment } from '../generator/target-environment.js';
import type { Run } from '../run-context.js';
import { cargoOf } from './cluster-archive.js';
import { noteCluster } from './cluster-leftovers.js';
import { type Client, ClusterError } from './kubernetes-client.js';
import { configMapsOf, jobOf, secretOf } from './manifests.js';
import { jobNameOf, labelsOf } from './pod-names.js';

/**
 * Packs a case, and makes the Job of a round with all that its pods need.
 * @param given limit_s: the longest that it may take
 * @returns end: deletes it, and what it owns
 * @throws {CaseFailure} it cannot be made: then nothing of it is left
 */
export async function startJob(
  measured: CaseFile,
  {
    client,
    kubernetes,
    limit_s,
    round,
  }: {
    client: Client;
    kubernetes: Kubernetes;
    limit_s: number;
    round: { folder: string; targets: readonly Target[]; part: number };
  },
  run: Run,
): Promise<{ name: string; end: () => Promise<void> }> {
  const name = jobNameOf(run, round.folder);
  const labels = labelsOf({ run: run.id, bench: dirname(dirname(run.folder)) });
  const archive = join(round.folder, 'case.tar');
  await packCase(measured, archive, run);
  const cargo = cargoOf(archive, name, kubernetes);
  rmSync(archive, { force: true });
  const seed = run.seed === undefined ? null : `${run.seed} ${relative(run.folder, round.folder)}`;
  const end = async () => {
    cargo.drop();
    try {
      await client.send('DELETE', `batch/jobs/${name}`, { body: { propagationPolicy: 'Background' } });
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      if (error.status !== 404) run.progress.note(`the Job ${name} stays until its time is up: ${error.message}`);
    }
  };
  await noteCluster(run.folder, { context: kubernetes.context, namespace: client.namespace });
  try {
    const manifest = jobOf(kubernetes, { name, labels, cargo, limit_s, seed });
    const owner = await client.send('POST', 'batch/jobs', { body: manifest });
    const variables = environmentOf(measured.benchCase, round.targets, run.env);
    await Promise.all([
      client.send('POST', 'core/secrets', { body: secretOf({ name, labels, owner }, variables) }),
      ...configMapsOf({ name, labels, owner }, cargo.chunks).map((body) =>
        client.send('POST', 'core/configmaps', { body }),
      ),
    ]);
    await client.send('PATCH', `batch/jobs/${name}`, {
      body: { spec: { suspend: false } },
      type: 'application/merge-patch+json',
    });
  } catch (error) {
    await end();
    throw error;
  }
  return { name, end };
}

/**
 * What pods have in their environment: where requests go, and the variables that the case asks for. All of it may be secret.
 */
const environmentOf = (
  benchCase: Case,
  targets: readonly Target[],
  env: NodeJS.ProcessEnv,
): Record<string, string> => ({
  ...Object.fromEntries(variablesOf(benchCase).map((name) => [name, env[name] ?? ''])),
  ...targetEnvironment(targets, benchCase),
});
