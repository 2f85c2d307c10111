import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../../dist/base/tools/find-tool.js';

/** What the Dockerfile begins with. */
const usual = 'node:20-slim';
const own = 'benchfolio-node-slim';
const longestPull_ms = 60_000;

/** Debian's slim images leave these out, of what is installed later too. */
const slim = ['doc', 'info', 'locale', 'man']
  .map((folder) => `path-exclude /usr/share/${folder}/*\n`)
  .concat('path-include /usr/share/doc/*/copyright\n')
  .join('');

/** @param {string} image */
const isThere = (image) => spawnSync('docker', ['image', 'inspect', image]).status === 0;

/**
 * An image to build on: that of the Dockerfile, or, where no registry has it, a small Debian with this machine's
 * Node.js, made once (after an upgrade: docker rmi benchfolio-node-slim).
 * @param {(text: string) => void} say
 * @returns {{ image: string } | { lack: string }}
 */
export function baseImage(say) {
  if (isThere(usual)) return { image: usual };
  if (spawnSync('docker', ['pull', '--quiet', usual], { timeout: longestPull_ms }).status === 0)
    return { image: usual };
  if (isThere(own)) return { image: own };
  if (process.getuid?.() !== 0 || findProgram('debootstrap', process.env) === null)
    return { lack: `${usual} cannot be pulled, and to make one like it takes debootstrap, and root` };
  const scratch = mkdtempSync(join(tmpdir(), 'benchfolio-base-'));
  try {
    const tree = join(scratch, 'debian');
    execFileSync('debootstrap', ['--variant=minbase', '--include=libstdc++6', 'bookworm', tree], { stdio: 'ignore' });
    const config = join(tree, 'etc', 'dpkg', 'dpkg.cfg.d');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'docker'), slim);
    const without = ['var/cache/apt/*', 'var/lib/apt/lists/*', 'usr/share/doc', 'usr/share/locale', 'usr/share/man'];
    copyFileSync(process.execPath, join(tree, 'usr', 'local', 'bin', 'node'));
    const path = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    const pipe =
      'tree=$1 path=$2 image=$3; shift 3; tar "$@" -C "$tree" -c . | docker import --change "$path" - "$image"';
    const excluded = without.map((name) => `--exclude=./${name}`);
    execFileSync('sh', ['-c', pipe, 'sh', tree, path, own, ...excluded], { stdio: ['ignore', 'ignore', 'inherit'] });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  say(`${usual} cannot be pulled: a small Debian with this machine's Node.js`);
  return { image: own };
}
