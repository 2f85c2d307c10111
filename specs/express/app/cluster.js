// Several processes of the service, each on a core of its own, as bin/nodejs_cluster.sh of the write-up starts them:
//   node cluster.js <most> <file>
// At most one for each core that there is: two that share one would count each other's time as work of their own.
// Once all listen, nginx's list of them is written into the file.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [most, file] = process.argv.slice(2);
const cores = allowedCores().slice(0, Number(most));
const children = cores.map(start);
let stopping = false;

process.on('SIGTERM', stop);
for (const child of children) {
  child.on('exit', (code, signal) => {
    if (stopping) return;
    console.error(`process ${child.pid} ended (${signal ?? code}): so do the others`);
    process.exitCode = 1;
    stop();
  });
}

const ports = await Promise.all(children.map(async (child) => (await once(child, 'message'))[0].port));
writeFileSync(file, ports.map((port) => `server 127.0.0.1:${port};\n`).join(''));
console.log(`ready: one process on each of the cores ${cores.join(', ')}`);

/** @param {number} core */
function start(core) {
  const program = fileURLToPath(new URL('app.js', import.meta.url));
  // A free port: which one it is comes as a message.
  const options = {
    env: { ...process.env, PORT: '0' },
    execPath: 'taskset',
    execArgv: ['-c', String(core), process.execPath],
  };
  return fork(program, options);
}

function stop() {
  stopping = true;
  for (const child of children) child.kill('SIGTERM');
}

/** The cores that this process may use. @returns {number[]} */
function allowedCores() {
  const [, list] = readFileSync('/proc/self/status', 'utf8').match(/^Cpus_allowed_list:\s+(\S+)/m);
  return list.split(',').flatMap((part) => {
    const [from, to = from] = part.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}
