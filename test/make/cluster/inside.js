// In namespaces of its own: starts a cluster of one node, runs the tests that need one, and ends; whatever it started ends with
// it, for it is process 1 of its namespace.
//
//   unshare … node test/make/cluster/inside.js <folder> <programs>
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../support/cli.js';
import { kubeconfig, makeCredentials } from './credentials.js';
import { cgroupParent, image, pause } from './names.js';
import { addresses, openNetwork } from './network.js';

/** @import { ChildProcess } from 'node:child_process' */

const [folder, bin] = process.argv.slice(2);
/** Until everything must run: one core is enough, slowly. */
const ready_s = 300;
const inFolder = (/** @type {string[]} */ ...names) => join(folder, ...names);
const write = (/** @type {string} */ name, /** @type {string} */ text) => {
  writeFileSync(inFolder(name), text);
  return inFolder(name);
};
/** @type {{ name: string, child: ChildProcess }[]} */
const running = [];

/** Starts a program, whose output is in a file of its name. @param {string} path @param {string[]} args */
function start(path, args) {
  const name = basename(path);
  const log = openSync(inFolder(`${name}.log`), 'w');
  const child = spawn(path, args, { stdio: ['ignore', log, log] });
  running.push({ name, child });
}

/** @param {string} what @param {() => boolean} is @param {number} [seconds] */
async function until(what, is, seconds = ready_s) {
  const end = performance.now() + seconds * 1000;
  while (!is()) {
    const ended = running.find(({ child }) => child.exitCode !== null || child.signalCode !== null);
    if (ended) throw new Error(`${ended.name} ended:\n${lastOf(ended.name)}`);
    if (performance.now() > end) throw new Error(`${what}: not after ${seconds} s\n${lastOf('kubelet')}`);
    await sleep(200);
  }
}

/** @param {string} name @returns {string} */
const lastOf = (name) =>
  readFileSync(inFolder(`${name}.log`), 'utf8')
    .split('\n')
    .slice(-12)
    .join('\n');

