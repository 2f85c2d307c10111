import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { chunksOf } from '../../dist/run/cluster/cluster-archive.js';
import { configMapsOf, jobOf, secretOf } from '../../dist/run/cluster/manifests.js';
import { jobNameOf, labelsOf } from '../../dist/run/cluster/pod-names.js';
import { kubernetesOf } from './kubernetes.js';

const labels = labelsOf({ run: '20260101T000000Z-1', bench: '/suite/.bench' });
const given = { name: 'benchfolio-x', labels, limit_s: 400.2, seed: "7 it's/case" };
const cargo = { chunks: [Buffer.from('a'), Buffer.from('b')], volume: null };
const job = (/** @type {object} */ keys = {}, of = cargo) => jobOf(kubernetesOf(keys), { ...given, cargo: of });

describe('a Job', () => {
  it('has a pod for each segment, none of them twice, and ends by itself', () => {
    const { spec, metadata } = job();
    const { template, ...rest } = spec;
    assert.deepEqual(rest, {
      suspend: true,
      completionMode: 'Indexed',
      completions: 4,
      parallelism: 4,
      backoffLimit: 0,
      activeDeadlineSeconds: 401,
      ttlSecondsAfterFinished: 600,
    });
    assert.equal(template.spec.restartPolicy, 'Never');
    assert.equal(metadata.labels['app.kubernetes.io/managed-by'], 'benchfolio');
    assert.equal(metadata.labels['benchfolio.dev/run'], '20260101T000000Z-1');
  });
  it('has pods without rights', () => {
    const pod = job().spec.template.spec;
    const [{ securityContext }] = pod.containers;
    assert.equal(pod.automountServiceAccountToken, false);
    assert.ok(pod.securityContext.runAsNonRoot && securityContext.readOnlyRootFilesystem);
    assert.deepEqual(
      [securityContext.allowPrivilegeEscalation, securityContext.capabilities],
      [false, { drop: ['ALL'] }],
    );
  });
  it('has what the spec asks for, and no secret', () => {
    const keys = {
      node_selector: { pool: 'load' },
      tolerations: [{ key: 'load', operator: 'Exists' }],
      service_account: 'load',
      labels: { team: 'shop', 'benchfolio.dev/run': 'mine' },
      image_pull_secrets: ['registry'],
      resources: { requests: { cpu: '2' }, limits: {} },
    };
    const { metadata, spec } = job(keys).spec.template;
    assert.deepEqual(
      [spec.nodeSelector, spec.tolerations, spec.serviceAccountName, spec.imagePullSecrets],
      [{ pool: 'load' }, [{ key: 'load', operator: 'Exists' }], 'load', [{ name: 'registry' }]],
    );
    assert.deepEqual(spec.containers[0].resources, { requests: { cpu: '2' } });
    assert.deepEqual([metadata.labels.team, metadata.labels['benchfolio.dev/run']], ['shop', '20260101T000000Z-1']);
    assert.deepEqual(spec.containers[0].envFrom, [{ secretRef: { name: 'benchfolio-x' } }]);
  });
  it('plays its part of the archive, whatever the seed is called', () => {
    const [{ command }] = job().spec.template.spec.containers;
    assert.match(
      command[2],
      /^cat \/archive\/\* \| gzip -dc > \/work\/case.tar && exec benchfolio generate \/work\/case.tar /,
    );
    assert.match(command[2], / --part \$\(\(JOB_COMPLETION_INDEX \+ 1\)\)\/4 /);
    assert.ok(command[2].endsWith(" --seed '7 it'\\''s/case'"), command[2]);
  });
  it('takes the archive of a volume where there is one', () => {
    const keys = { archive_volume: { claim: 'shared', folder: '/mnt' } };
    const { containers, volumes } = job(
      keys,
      /** @type {any} */ ({ chunks: [], volume: { claim: 'shared', file: 'x.tar' } }),
    ).spec.template.spec;
    assert.match(containers[0].command[2], /^exec benchfolio generate \/archive\/x.tar /);
    assert.deepEqual(volumes[0].persistentVolumeClaim, { claimName: 'shared', readOnly: true });
  });
});

describe('what a Job owns', () => {
  const owner = { metadata: { name: 'benchfolio-x', uid: 'u' } };
  it('goes with it', () => {
    const all = [
      ...configMapsOf({ ...given, owner }, cargo.chunks),
      secretOf({ ...given, owner }, { TOKEN: 'geheim' }),
    ];
    for (const { metadata } of all) assert.deepEqual(metadata.ownerReferences[0].uid, 'u');
    assert.deepEqual(
      all.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      ['ConfigMap benchfolio-x-0', 'ConfigMap benchfolio-x-1', 'Secret benchfolio-x'],
    );
    assert.equal(Buffer.from(all[2].data.TOKEN, 'base64').toString(), 'geheim');
  });
  it('is an archive in pieces that a ConfigMap takes, in the order of their names', () => {
    const archive = randomBytes(2_500_000);
    const chunks = chunksOf(archive);
    const maps = configMapsOf({ ...given, owner }, chunks);
    assert.equal(maps.length, 3);
    for (const map of maps) assert.ok(JSON.stringify(map).length < 1.5e6);
    const pieces = maps.flatMap(({ binaryData }) => Object.entries(binaryData)).sort(([a], [b]) => (a < b ? -1 : 1));
    assert.ok(gunzipSync(Buffer.concat(pieces.map(([, text]) => Buffer.from(text, 'base64')))).equals(archive));
  });
  it('is not too much for a cluster', () =>
    assert.throws(() => chunksOf(randomBytes(17_000_000)), /17 MB, and ConfigMaps take 16 MB of one at the most/));
});

describe('names', () => {
  it('are those of pods, too, and of one round each', () => {
    const run = { id: '20260101T000000Z-1', folder: '/s/.bench/runs/1' };
    const [one, two] = ['1', '2'].map((round) => jobNameOf(run, `/s/.bench/runs/1/sys/env/case/round-${round}`));
    assert.match(one, /^[a-z][a-z0-9-]{1,50}$/);
    assert.notEqual(one, two);
  });
  it('tell machines and suites apart', () => {
    const [here, there] = ['/a/.bench', '/b/.bench'].map((bench) => labelsOf({ run: '1', bench }));
    assert.notDeepEqual(here, there);
    for (const value of Object.values(here)) assert.match(value, /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/);
  });
});
