// What a newcomer runs first, ten times beside a program that keeps one core busy: nine must pass.
//
//   node test/make/busy-demo.js      # make busy; minutes
import { spawn, spawnSync } from 'node:child_process';
import { root } from '../support/cli.js';

const [tries, enough] = [10, 9];

const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
/** @type {(number | null)[]} */
const codes = [];
try {
  for (let i = 1; i <= tries; i += 1) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['dist/cli/bin.js', 'run', '--quick', '--scenario', 'hello', '--rounds', '3'],
      { cwd: root, encoding: 'utf8' },
    );
    codes.push(status);
    console.log(`try ${i}: exit code ${status}`);
    if (status !== 0) console.log(`${stdout}${stderr}`);
  }
} finally {
  busy.kill('SIGKILL');
}
const passed = codes.filter((code) => code === 0).length;
console.log(`${passed} of ${tries} passed beside a program that keeps a core busy`);
process.exitCode = passed >= enough ? 0 : 1;
