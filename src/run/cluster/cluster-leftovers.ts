import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeJson } from '../../base/io/files.js';
import { contextArguments, kubectl } from './kubectl.js';
import { labelsOf } from './pod-names.js';

/** In a run's folder: in which clusters it makes pods. */
const noteFile = 'clusters.json';

/** A cluster. */
type Used = { context: string | null; namespace: string };

/**
 * Notes a cluster before anything is made in it, so that the next command finds what a killed run left there.
 * @param folder of the run
 */
export async function noteCluster(folder: string, used: Used) {
  const known = notedIn(folder);
  if (known.some(({ context, namespace }) => context === used.context && namespace === used.namespace)) return;
  await writeJson(join(folder, noteFile), [...known, used]);
}

/** @param folder of a run */
function notedIn(folder: string): Used[] {
  const file = join(folder, noteFile);
  if (!existsSync(file)) return [];
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return []; // written whole or not at all: somebody else's
  }
}

/**
 * Deletes what a dead run left in clusters: its Jobs, and with them all that they own. Where a cluster is not reached, their own
 * time limits do.
 * @param folder of the run
 * @returns what was deleted, for people
 */
export function removeFromClusters(
  folder: string,
  { run, bench, env }: { run: string; bench: string; env: NodeJS.ProcessEnv },
): string[] {
  const selector = Object.entries(labelsOf({ run, bench }))
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  return notedIn(folder).flatMap(({ context, namespace }) => {
    const clusterArguments = [...contextArguments({ context, namespace }), `--namespace=${namespace}`];
    try {
      const options = ['--cascade=background', '--wait=false', '--output=name', '--request-timeout=10s'];
      const { ok, stdout, stderr } = kubectl(
        ['delete', 'jobs', `--selector=${selector}`, ...options, ...clusterArguments],
        env,
      );
      if (!ok) return [`could not delete its Jobs in ${namespace}: ${stderr.split('\n')[0]}; they end by themselves`];
      return stdout
        .split('\n')
        .filter(Boolean)
        .map((name) => `deleted ${name} in ${namespace}`);
    } catch (error) {
      return [`could not delete its Jobs in ${namespace}: ${(error as Error).message}; they end by themselves`];
    }
  });
}
