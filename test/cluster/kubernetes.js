/** @import { Kubernetes } from '../../dist/suite/cases/generators.js' */

/**
 * What an environment says of pods, with all that it does not say.
 * @param {Partial<Kubernetes>} keys
 * @returns {Kubernetes}
 */
export const kubernetesOf = (keys = {}) => ({
  parallelism: 4,
  image: 'registry.example.com/benchfolio:1',
  namespace: null,
  context: null,
  resources: { requests: { cpu: '1', memory: '1Gi' }, limits: {} },
  node_selector: {},
  tolerations: [],
  service_account: null,
  labels: {},
  image_pull_secrets: [],
  archive_volume: null,
  start_timeout_s: 300,
  ...keys,
});
