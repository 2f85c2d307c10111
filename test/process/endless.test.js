// What does not end by itself is ended, and named.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../../dist/base/process/command.js';
import { openLog } from '../../dist/base/process/log.js';
import { gitIn } from '../../dist/base/tools/git.js';
import { folderOf } from '../support/cli.js';
import { runIn } from '../support/services-in.js';

test('a step of a build that does not end', async (context) => {
  const { run, folder } = await runIn(context);
  const argv = ['sh', '-c', 'echo building; exec tail -f /dev/null'];
  const log = openLog(join(folder, 'build.log'));
  const command = { name: 'build of app', argv, cwd: folder, env: process.env, log };
  run.interrupt.signalled = new Promise(() => {});
  await assert.rejects(runCommand(command, run, { timeout_ms: 3000 }), {
    code: 4,
    message: /^build of app failed: `.*` did not end within 3 s$/,
    logTail: 'building',
  });
});

test('git, when a home folder does not answer', async () => {
  const HOME = await folderOf({});
  spawnSync('mkfifo', [join(HOME, '.gitconfig')]); // reading it waits for somebody who writes
  const git = gitIn(HOME, { HOME, XDG_CONFIG_HOME: '' }, 300);
  await assert.rejects(git(['rev-parse', 'HEAD']), {
    code: 4,
    message: 'git rev-parse: git did not end within 0.3 s',
    hint: /\.gitconfig in the home folder/,
  });
});
