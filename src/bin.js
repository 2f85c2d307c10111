#!/usr/bin/env node
const loaded = await import('./cli.js').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/Cannot find package/.test(error.message)) throw error;
  process.stderr.write('benchfolio: its npm packages are not installed\nRun `npm ci` (or `make setup`) first.\n');
  process.exit(4);
});

// Whoever reads may have enough (`| head`): that is no fault of ours, and nothing is left to say to them.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error;
  });
}

process.exitCode = await loaded.main(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
