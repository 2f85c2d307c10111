// Load by pods, against a real cluster of one node: etcd, the API server, the controller manager, the scheduler and the
// kubelet, built from their Go modules (cluster/go.mod), with this machine's containerd.
//
//   node test/make/cluster.js
//
// Everything runs in namespaces of its own (processes, mounts, network) and ends with the first of its processes, however
// that ends; a tree of cgroups and a folder are left then, and removed here.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../dist/base/tools/find-tool.js';
import { root } from '../support/cli.js';
import { noDocker } from '../support/containers.js';
import { skip } from '../support/skip.js';
import { cgroupParent, image, pause } from './cluster/names.js';
import { baseImage } from './image/base.js';

const modules = join(root, 'test', 'make', 'cluster');
const kubernetes = 'k8s.io/kubernetes';
/** Names of programs, and what they are built from. */
const programs = {
  ...Object.fromEntries(
    ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kubectl'].map((name) => [
      name,
      `${kubernetes}/cmd/${name}`,
    ]),
  ),
  etcd: 'go.etcd.io/etcd/server/v3',
};
/** Debian has them in containernetworking-plugins. */
const networkPlugins = '/usr/lib/cni';
/** Where the network's plugins and the kubelet write, whatever they are asked. */
const mountPoints = ['/var/lib/cni', '/var/log/containers'];

const started = performance.now();
/** @param {string} text */
const say = (text) => console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`);

const needed = ['containerd', 'ctr', 'runc', 'ip', 'iptables', 'openssl', 'unshare', 'go'];
const missing = needed.filter((name) => findProgram(name, process.env) === null);
if (process.getuid?.() !== 0) skip('it takes root');
if (noDocker) skip(noDocker);
if (missing.length) skip(`there is no ${missing.join(', ')}`);
if (!existsSync(networkPlugins)) skip('there are no plugins for its network (Debian: containernetworking-plugins)');

const bin = build();
const base = baseImage(say);
if ('lack' in base) skip(base.lack);
const folder = mkdtempSync(join(tmpdir(), 'benchfolio-cluster-'));
const made = mountPoints.filter((place) => mkdirSync(place, { recursive: true }) !== undefined);
try {
  saveImages(base.image);
  for (const place of cgroups()) mkdirSync(place, { recursive: true });
  process.exitCode = await runInside();
} finally {
  removeCgroups();
  for (const place of made) rmdirSync(place);
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Builds what is not there yet, for each version of Kubernetes once (a quarter of an hour on two cores).
 * @returns {string} the folder of the programs
 */
function build() {
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false' };
  const go = (/** @type {string[]} */ ...args) => execFileSync('go', args, { cwd: modules, env, encoding: 'utf8' });
  const version = go('list', '-m', '-f', '{{.Version}}', kubernetes).trim();
  const place = join(root, '.tools', 'kubernetes', version);
  mkdirSync(place, { recursive: true });
  const [, major, minor] = version.match(/^v(\d+)\.(\d+)\./) ?? [];
  const stamp = 'k8s.io/component-base/version.git';
  const flags = `-s -w -X ${stamp}Version=${version} -X ${stamp}Major=${major} -X ${stamp}Minor=${minor}`;
  for (const [name, source] of Object.entries(programs)) {
    if (existsSync(join(place, name))) continue;
    say(`builds ${name}`);
    go('build', '-trimpath', '-ldflags', flags, '-o', join(place, `.${name}`), source);
    execFileSync('mv', [join(place, `.${name}`), join(place, name)]);
  }
  say(`Kubernetes ${version}`);
  return place;
}

/** Ours, and the one that holds a pod's network. @param {string} baseOfOurs */
function saveImages(baseOfOurs) {
  const make = spawnSync('make', ['--no-print-directory', 'image', `BASE=${baseOfOurs}`, `IMAGE=${image}`], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (make.status !== 0) throw new Error(`${make.stdout}${make.stderr}`);
  const context = join(folder, 'pause');
  mkdirSync(context);
  const env = { ...process.env, CGO_ENABLED: '0', GO111MODULE: 'off' };
  execFileSync('go', ['build', '-o', join(context, 'pause'), join(modules, 'pause', 'main.go')], { env });
  writeFileSync(join(context, 'Dockerfile'), 'FROM scratch\nCOPY pause /\nENTRYPOINT ["/pause"]\n');
  execFileSync('docker', ['build', '--quiet', '--tag', pause, context], { stdio: 'ignore' });
  execFileSync('docker', ['save', '--output', join(folder, 'images.tar'), image, pause]);
  spawnSync('docker', ['rmi', image, pause]);
  say(`images, ${(statSync(join(folder, 'images.tar')).size / 1e6).toFixed(0)} MB`);
}

/** @returns {Promise<number>} what the tests ended with */
async function runInside() {
  const own = ['--pid', '--mount', '--net', '--uts', '--ipc', '--fork', '--kill-child', '--mount-proc'];
  const inside = [process.execPath, join(modules, 'inside.js'), folder, bin];
  const child = spawn('unshare', [...own, ...inside], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

/** Above those of pods, one for each controller of cgroup v1, or one. @returns {string[]} */
function cgroups() {
  const top = '/sys/fs/cgroup';
  if (existsSync(join(top, 'cgroup.controllers'))) return [join(top, cgroupParent)];
  return readdirSync(top).map((controller) => join(top, controller, cgroupParent));
}

/** They are empty by now. */
function removeCgroups() {
  const remove = (/** @type {string} */ place) => {
    for (const { name } of readdirSync(place, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
      remove(join(place, name));
    rmdirSync(place);
  };
  for (const place of cgroups()) if (existsSync(place)) remove(place);
}
