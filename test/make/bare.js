// README's commands on a machine that has nothing else: Debian 12 with Node.js, Go, git and make, an empty home, no jq, k6, nginx,
// Prometheus, Chromium, Docker, Java or PostgreSQL.
//
//   node test/make/bare.js                  # make demo, then make test
//   node test/make/bare.js make quick       # another command
//
// The machine is a folder (debootstrap, chroot: as root) with processes of its own. It prints the end of each command, and how long
// it took; a test that needs a program which is not there is to be skipped, by name.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../dist/base/tools/find-tool.js';
import { root } from '../support/cli.js';
import { skip } from '../support/skip.js';
import { skippedIn } from './stages.js';

const given = process.argv.slice(2);
const commands =
  given.length > 0
    ? [given]
    : [
        ['make', 'demo'],
        ['make', 'test'],
      ];
/** What a person with a clone has; the certificates and libstdc++6 are for Node.js. */
const packages = ['ca-certificates', 'git', 'libstdc++6', 'make', 'util-linux', 'procps'];

if (process.getuid?.() !== 0 || findProgram('debootstrap', process.env) === null)
  skip('it needs root, and debootstrap');
const machine = mkdtempSync(join(tmpdir(), 'benchfolio-bare-'));
process.on('exit', () => rmSync(machine, { recursive: true, force: true }));

const started = performance.now();
/** @param {string} text */
const say = (text) => console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`);

execFileSync('debootstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', machine], { stdio: 'ignore' });
const goRoot = execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim();
cpSync(goRoot, join(machine, 'usr/local/go'), { recursive: true });
cpSync(process.execPath, join(machine, 'usr/local/bin/node'));
const npm = join(execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim(), 'npm');
cpSync(npm, join(machine, 'usr/local/lib/node_modules/npm'), { recursive: true });
for (const name of ['npm', 'npx'])
  symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(machine, 'usr/local/bin', name));
// It asks whom this machine asks, and believes whom this one believes.
for (const file of ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'])
  writeFileSync(join(machine, file), readFileSync(file));
const clone = join(machine, 'root/benchfolio');
execFileSync('git', ['clone', '--quiet', '--no-local', root, clone]);
mkdirSync(join(machine, 'root/home'));
say(`Debian 12 with Node.js ${process.version}, Go, git and make`);

const kept = Object.entries(process.env).filter(([name]) =>
  /^(GOPROXY|npm_config_registry|.*_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name),
);
const env = {
  ...Object.fromEntries(kept),
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/go/bin',
  HOME: '/root/home',
  LANG: 'C.UTF-8',
};
// Processes and mounts of its own: what stays behind ends with them.
const mounts = 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount --rbind /sys "$1/sys"';
const enter = `${mounts} && root="$1" && shift && exec chroot "$root" sh -c 'cd /root/benchfolio && exec "$@"' sh "$@"`;
for (const command of commands) {
  const { status, stdout } = spawnSync(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', enter, 'sh', machine, ...command],
    { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 30 },
  );
  // Marked as another program's: a stage whose output has a skipped test among its own lines is not called ok (stages.js).
  for (const line of stdout.trimEnd().split('\n').slice(-25)) console.log(`| ${line}`);
  for (const failure of stdout.match(/^ *not ok [\s\S]*?\n *\.\.\.$/gm) ?? []) console.log(failure);
  for (const what of skippedIn(stdout)) console.log(`left out, as it should be: ${what}`);
  assert.equal(status, 0, `${command.join(' ')}: exit code ${status}`);
  say(command.join(' '));
}