/** @param {string} program @param {string[]} args */
const works = (program, ...args) => {
  try {
    execFileSync(program, args, { stdio: 'pipe', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
};

const credentials = makeCredentials(folder);
const admin = write('admin.kubeconfig', kubeconfig('admin'));
const kubectl = join(bin, 'kubectl');
const cluster = (/** @type {string[]} */ ...args) =>
  execFileSync(kubectl, ['--kubeconfig', admin, ...args], { encoding: 'utf8' }).trim();

/** A cluster writes to places that cannot be chosen: here they are empty, and go with this process. */
function coverPlaces() {
  for (const place of ['/run', '/var/lib/cni', '/var/log/containers'])
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', place]);
  // The kubelet wants these settings of the kernel, and sets them for the whole machine where they are others.
  const wanted = { 'vm/overcommit_memory': 1, 'vm/panic_on_oom': 0, 'kernel/panic': 10, 'kernel/panic_on_oops': 1 };
  for (const [name, value] of Object.entries(wanted)) {
    const file = write(name.replace('/', '-'), `${value}\n`);
    execFileSync('mount', ['--bind', file, join('/proc/sys', name)]);
  }
}

function startControlPlane() {
  const { client, peer, api } = addresses;
  start(join(bin, 'etcd'), [
    `--data-dir=${inFolder('etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ]);
  start(join(bin, 'kube-apiserver'), [
    `--etcd-servers=${client}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${api}`,
    `--advertise-address=${addresses.node}`,
    `--cert-dir=${inFolder('api')}`,
    '--service-cluster-ip-range=10.96.0.0/24',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${credentials.publicKey}`,
    `--service-account-signing-key-file=${credentials.privateKey}`,
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    `--token-auth-file=${credentials.tokens}`,
    `--kubelet-client-certificate=${credentials.certificate}`,
    `--kubelet-client-key=${credentials.certificateKey}`,
    '--kubelet-preferred-address-types=InternalIP',
  ]);
}

function startControllers() {
  start(join(bin, 'kube-controller-manager'), [
    `--kubeconfig=${admin}`,
    `--service-account-private-key-file=${credentials.privateKey}`,
    '--leader-elect=false',
    '--secure-port=0',
  ]);
  start(join(bin, 'kube-scheduler'), [`--kubeconfig=${admin}`, '--leader-elect=false', '--secure-port=0']);
}

async function startNode() {
  const socket = '/run/containerd/containerd.sock'; // where the kubelet's cAdvisor looks
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  start('containerd', [
    '--config',
    write(
      'containerd.toml',
      `version = 2
root = "${inFolder('containerd')}"
state = "/run/containerd"
[grpc]
address = "${socket}"
[${cri}]
sandbox_image = "${pause}"
disable_apparmor = true
restrict_oom_score_adj = true
[${cri}.cni]
bin_dir = "/usr/lib/cni"
conf_dir = "${inFolder('cni')}"
`,
    ),
  ]);
  const ctr = ['--address', socket, '--namespace', 'k8s.io'];
  await until('containerd answers', () => works('ctr', ...ctr, 'version'));
  execFileSync('ctr', [...ctr, 'images', 'import', inFolder('images.tar')], { stdio: 'pipe' });
  const settings = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: addresses.node,
    healthzPort: 0,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: false },
      x509: { clientCAFile: credentials.certificate },
    },
    authorization: { mode: 'AlwaysAllow' },
    containerRuntimeEndpoint: `unix://${socket}`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${cgroupParent}`,
    failCgroupV1: false,
    failSwapOn: false,
    evictionHard: { 'memory.available': '100Mi' },
    enforceNodeAllocatable: [],
    volumePluginDir: inFolder('plugins'),
    podLogsDir: inFolder('logs'),
    resolvConf: '',
    syncFrequency: '2s',
  };
  start(join(bin, 'kubelet'), [
    `--config=${write('kubelet.json', JSON.stringify(settings))}`,
    `--kubeconfig=${write('kubelet.kubeconfig', kubeconfig('kubelet'))}`,
    `--root-dir=${inFolder('kubelet')}`,
    `--cert-dir=${inFolder('kubelet', 'pki')}`,
    `--hostname-override=${addresses.name}`,
    `--node-ip=${addresses.node}`,
  ]);
}

/** Nothing of a pod may be there when the processes end: their cgroups would stay. */
async function endPods() {
  cluster('delete', 'jobs,pods', '--all', '--all-namespaces', '--wait=true', '--timeout=60s');
  for (const { child } of running.toReversed()) {
    if (child.exitCode !== null) continue;
    child.kill('SIGTERM');
    await Promise.race([once(child, 'exit'), sleep(5000)]);
  }
}

process.on('SIGTERM', () => process.exit(143));
process.on('SIGINT', () => process.exit(130));
const began = performance.now();
const say = (/** @type {string} */ text) =>
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}`);

coverPlaces();
openNetwork(inFolder('cni'));
mkdirSync('/run/netns', { recursive: true });
startControlPlane();
await until('the API server is ready', () => works(kubectl, '--kubeconfig', admin, 'get', '--raw', '/readyz'));
startControllers();
await startNode();
await until('the node is ready', () =>
  /True/.test(cluster('get', 'nodes', '--output=jsonpath={.items[*].status.conditions[?(@.type=="Ready")].status}')),
);
await until('there is an account of services', () =>
  works(kubectl, '--kubeconfig', admin, 'get', 'serviceaccount', 'default'),
);
say(`the cluster is ready: ${cluster('get', 'nodes', '--no-headers')}`);

const tests = spawn(
  process.execPath,
  ['--test', '--test-reporter=tap', '--test-timeout=300000', '--test-concurrency=1', 'test/cluster/run.live.test.js'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${bin}:${process.env.PATH}`,
      KUBECONFIG: admin,
      KUBECTL: kubectl,
      CLUSTER_IMAGE: image,
      CLUSTER_HOST: addresses.gateway,
    },
  },
);
const [code] = await once(tests, 'exit');
if (code !== 0) console.log(cluster('get', 'events', '--all-namespaces', '--sort-by=.lastTimestamp'));
await endPods();
process.exit(code ?? 1);
