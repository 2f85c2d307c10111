import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTemporaryFolder } from '../../base/io/files.js';
import { endCommand, type Running, startCommand } from '../../base/process/command.js';
import { CaseFailure, Interrupted } from '../../base/process/failure.js';
import { openLog } from '../../base/process/log.js';
import type { Run } from '../run-context.js';
import { type ClusterContext, contextArguments, findKubectl, namespaceOf } from './kubectl.js';
import { type Client, ClusterError, clientOf } from './kubernetes-client.js';

/** Milliseconds until the cluster must have answered: a plugin may log in first. */
const ready_ms = 30_000;

/**
 * Opens the API of a cluster: kubectl lets us in by a socket that only this user can reach.
 * @param folder for its log
 * @throws {CaseFailure | Interrupted | UserError} there is no kubectl, or no cluster that answers
 */
export async function openCluster(
  cluster: ClusterContext,
  folder: string,
  run: Run,
): Promise<{ client: Client; close: () => Promise<void> }> {
  const path = findKubectl(run.env);
  const namespace = namespaceOf(cluster, run.env);
  const home = makeTemporaryFolder(); // a path below .bench may be too long for a socket
  const socket = join(home, 'api');
  const log = openLog(join(folder, 'kubectl.log'), { bounded: true });
  const argv = [path, 'proxy', `--unix-socket=${socket}`, ...contextArguments(cluster)];
  const client = clientOf({ socket, namespace });
  let running: Running | null = null;
  const close = async () => {
    client.close();
    if (running) await endCommand(running, 'SIGTERM', 2000);
    log.close();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    running = await startCommand({ name: 'kubectl', argv, cwd: run.root, env: run.env, log }, run);
    await answering(client, running, run);
    return { client, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function answering(client: Client, running: Running, run: Run) {
  const until = performance.now() + ready_ms;
  let problem = 'it did not begin to serve';
  let pause_ms = 20;
  while (performance.now() < until && running.exit === null) {
    if (run.interrupt.asked) throw new Interrupted();
    try {
      await client.send('GET', '/version');
      return;
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      problem = error.message;
      await sleep(pause_ms);
      pause_ms = Math.min(2 * pause_ms, 1000);
    }
  }
  throw new CaseFailure(`kubectl reaches no cluster: ${running.exit ? 'it ended' : problem}`, {
    log: running.log,
    hint: 'Try `kubectl get pods` with the same context; KUBECONFIG says where its configuration is.',
  });
}
