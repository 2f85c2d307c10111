import { execFileSync } from 'node:child_process';
import { cleanEnv } from '../../support/package.js';

/** The Go that releases are built with; another fetches it first. */
const toolchain = 'go1.26.8';

/**
 * The environment of a build whose bytes do not depend on the machine.
 * @param {string} GOARCH
 * @returns {NodeJS.ProcessEnv}
 */
export const goEnv = (GOARCH) => ({
  ...cleanEnv,
  GOOS: 'linux',
  GOARCH,
  GOAMD64: 'v1',
  GOARM64: 'v8.0',
  CGO_ENABLED: '0',
  GOFLAGS: '-mod=readonly',
  GOTOOLCHAIN: toolchain,
  GOEXPERIMENT: '',
});

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} [cwd]
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string} what it prints
 */
export const run = (program, args, cwd, env = goEnv('amd64')) =>
  execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 28 });
