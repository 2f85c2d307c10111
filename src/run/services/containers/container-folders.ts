import { closeSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../../../base/process/command.js';
import { CaseFailure } from '../../../base/process/failure.js';
import { openLog } from '../../../base/process/log.js';
import type { Run } from '../../run-context.js';
import { askEngine, callEnv, engineOf } from './engine.js';

/** Of the container of a service, which does not run. */
type Folder = { service: string; id: string; path: string };

/**
 * Writes a folder of a container into an archive (tar), with owners and modes, whoever we are. The container need have no tar
 * and no shell for it.
 * @throws {CaseFailure}
 */
export async function keepFolder(folder: Folder, archive: string, run: Run) {
  const { service, id, path } = folder;
  const words = isPodman(run) ? ['volume', 'export', await volumeAt(folder, run)] : ['cp', `${id}:${path}/.`, '-'];
  const into = openSync(archive, 'w');
  try {
    await call(words, { name: `copying ${path} of service "${service}"`, archive, into }, run);
  } finally {
    closeSync(into);
  }
}

/**
 * Writes what was kept into the same folder of another container.
 * @throws {CaseFailure}
 */
export async function fillFolder(folder: Folder, archive: string, run: Run) {
  const { service, id, path } = folder;
  const words = isPodman(run) ? ['volume', 'import', await volumeAt(folder, run), '-'] : ['cp', '-', `${id}:${path}`];
  const from = openSync(archive, 'r');
  try {
    await call(words, { name: `filling ${path} of service "${service}"`, archive, from }, run);
  } finally {
    closeSync(from);
  }
}

/**
 * Refuses a folder in which there is one of this machine: what a start writes there would be there for the next, and for the
 * other side of a duet.
 * @throws {CaseFailure}
 */
export async function refuseMounted({ service, id, path }: Folder, run: Run) {
  const format = '{{range .Mounts}}{{if eq .Type "bind"}}{{.Destination}}\n{{end}}{{end}}';
  const mounts = await askEngine(['inspect', '--format', format, id], `the container of "${service}" is gone`, run);
  const inside = (inner: string, other: string) => `${inner}/`.startsWith(`${other.replace(/\/$/, '')}/`);
  const mounted = mounts
    .split('\n')
    .find((mountPoint) => mountPoint && (inside(mountPoint, path) || inside(path, mountPoint)));
  if (!mounted) return;
  throw new CaseFailure(`${path} of service "${service}" cannot be reused: ${mounted} is a folder of this machine`, {
    hint: 'Give it a volume of its own, such as volumes = ["data:/data"], and fill that.',
  });
}

/** `podman cp` gives all that it copies to root: only its volumes keep their owners. */
const isPodman = (run: Run) => engineOf(run).name === 'podman';

/** @returns the name of the volume that is mounted there */
async function volumeAt({ service, id, path }: Folder, run: Run): Promise<string> {
  const format = '{{range .Mounts}}{{.Destination}}\t{{.Name}}\n{{end}}';
  const mounts = await askEngine(['inspect', '--format', format, id], `the container of "${service}" is gone`, run);
  const volume = mounts
    .split('\n')
    .map((line) => line.split('\t'))
    .find(([mountPoint, name]) => mountPoint === path.replace(/\/$/, '') && name);
  if (volume) return volume[1];
  throw new CaseFailure(
    `with Podman only a volume can be reused, and ${path} of service "${service}" is not a volume`,
    {
      hint: `Make it one: volumes = ["data:${path}"].`,
    },
  );
}

function call(
  words: string[],
  { name, archive, ...files }: { name: string; archive: string; from?: number; into?: number },
  run: Run,
) {
  const log = openLog(join(dirname(archive), 'copying.log'));
  return runCommand({ name, argv: [engineOf(run).program, ...words], cwd: '/', env: callEnv(run), log, ...files }, run);
}
