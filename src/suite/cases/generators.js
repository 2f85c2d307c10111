import { attempt } from './attempt.js';
import { parseDuration } from './durations.js';
import { isTable, mergeTables } from './profile.js';

/** @import { Path, Report } from './error.js' */
/** @import { TomlTable } from './toml.js' */

/**
 * Where the load of an environment is made, when that is not this machine.
 *
 * @typedef {object} Kubernetes
 * @property {number} parallelism pods, each with a segment of the load
 * @property {string} image that has `benchfolio` and k6 in it
 * @property {string | null} namespace null: that of the context
 * @property {string | null} context of the kubeconfig; null: the current one
 * @property {{ requests: Record<string, string>, limits: Record<string, string> }} resources of each pod
 * @property {Record<string, string>} node_selector
 * @property {Toleration[]} tolerations as Kubernetes has them
 * @property {string | null} service_account null: the namespace's default; its token is mounted in neither case
 * @property {Record<string, string>} labels of pods, beside ours
 * @property {string[]} image_pull_secrets
 * @property {ArchiveVolume | null} archive_volume null: the archive travels in ConfigMaps
 * @property {number} start_timeout_s
 *
 * @typedef {{ key?: string, operator?: string, value?: string, effect?: string, tolerationSeconds?: number }} Toleration
 * @typedef {{ claim: string, folder: string }} ArchiveVolume claim: of the pods; folder: where the same volume is here
 * @typedef {{ kubernetes: Kubernetes }} Generators
 */

/** What pods are given when nothing is said: they are to be scheduled where there is room for them. */
const usual = { requests: { cpu: '1', memory: '1Gi' }, limits: {} };

/**
 * bench.toml's lies under an environment's. Pods do not reach what is started on this machine: bench.toml's is meant for
 * environments that start nothing, and only an environment's own can be wrong.
 * @param {TomlTable} environment as written
 * @param {TomlTable | undefined} everywhere bench.toml's [generators]
 * @returns {TomlTable} the environment
 */
export function withGenerators(environment, everywhere) {
  const own = environment.generators?.kubernetes;
  const shared = everywhere?.kubernetes;
  const startsHere = environment.services?.length || environment.network;
  if (!shared || own === false || (own === undefined && startsHere)) return environment;
  return { ...environment, generators: { kubernetes: mergeTables(shared, own ?? {}) } };
}

/**
 * @param {TomlTable | undefined} written an environment's, over bench.toml's
 * @param {{ services: readonly unknown[], network: unknown }} around of the environment
 * @param {Path} path
 * @param {Report} report
 * @returns {Generators | null} null: k6 runs on this machine
 */
export function readGenerators(written, { services, network }, path, report) {
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

/** @type {Record<string, string>} */
const hints = {
  parallelism: 'Say how many pods share the load: parallelism = 4.',
  image: 'Name an image with benchfolio and k6 in it: `make image` builds one.',
};

/** Numbers are written without quotes: { cpu = 2 }. @param {Record<string, unknown>} table */
const texts = (table) => Object.fromEntries(Object.entries(table).map(([key, value]) => [key, String(value)]));
