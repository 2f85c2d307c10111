import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { runCommand } from '../../../base/process/command.js';
import { CaseFailure } from '../../../base/process/failure.js';
import { openLog } from '../../../base/process/log.js';
import type { Container } from '../../../suite/cases/container.js';
import type { Run } from '../../run-context.js';
import { askEngine, engineOf } from './engine.js';

/**
 * The name of the image that a build makes: the same each time, so that its layers stay, and another one in another checkout, or
 * of other arguments.
 * @param of what it is made of, with the folder it is in
 */
export const imageName = (of: unknown): string =>
  `benchfolio-${createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 12)}`;

/**
 * Sees that the image of a service is there: builds it, or pulls it where it is not.
 * @param service filled
 * @param where file: the log of the build
 * @throws {CaseFailure} it cannot be built, or is nowhere
 */
export async function prepareImage(
  { name, container: { image, build } }: { name: string; container: Pick<Container, 'image' | 'build'> },
  { specDir, file, secrets }: { specDir: string; file: string; secrets: string[] },
  run: Run,
) {
  const engine = engineOf(run);
  const step = { cwd: specDir, env: run.env, log: openLog(file, { secrets }) };
  if (build) {
    const options = [
      ...(build.dockerfile === null ? [] : ['--file', resolve(specDir, build.dockerfile)]),
      ...(build.target === null ? [] : ['--target', build.target]),
      ...Object.keys(build.args).flatMap((key) => ['--build-arg', key]), // their values are not for everybody to read
    ];
    const argv = [
      engine.program,
      'build',
      '--tag',
      imageName([specDir, name, build]),
      ...options,
      resolve(specDir, build.context),
    ];
    const env = { ...run.env, ...build.args };
    return run.progress.step(`building the image of ${name}`, file, () =>
      runCommand({ ...step, env, name: `the build of the image of service "${name}"`, argv }, run),
    );
  }
  const reference = String(image);
  if (await isThere(reference, run)) return step.log.close();
  const argv = [engine.program, 'pull', reference];
  const pulled = run.progress.step(`pulling the image ${reference}`, file, () =>
    runCommand({ ...step, name: `pulling the image of service "${name}"`, argv }, run),
  );
  await pulled.catch((error) => {
    if (!(error instanceof CaseFailure)) throw error;
    throw new CaseFailure(`the image ${reference} of service "${name}" is not on this machine and cannot be pulled`, {
      log: step.log,
      hint: 'Is its name right? A registry that asks for a login: docker login. An image of this machine: docker images.',
    });
  });
}

/** Is an image on this machine? */
export const isThere = (image: string, run: Run): Promise<boolean> =>
  imageId(image, run).then(
    () => true,
    () => false,
  );

/**
 * The present id of an image.
 * @returns its id; a name that is later given to another image does not change what runs
 * @throws {CaseFailure} it is gone
 */
export const imageId = (image: string, run: Run): Promise<string> =>
  askEngine(['image', 'inspect', '--format', '{{.Id}}', image], `the image ${image} is not on this machine`, run);
