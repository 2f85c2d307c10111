import { removeAfter } from './labelled-containers.js';
import { killOurs } from './processes.js';

/**
 * A process of its own that outlives the runner, for a moment: it holds one end of a pipe. When the runner ends,
 * however it ends, the pipe does too, and everything that the run started is killed, its containers too.
 *
 *     node watchdog.js <marker> <folder of the run>
 *
 * The runner says on the pipe which sessions it opened (`+<pid>`) and which have ended (`-<pid>`, whose number the
 * system may give to somebody else).
 */
const [marker, folder] = process.argv.slice(2);
// One that closed the pipe and goes on has done its own cleaning up.
const spared = process.ppid;
const sessions: Set<number> = new Set();
let rest = '';

// A signal meant for the runner's group must not end the one who cleans up after it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    if (line[0] === '+') sessions.add(Number(line.slice(1)));
    else sessions.delete(Number(line.slice(1)));
  }
});
process.stdin.on('close', () => {
  killOurs({ sessions, marker, writesTo: `${folder}/`, spared });
  void removeAfter(folder, marker.split('=')[1]).then(() => process.exit());
});
