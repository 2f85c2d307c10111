import type { Kubernetes } from '../../suite/cases/generators.js';
import { containerSecurity, type Manifest, podSecurity, resourcesOf, scratch } from './manifests.js';

/**
 * A TestRun of k6-operator (k6.io/v1alpha1), for those who have it: the archive in a ConfigMap, and our image, whose `k6` leaves
 * and prints what `generate` does.
 * archive: a tar, as k6 takes it; variables: those that are not secret; secrets: a Secret of the same name has the others
 */
type TestRunSettings = {
  kubernetes: Kubernetes;
  name: string;
  archive: Buffer;
  variables: Record<string, string>;
  secrets: boolean;
};

/** Bytes that a ConfigMap may hold, its names included. */
export const mostBytes = 1_000_000;

/** The file of the archive: k6 knows by its ending that it is one. */
const file = 'case.tar';

/** @returns a List, which `kubectl apply -f -` takes */
export function testRunOf(settings: TestRunSettings): Manifest {
  const { kubernetes, name, archive } = settings;
  const { namespace, archive_volume } = kubernetes;
  const metadata = {
    name,
    ...(namespace !== null && { namespace }),
    labels: { 'app.kubernetes.io/managed-by': 'benchfolio' },
  };
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    binaryData: { [file]: archive.toString('base64') },
  };
  const testRun = {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata,
    spec: {
      parallelism: kubernetes.parallelism,
      script: archive_volume
        ? { volumeClaim: { name: archive_volume.claim, file: `${name}.tar`, readOnly: true } }
        : { configMap: { name, file } },
      quiet: 'false', // so that a log shows how far it is
      runner: runnerOf(settings),
    },
  };
  return { apiVersion: 'v1', kind: 'List', items: archive_volume ? [testRun] : [configMap, testRun] };
}

/** @param settings the operator's Pod, of which the initializer takes the same where it has none of its own */
const runnerOf = ({ kubernetes, name, variables, secrets }: TestRunSettings) => ({
  image: kubernetes.image,
  automountServiceAccountToken: 'false',
  metadata: { labels: kubernetes.labels },
  env: Object.entries({
    ...variables,
    BENCHFOLIO_RESULTS: `${scratch}/results`,
    HOME: scratch,
    TMPDIR: scratch,
  }).map(([key, value]) => ({ name: key, value })),
  ...(secrets && { envFrom: [{ secretRef: { name } }] }),
  resources: resourcesOf(kubernetes.resources),
  nodeSelector: kubernetes.node_selector,
  tolerations: kubernetes.tolerations,
  ...(kubernetes.service_account !== null && { serviceAccountName: kubernetes.service_account }),
  imagePullSecrets: kubernetes.image_pull_secrets.map((secret) => ({ name: secret })),
  securityContext: podSecurity,
  containerSecurityContext: containerSecurity,
  volumes: [{ name: 'scratch', emptyDir: {} }],
  volumeMounts: [{ name: 'scratch', mountPath: scratch }],
});
