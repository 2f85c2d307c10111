import { attempt } from './attempt.js';
import { parseDuration } from './durations.js';
import type { Path, Report } from './error.js';
import { isTable, mergeTables } from './profile.js';
import type { TomlTable } from './toml.js';

/** Where the load of an environment is made, when that is not this machine. */
export type Kubernetes = {
  /** pods, each with a segment of the load */
  parallelism: number;
  /** that has `benchfolio` and k6 in it */
  image: string;
  /** null: that of the context */
  namespace: string | null;
  /** of the kubeconfig; null: the current one */
  context: string | null;
  /** of each pod */
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  node_selector: Record<string, string>;
  /** as Kubernetes has them */
  tolerations: Toleration[];
  /** null: the namespace's default; its token is mounted in neither case */
  service_account: string | null;
  /** of pods, beside ours */
  labels: Record<string, string>;
  image_pull_secrets: string[];
  /** null: the archive travels in ConfigMaps */
  archive_volume: ArchiveVolume | null;
  start_timeout_s: number;
};

type Toleration = { key?: string; operator?: string; value?: string; effect?: string; tolerationSeconds?: number };

/** claim: of the pods; folder: where the same volume is here */
type ArchiveVolume = { claim: string; folder: string };

type Generators = { kubernetes: Kubernetes };

/** The resources of pods by default: they are to be scheduled where there is room for them. */
const usual = { requests: { cpu: '1', memory: '1Gi' }, limits: {} };

/**
 * bench.toml's lies under an environment's. Pods do not reach what is started on this machine: bench.toml's is meant for
 * environments that start nothing, and only an environment's own can be wrong.
 * @param environment as written
 * @param everywhere bench.toml's [generators]
 * @returns the environment
 */
export function withGenerators(environment: TomlTable, everywhere: TomlTable | undefined): TomlTable {
  const own = environment.generators?.kubernetes;
  const shared = everywhere?.kubernetes;
  const startsHere = environment.services?.length || environment.network;
  if (!shared || own === false || (own === undefined && startsHere)) return environment;
  return { ...environment, generators: { kubernetes: mergeTables(shared, own ?? {}) } };
}

/**
 * @param written an environment's, over bench.toml's
 * @param around of the environment
 * @returns null: k6 runs on this machine
 */
export function readGenerators(
  written: TomlTable | undefined,
  { services, network }: { services: readonly unknown[]; network: unknown },
  path: Path,
  report: Report,
): Generators | null {
  if (!isTable(written?.kubernetes)) return null;
  const { kubernetes } = written;
  const at = [...path, 'kubernetes'];
  for (const key of ['parallelism', 'image']) {
    if (kubernetes[key] === undefined) report(at, `kubernetes has no "${key}"`, hints[key], 'key');
  }
  if (services.length > 0) {
    report(
      at,
      'pods cannot reach the services that this environment starts on this machine',
      'Load from a cluster goes to an address that it can reach: an environment with a url, and without services.',
      'key',
    );
  }
  if (network) {
    report(
      at,
      'the network of pods cannot be shaped: it is not on this machine',
      'Drop network, or kubernetes.',
      'key',
    );
  }
  const { start_timeout = '5m', resources = {} } = kubernetes;
  const timeoutAt = [...at, 'start_timeout'];
  return {
    kubernetes: {
      parallelism: kubernetes.parallelism ?? 1,
      image: kubernetes.image ?? '',
      namespace: kubernetes.namespace ?? null,
      context: kubernetes.context ?? null,
      resources: {
        requests: texts(resources.requests ?? (resources.limits ? {} : usual.requests)),
        limits: texts(resources.limits ?? usual.limits),
      },
      node_selector: texts(kubernetes.node_selector ?? {}),
      tolerations: kubernetes.tolerations ?? [],
      service_account: kubernetes.service_account ?? null,
      labels: texts(kubernetes.labels ?? {}),
      image_pull_secrets: kubernetes.image_pull_secrets ?? [],
      archive_volume: kubernetes.archive_volume ?? null,
      start_timeout_s: attempt(() => parseDuration(start_timeout), timeoutAt, report) ?? 300,
    },
  };
}

const hints: Record<string, string> = {
  parallelism: 'Say how many pods share the load: parallelism = 4.',
  image: 'Name an image with benchfolio and k6 in it: `make image` builds one.',
};

/** Numbers are written without quotes: { cpu = 2 }. */
const texts = (table: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, String(value)]));
