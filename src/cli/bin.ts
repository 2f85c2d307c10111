#!/usr/bin/env node
import { closeSync, openSync } from 'node:fs';

// 1 says "worse", so nothing that goes wrong with us may end with it, as Node.js itself would.
process.on('uncaughtException', (error) => fail(error));

// Whoever reads may have enough (`| head`), or the terminal was closed: that is not our fault, and nothing is left to
// say to them.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (!['EPIPE', 'EIO'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  });
}

process.on('exit', () => {
  if (process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY) leaveTerminal();
});

// A stack then names src/, not dist/. It covers what is loaded from here on.
process.setSourceMapsEnabled(true);

const { main } = await import('./cli.js').catch(fail);

process.exitCode = await main(process.argv.slice(2), {
  cwd: workingFolder(),
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});

function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    say('the folder in which it was started is not there any more\nGo to one that is: cd');
    process.exit(4);
  }
}

/** Ends at once with the code of an error of ours. */
function fail(error: NodeJS.ErrnoException): never {
  const { code } = error;
  const missing = code === 'ERR_MODULE_NOT_FOUND' && /Cannot find package/.test(error.message);
  if (missing) say('its npm packages are not installed\nRun `npm ci` (or `make setup`) first.');
  else if (code === 'EMFILE' || code === 'ENFILE') say('too many open files\nRaise the limit: ulimit -n 65536');
  else say(`this is a bug in benchfolio; please report it with these lines\n${error?.stack ?? error}`);
  process.exit(4);
}

function say(text: string) {
  try {
    process.stderr.write(`benchfolio: ${text}\n`);
  } catch {
    // there is no reader
  }
}

/** Node.js resets its terminal at the end, and aborts when that was closed: then it must find no terminal. */
function leaveTerminal() {
  try {
    closeSync(openSync('/dev/tty', 'r'));
  } catch {
    for (const terminal of [0, 1, 2]) {
      try {
        closeSync(terminal);
      } catch {
        // it is closed already
      }
    }
  }
}
