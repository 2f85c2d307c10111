import { spawnSync } from 'node:child_process';
import { exitCodes, UserError } from '../../base/errors.js';
import { findProgram } from '../../base/tools/find-tool.js';
import type { Kubernetes } from '../../suite/cases/generators.js';

export type ClusterContext = Pick<Kubernetes, 'namespace' | 'context'>;

/** Milliseconds that kubectl may take to read its configuration, or to delete. */
const limit_ms = 20_000;

/**
 * Finds kubectl: it knows kubeconfig, contexts, plugins that log in, proxies, and the cluster that it runs in.
 * @returns its path
 * @throws {UserError} code 4: there is none
 */
export function findKubectl(env: NodeJS.ProcessEnv): string {
  const found = findProgram('kubectl', env);
  if (found !== null) return found;
  throw new UserError('there is no kubectl on PATH', {
    code: exitCodes.error,
    hint: 'Load by Kubernetes needs it: https://kubernetes.io/docs/tasks/tools/',
  });
}

export const contextArguments = ({ context }: ClusterContext): string[] =>
  context === null ? [] : [`--context=${context}`];

/** Calls kubectl. */
export function kubectl(args: string[], env: NodeJS.ProcessEnv): { ok: boolean; stdout: string; stderr: string } {
  const path = findKubectl(env);
  const { status, stdout, stderr, error } = spawnSync(path, args, { env, encoding: 'utf8', timeout: limit_ms });
  return { ok: status === 0, stdout: stdout ?? '', stderr: (stderr || error?.message || '').trim() };
}

/**
 * The namespace that pods are started in: as asked, or that of the context.
 * @throws {UserError} code 4: there is no such context
 */
export function namespaceOf(cluster: ClusterContext, env: NodeJS.ProcessEnv): string {
  if (cluster.namespace !== null) return cluster.namespace;
  const args = ['config', 'view', '--minify', '--output=jsonpath={..namespace}', ...contextArguments(cluster)];
  const { ok, stdout, stderr } = kubectl(args, env);
  if (!ok && cluster.context !== null) {
    throw new UserError(`kubectl knows no context "${cluster.context}": ${stderr}`, {
      code: exitCodes.error,
      hint: '`kubectl config get-contexts` lists them.',
    });
  }
  return stdout.trim() || 'default'; // without a kubeconfig kubectl takes the cluster that it runs in
}
