// What the process ends with when nothing of ours could say so in an orderly way.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { findProgram } from '../../dist/base/tools/find-tool.js';
import { folderOf, root } from '../support/cli.js';

const bin = join(root, 'dist', 'cli', 'bin.js');

/**
 * @param {string} file
 * @param {string[]} args
 * @param {string} [cwd]
 * @returns {Promise<{ code: unknown, stdout: string, stderr: string }>}
 */
const run = (file, args, cwd = root) =>
  new Promise((resolve) => {
    execFile(file, args, { cwd }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
  });

test('out of open files: an error of ours (4), never "worse" (1)', async () => {
  for (const limit of [20, 24, 32]) {
    const { code, stderr } = await run('bash', [
      '-c',
      `ulimit -n ${limit}; exec "$0" "$@"`,
      process.execPath,
      bin,
      'check',
    ]);
    if (code !== 0) assert.equal(code, 4, `${limit}: ${stderr}`); // how many it needs depends on Node.js
    if (code === 4) assert.match(stderr, /too many open files\nRaise the limit/);
  }
});

// Starts a command at a terminal of its own, closes the terminal once it says what is waited for, prints how it ended.
const atTerminal = `
import os, pty, select, sys, time
pid, master = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
seen, until = b'', time.time() + 60
while sys.argv[1].encode() not in seen and time.time() < until:
    if select.select([master], [], [], 1)[0]: seen += os.read(master, 4096)
os.close(master)
while time.time() < until:
    done, status = os.waitpid(pid, os.WNOHANG)
    if done: print(os.waitstatus_to_exitcode(status)); break
    time.sleep(0.05)
else: print('never', seen)
`;

const noPython = findProgram('python3', process.env) === null && 'there is no Python';

test('a terminal that is closed: the run ends as by Ctrl-C (130)', { skip: noPython }, async () => {
  const suite = await folderOf({
    'bench.toml': '',
    'specs/shop/spec.toml': `title = "Shop"
[environments.local]
url = "http://127.0.0.1:9"
[scenarios.s]
executor = "constant-vus"
duration = "40s"
requests = [{ get = "/", think = "200ms" }]
`,
  });
  const { stdout } = await run('python3', ['-c', atTerminal, 'round 1', process.execPath, bin, 'run'], suite);
  assert.equal(stdout.trim(), '130');
});
