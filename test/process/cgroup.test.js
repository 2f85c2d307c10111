// What containers use, from trees of /proc and /sys as they were recorded: cgroup v1 of Docker 20, v2 of Docker 24 under systemd.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { cgroupMeter, cgroupOf, cgroupUsage, pidsIn } from '../../dist/base/process/cgroup.js';
import { scratchFolder } from '../support/scratch.js';

/** @param {Record<string, string>} files @returns {string} the root of a tree */
function tree(files) {
  const root = scratchFolder('cgroup');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const id = 'f222cc407264f7f983ac2b86ed530b17822d9b9bee6e86ed15aadda0457a6040';

const one = {
  'proc/self/mountinfo': `24 1 0:21 / /proc rw - proc proc rw
31 30 0:27 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
32 30 0:28 / /sys/fs/cgroup/cpuacct rw,relatime - cgroup cgroup rw,cpuacct
34 30 0:30 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
37 30 0:33 / /sys/fs/cgroup/blkio rw,relatime - cgroup cgroup rw,blkio
`,
  'proc/77/cgroup': `7:blkio:/docker/${id}\n4:memory:/docker/${id}\n2:cpuacct:/docker/${id}\n1:cpu:/docker/${id}\n0::/docker/${id}\n`,
  [`sys/fs/cgroup/cpuacct/docker/${id}/cpuacct.usage`]: '429058746\n',
  [`sys/fs/cgroup/cpuacct/docker/${id}/cgroup.procs`]: '77\n91\n',
  [`sys/fs/cgroup/cpuacct/docker/${id}/inner/cgroup.procs`]: '92\n',
  [`sys/fs/cgroup/memory/docker/${id}/memory.usage_in_bytes`]: '9437184\n',
  [`sys/fs/cgroup/memory/docker/${id}/memory.stat`]:
    'cache 5000000\ninactive_file 1\ntotal_cache 5000000\ntotal_inactive_file 4194304\n',
  [`sys/fs/cgroup/blkio/docker/${id}/blkio.throttle.io_service_bytes`]:
    '254:0 Read 4096\n254:0 Write 8192\n254:0 Total 12288\n254:16 Read 1000\nTotal 13288\n',
};

const scope = `/system.slice/docker-${id}.scope`;
const two = {
  'proc/self/mountinfo': '30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n',
  'proc/77/cgroup': `0::${scope}\n`,
  [`sys/fs/cgroup${scope}/cpu.stat`]: 'usage_usec 1500000\nuser_usec 1000000\nsystem_usec 500000\nnr_periods 0\n',
  [`sys/fs/cgroup${scope}/cgroup.procs`]: '77\n',
  [`sys/fs/cgroup${scope}/memory.current`]: '20971520\n',
  [`sys/fs/cgroup${scope}/memory.stat`]: 'anon 10\nfile 10485760\ninactive_file 10485760\nactive_file 0\n',
  [`sys/fs/cgroup${scope}/io.stat`]:
    '254:0 rbytes=4096 wbytes=8192 rios=1 wios=2\n254:16 rbytes=1 wbytes=2 rios=1 wios=1\n',
};

describe('the cgroup of a container', () => {
  test('of version 1 has a folder for each controller', () => {
    const found = cgroupOf(77, tree(one));
    assert.ok(found);
    assert.equal(found.version, 1);
    assert.deepEqual(cgroupUsage(found), {
      cpu_ns: 429_058_746,
      memory_bytes: 9_437_184 - 4_194_304,
      block_read_bytes: 5096,
      block_write_bytes: 8192,
    });
    assert.deepEqual(pidsIn(found), [77, 91, 92]);
  });

  test('of version 2 has one', () => {
    const found = cgroupOf(77, tree(two));
    assert.ok(found);
    assert.equal(found.version, 2);
    assert.deepEqual(cgroupUsage(found), {
      cpu_ns: 1_500_000_000,
      memory_bytes: 10_485_760,
      block_read_bytes: 4097,
      block_write_bytes: 8194,
    });
  });

  test('may be seen from inside another container: the mount begins at ours', () => {
    const inside = tree({
      ...two,
      'proc/self/mountinfo': '30 23 0:26 /system.slice /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n',
      [`sys/fs/cgroup/docker-${id}.scope/cpu.stat`]: 'usage_usec 7\n',
    });
    assert.equal(cgroupUsage(/** @type {any} */ (cgroupOf(77, inside)))?.cpu_ns, 7000);
  });

  test('is nothing where the process has ended, or its group is not to be seen', () => {
    assert.equal(cgroupOf(78, tree(two)), null);
    assert.equal(cgroupOf(77, tree({ ...two, 'proc/77/cgroup': '0::/elsewhere\n' })), null);
  });

  test('whose memory nobody counts has none', () => {
    const { [`sys/fs/cgroup${scope}/memory.current`]: _, ...rest } = two;
    assert.equal(cgroupUsage(/** @type {any} */ (cgroupOf(77, tree(rest))))?.memory_bytes, null);
  });

  test('that begins anew adds to what was used before', () => {
    const root = tree(two);
    const found = cgroupOf(77, root);
    const read = cgroupMeter();
    assert.equal(read(found).cpu_ns, 1.5e9);
    writeFileSync(join(root, `sys/fs/cgroup${scope}/cpu.stat`), 'usage_usec 100000\n');
    writeFileSync(join(root, `sys/fs/cgroup${scope}/io.stat`), '8:0 rbytes=3 wbytes=6 rios=1\n');
    assert.equal(read(found).cpu_ns, 1.6e9);
    assert.deepEqual(read(null), { cpu_ns: 1.6e9, block_read_bytes: 4100, block_write_bytes: 8200, memory_bytes: 0 });
  });

  test('that nobody counts bytes of disks for has none', () => {
    const root = tree(two);
    rmSync(join(root, `sys/fs/cgroup${scope}/io.stat`));
    const { block_read_bytes, block_write_bytes } = cgroupMeter()(cgroupOf(77, root));
    assert.deepEqual([block_read_bytes, block_write_bytes], [null, null]);
  });
});
