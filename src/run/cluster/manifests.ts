import type { Kubernetes } from '../../suite/cases/generators.js';
import type { Cargo } from './cluster-archive.js';

/**
 * The objects of a round: a Job whose pods make the load, ConfigMaps with the archive, a Secret with what is secret. All
 * of them go with the Job, which owns the others.
 */
export type Manifest = Record<string, any>;

type Named = { name: string; labels: Record<string, string> };

/** The container that makes the load. */
export const container = 'generate';

/** Where k6 takes commands in a pod. */
export const port = 6565;

/** The annotation that says which of the Job's pods one is. */
export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';

/** Seconds that an ended Job stays when nothing deletes it. */
const kept_s = 600;

/** A user without rights and without a name. */
const nobody = 65_532;

/** What pods may write to: all else of them is read-only. It is the image's working directory. */
export const scratch = '/work';

/**
 * @param given limit_s: the longest that it may take, from its start; seed: of random values
 * @returns suspended: objects that its pods need are made once it is there to own them
 */
export function jobOf(
  kubernetes: Kubernetes,
  {
    name,
    labels,
    cargo,
    limit_s,
    seed,
  }: Named & { cargo: Pick<Cargo, 'chunks' | 'volume'>; limit_s: number; seed: string | null },
): Manifest {
  const { parallelism, archive_volume, start_timeout_s } = kubernetes;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels },
    spec: {
      suspend: true,
      completionMode: 'Indexed',
      completions: parallelism,
      parallelism,
      backoffLimit: 0,
      activeDeadlineSeconds: Math.ceil(limit_s),
      ttlSecondsAfterFinished: kept_s,
      template: {
        metadata: { labels: { ...kubernetes.labels, ...labels } },
        spec: {
          ...podOf(kubernetes),
          terminationGracePeriodSeconds: 5,
          containers: [
            {
              ...containerOf(kubernetes),
              command: ['sh', '-c', scriptOf({ parallelism, start_timeout_s, cargo, seed })],
              envFrom: [{ secretRef: { name } }],
              env: [
                { name: 'HOME', value: scratch },
                { name: 'TMPDIR', value: scratch },
              ],
              ports: [{ name: 'k6', containerPort: port }],
              volumeMounts: [
                { name: 'archive', mountPath: '/archive', readOnly: true },
                { name: 'scratch', mountPath: scratch },
              ],
            },
          ],
          volumes: [
            {
              name: 'archive',
              ...(archive_volume
                ? { persistentVolumeClaim: { claimName: archive_volume.claim, readOnly: true } }
                : { projected: { sources: cargo.chunks.map((_, i) => ({ configMap: { name: `${name}-${i}` } })) } }),
            },
            { name: 'scratch', emptyDir: {} },
          ],
        },
      },
    },
  };
}

/** What pods of a Job and runners of k6-operator have alike. */
const podOf = ({ node_selector, tolerations, service_account, image_pull_secrets }: Kubernetes) => ({
  restartPolicy: 'Never',
  automountServiceAccountToken: false,
  ...(service_account !== null && { serviceAccountName: service_account }),
  ...(Object.keys(node_selector).length > 0 && { nodeSelector: node_selector }),
  ...(tolerations.length > 0 && { tolerations }),
  ...(image_pull_secrets.length > 0 && { imagePullSecrets: image_pull_secrets.map((name) => ({ name })) }),
  securityContext: podSecurity,
});

export const podSecurity = {
  runAsNonRoot: true,
  runAsUser: nobody,
  runAsGroup: nobody,
  fsGroup: nobody,
  seccompProfile: { type: 'RuntimeDefault' },
};

const containerOf = ({ image, resources }: Kubernetes) => ({
  name: container,
  image,
  resources: resourcesOf(resources),
  securityContext: containerSecurity,
});

export const containerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/** Without what is empty. */
export const resourcesOf = (resources: Kubernetes['resources']) =>
  Object.fromEntries(Object.entries(resources).filter(([, table]) => Object.keys(table).length > 0));

/**
 * What a pod runs: it unpacks the archive and plays its part of it.
 * @returns for sh
 */
function scriptOf({
  parallelism,
  start_timeout_s,
  cargo,
  seed,
}: {
  parallelism: number;
  start_timeout_s: number;
  cargo: Pick<Cargo, 'volume'>;
  seed: string | null;
}): string {
  const archive = cargo.volume ? `/archive/${cargo.volume.file}` : `${scratch}/case.tar`;
  const unpack = cargo.volume ? '' : `cat /archive/* | gzip -dc > ${archive} && `;
  const options = [
    `--part $((JOB_COMPLETION_INDEX + 1))/${parallelism}`,
    `--output ${scratch}/results`,
    `--paused --address 0.0.0.0:${port} --print-results`,
    `--start-timeout ${Math.ceil(start_timeout_s)}s`, // the first may wait for the last so long
    ...(seed === null ? [] : [`--seed '${seed.replaceAll("'", "'\\''")}'`]),
  ];
  return `${unpack}exec benchfolio generate ${archive} ${options.join(' ')}`;
}

/** @param given owner: the Job as the cluster has it */
export const configMapsOf = (
  { name, labels, owner }: Named & { owner: Manifest },
  chunks: readonly Buffer[],
): Manifest[] =>
  chunks.map((chunk, i) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${name}-${i}`, labels, ownerReferences: [ownedBy(owner)] },
    immutable: true,
    binaryData: { [`archive.${String(i).padStart(3, '0')}`]: chunk.toString('base64') },
  }));

/** @param variables of the environment */
export const secretOf = (
  { name, labels, owner }: Named & { owner: Manifest },
  variables: Record<string, string>,
): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, labels, ownerReferences: [ownedBy(owner)] },
  immutable: true,
  type: 'Opaque',
  data: Object.fromEntries(
    Object.entries(variables).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  ),
});

const ownedBy = ({ metadata: { name, uid } }: Manifest) => ({ apiVersion: 'batch/v1', kind: 'Job', name, uid });
