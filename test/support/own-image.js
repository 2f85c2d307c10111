import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findProgram } from '../../dist/base/tools/find-tool.js';

/** What entrypoints and commands of specs call. */
const shell = ['chown', 'cp', 'ls', 'mkdir', 'setpriv', 'sh', 'tail'];

/** Debian keeps PostgreSQL's programs out of PATH, in a folder for each version. */
const versions = '/usr/lib/postgresql';

/**
 * Makes an image of this machine's own Java, PostgreSQL and Node.js, with the libraries that they load: no registry is
 * asked, and what runs in containers is what runs beside them.
 * @param {string} image its name
 * @returns {string | null} what is missing here
 */
export function imageOfOwn(image) {
  const java = findProgram('java', process.env);
  const version = existsSync(versions) ? readdirSync(versions).sort().at(-1) : undefined;
  if (!java || !version) return java ? 'PostgreSQL' : 'java';
  const home = dirname(dirname(realpathSync(java)));
  const postgres = join(versions, version);
  const programs = [
    '/bin/sh',
    process.execPath,
    ...shell.map((name) => String(findProgram(name, process.env))),
    ...['initdb', 'postgres'].map((name) => join(postgres, 'bin', name)),
  ];
  const libraries = [join(home, 'lib'), join(home, 'lib', 'server')].flatMap(librariesIn);
  // It ends with 1 where one of them has nothing to load. Each line: libz.so.1 => /lib/…/libz.so.1 (0x…)
  const { stdout } = spawnSync('ldd', [...programs, join(home, 'bin', 'java'), ...libraries], { encoding: 'utf8' });
  const loaded = (stdout.match(/\/\S+(?= \(0x)/g) ?? []).filter((path) => !path.startsWith(home));
  const folders = [home, join(postgres, 'lib'), `/usr/share/postgresql/${version}`, '/usr/share/zoneinfo'];
  const files = ['/etc/group', '/etc/passwd', '/usr/lib/locale/C.utf8'];
  importFiles([...new Set([...programs, ...loaded, ...folders, ...files])], {
    image,
    path: [join(home, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
  });
  return null;
}

/** @param {string} folder @returns {string[]} */
const librariesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.so'))
    .map((name) => join(folder, name));

/** What needs most room and nobody here needs is left out: with llvmjit.so PostgreSQL would load all of LLVM. */
const tarOptions = [
  ...['--dereference', '--hard-dereference', '--ignore-failed-read'],
  ...['jmods', 'src.zip', 'llvmjit*', 'bitcode'].map((name) => `--exclude=${name}`),
];

/** @param {string[]} files absolute @param {{ image: string, path: string }} made path: its PATH */
function importFiles(files, { image, path }) {
  const empty = mkdtempSync(join(tmpdir(), 'benchfolio-image-'));
  try {
    for (const folder of ['run', 'tmp']) mkdirSync(join(empty, folder));
    for (const [folder, mode] of /** @type {const} */ ([
      ['.', 0o755],
      ['tmp', 0o1777],
    ]))
      chmodSync(join(empty, folder), mode);
    const argv = [...tarOptions, '-C', empty, '-c', '.', '-C', '/', ...files.map((file) => file.slice(1))];
    const pipe = 'image=$1 path=$2; shift 2; tar "$@" | docker import --change "ENV PATH=$path" - "$image"';
    execFileSync('sh', ['-c', pipe, 'sh', image, path, ...argv], { stdio: ['ignore', 'ignore', 'inherit'] });
  } finally {
    rmSync(empty, { recursive: true });
  }
}
