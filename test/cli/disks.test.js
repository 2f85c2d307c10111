// Disks that take no files: a sentence, and what to do.
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { refuseDead } from '../../dist/base/io/answering.js';
import { makeFolder } from '../../dist/base/io/files.js';
import { root } from '../support/cli.js';
import { scratchFolder } from '../support/scratch.js';
import { situations } from '../support/situations.js';

const bin = join(root, 'dist', 'cli', 'bin.js');
const own = spawnSync('unshare', ['-rm', 'true']).status !== 0 && 'this machine gives no namespaces of mounts';

/**
 * Runs a command where folders are read-only, or mounts of their own.
 * @param {string} mount a line of shell; $1 is the folder
 * @param {string} folder
 * @param {string[]} args
 * @param {{ cwd: string, HOME?: string }} where
 * @returns {Promise<{ code: unknown, said: string }>}
 */
const run = (mount, folder, args, { cwd, HOME = process.env.HOME }) =>
  new Promise((resolve) => {
    const line = `set -e; ${mount}; cd "$2"; shift 2; exec "$@"`;
    const words = ['-rm', 'sh', '-c', line, 'sh', folder, cwd, process.execPath, bin, ...args];
    const env = { ...process.env, HOME, XDG_CACHE_HOME: '', BOX_TOKEN: 'token' };
    execFile('unshare', words, { cwd: '/', env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? error?.signal ?? 0, said: stdout + stderr }),
    );
  });

const readOnly = 'mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"';

describe('a read-only disk', { concurrency: true, skip: own }, () => {
  for (const args of [['run', 'box', '--env', 'good', '--scenario', 'short'], ['site']]) {
    test(`${args[0]} in a repository on it`, async () => {
      const folder = await situations();
      const { code, said } = await run(readOnly, folder, args, { cwd: folder });
      assert.match(
        said,
        /^benchfolio: cannot write \S+: the disk is read-only\nRun in a folder that can be written to/m,
      );
      assert.equal(code, 4);
    });
  }

  test('duet with a HOME on it, as containers have', async () => {
    const folder = await situations();
    for (const words of [
      ['init', '-q'],
      ['add', '.'],
      ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'a'],
    ])
      spawnSync('git', words, { cwd: folder });
    writeFileSync(join(folder, 'changed'), ''); // else HEAD's files are there already
    const HOME = scratchFolder('home');
    const where = { cwd: folder, HOME };
    const { code, said } = await run(readOnly, HOME, ['duet', 'HEAD', 'box', '--env', 'good'], where);
    assert.match(said, /cannot write \S+: the disk is read-only/);
    assert.equal(code, 4);
    const proc = await run('true', HOME, ['duet', 'HEAD', 'box', '--env', 'good'], { cwd: folder, HOME: '/proc' });
    assert.match(proc.said, /cannot write \/proc\/\S+: /);
    assert.equal(proc.code, 4);
  });

  test('pages whose folder is a mount point', async () => {
    const folder = await situations();
    const pages = join(folder, 'public');
    mkdirSync(pages);
    const { code, said } = await run('mount -t tmpfs none "$1"', pages, ['site'], { cwd: folder });
    assert.match(said, /cannot write \S+public: it is a mount point, or in use\n/);
    assert.equal(code, 4);
  });
});

test('a folder that takes no folders is named, and tried once', () => {
  assert.throws(() => makeFolder('/proc/self/not/there'), { code: 4, message: /^cannot write \/proc\/self\/not: / });
  const folder = join(scratchFolder('made'), 'a', 'b');
  assert.equal(makeFolder(makeFolder(folder)), folder);
});

describe('a disk that does not answer', () => {
  /** A file system of FUSE that nobody serves: whoever looks at it waits. */
  const mount = `
import ctypes, os, sys
fd = os.open('/dev/fuse', os.O_RDWR)
options = f'fd={fd},rootmode=40000,user_id=0,group_id=0'.encode()
if ctypes.CDLL(None).mount(b'dead', sys.argv[1].encode(), b'fuse', 0, options): sys.exit(9)
print('mounted', flush=True)
sys.stdin.read()
ctypes.CDLL(None).umount2(sys.argv[1].encode(), 2)
`;

  test('a HOME on one ends any command, with a sentence', async (context) => {
    const HOME = join(scratchFolder('home'), 'with a space');
    mkdirSync(HOME);
    const server = spawn('python3', ['-c', mount, HOME], { stdio: ['pipe', 'pipe', 'ignore'] });
    server.on('error', () => server.stdout.push(null));
    const mounted = await new Promise((resolve) => {
      server.stdout.once('data', () => resolve(true)).once('end', () => resolve(false));
    });
    if (!mounted) return context.skip('this machine mounts no FUSE for us');
    try {
      await assert.rejects(
        refuseDead([join(HOME, '.cache')], { wait_ms: 300 }),
        (/** @type {any} */ { code, message }) =>
          code === 4 && /with a space\/\.cache does not answer: nothing came from .* \(fuse\) in 0\.3 s$/.test(message),
      );
    } finally {
      server.stdin.end();
      await new Promise((resolve) => server.on('exit', resolve));
    }
  });

  test('disks of this machine are not asked, whatever is there', async () => {
    const mounts = '/dev/a / ext4 rw 0 0\nserver:/home /home nfs4 rw 0 0\n/dev/b /home/a\\040b ext4 rw 0 0\n';
    /** @type {string[]} */
    const asked = [];
    const ask = async (/** @type {string} */ folder) => asked.push(folder) === 0;
    await refuseDead(['/nowhere', '/home/a b/c', '', undefined], { mounts, ask });
    assert.deepEqual(asked, []);
    await assert.rejects(refuseDead(['/home/a'], { mounts, ask }), /\/home \(nfs4\)/);
    assert.deepEqual(asked, ['/home/a']);
  });
});

test('a TMPDIR that is not there, and a folder that was deleted', () => {
  const folder = scratchFolder('gone');
  mkdirSync(join(folder, 'here'));
  const code = `import(${JSON.stringify(join(root, 'dist', 'base', 'io', 'files.js'))}).then(({ makeTemporaryFolder }) => makeTemporaryFolder()).catch((error) => console.log(error.name, error.code, error.message))`;
  const { stdout } = spawnSync(process.execPath, ['-e', code], {
    env: { ...process.env, TMPDIR: join(folder, 'nowhere') },
    encoding: 'utf8',
  });
  assert.match(stdout, /UserError 4 there is no folder .*nowhere, where temporary files go/);
  const line = 'cd "$1" && rmdir "$1" && exec "$2" "$3" check';
  const { status, stderr } = spawnSync('sh', ['-c', line, 'sh', join(folder, 'here'), process.execPath, bin], {
    encoding: 'utf8',
  });
  assert.equal(status, 4, stderr);
  assert.match(stderr, /the folder in which it was started is not there any more/);
});
