import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testRunOf } from '../../dist/run/cluster/test-run.js';
import { kubernetesOf } from './kubernetes.js';

// The fields of TestRun, k6.io/v1alpha1, as k6-operator's api/v1alpha1/testrun_types.go (2025) names them, written down by
// hand: the operator itself cannot be had here.
const fields = {
  spec: `script parallelism separate arguments ports initializer starter runner quiet paused scuttle cleanup cloud testRunId
    token`,
  script: 'volumeClaim configMap localFile',
  volumeClaim: 'name file readOnly',
  configMap: 'name file',
  pod: `disabled affinity automountServiceAccountToken env image imagePullSecrets imagePullPolicy metadata nodeSelector tolerations
    topologySpreadConstraints resources serviceAccountName securityContext containerSecurityContext envFrom readinessProbe
    livenessProbe initContainers volumes volumeMounts priorityClassName schedulerName`,
  podMetadata: 'annotations labels',
};

/** What the operator has as text, and one would write as a boolean. */
const texts = ['quiet', 'paused', 'automountServiceAccountToken'];

/** @param {object} table @param {keyof typeof fields} kind */
function assertFields(table, kind) {
  const known = fields[kind].split(/\s+/);
  for (const [key, value] of Object.entries(table)) {
    assert.ok(known.includes(key), `${kind} has no ${key}`);
    if (texts.includes(key)) assert.equal(typeof value, 'string', key);
  }
}

describe('a TestRun of k6-operator', () => {
  const wanted = {
    kubernetes: kubernetesOf({ service_account: 'load', labels: { team: 'shop' }, namespace: 'load' }),
    name: 'benchfolio-shop',
    archive: Buffer.from('tar'),
    variables: { BASE_URL: 'http://shop' },
    secrets: true,
  };
  const volume = { archive_volume: { claim: 'shared', folder: '/mnt' } };

  it('has no field that the operator has not', () => {
    for (const keys of [{}, volume]) {
      const { items } = testRunOf({ ...wanted, kubernetes: { ...wanted.kubernetes, ...keys } });
      const { apiVersion, kind, spec } = items.at(-1);
      assert.deepEqual([apiVersion, kind], ['k6.io/v1alpha1', 'TestRun']);
      assertFields(spec, 'spec');
      assertFields(spec.script, 'script');
      assertFields(spec.script.configMap ?? {}, 'configMap');
      assertFields(spec.script.volumeClaim ?? {}, 'volumeClaim');
      assertFields(spec.runner, 'pod');
      assertFields(spec.runner.metadata, 'podMetadata');
    }
  });
  it('takes the archive of its ConfigMap, by a name that k6 knows as an archive', () => {
    const [map, { spec }] = testRunOf(wanted).items;
    assert.deepEqual(Object.keys(map.binaryData), ['case.tar']);
    assert.deepEqual(spec.script.configMap, { name: map.metadata.name, file: 'case.tar' });
    assert.equal(map.metadata.namespace, 'load');
  });
  it('or of the volume', () => {
    const { items } = testRunOf({ ...wanted, kubernetes: kubernetesOf(volume) });
    assert.deepEqual(items[0].spec.script.volumeClaim, { name: 'shared', file: 'benchfolio-shop.tar', readOnly: true });
  });
  it('has our image leave its results, and secrets by name only', () => {
    const [, { spec }] = testRunOf(wanted).items;
    assert.ok(spec.runner.env.some((/** @type {any} */ { name }) => name === 'BENCHFOLIO_RESULTS'));
    assert.deepEqual(spec.runner.envFrom, [{ secretRef: { name: 'benchfolio-shop' } }]);
  });
});
