import { placeholdersOf } from './placeholders.js';

/** @import { Path, Report } from './error.js' */
/** @import { TomlTable } from './toml.js' */

/**
 * @typedef {object} Container how a service runs in one; placeholders not filled
 * @property {string | null} image that is there, or is pulled
 * @property {{ context: string, dockerfile: string | null, target: string | null, args: Record<string, string> } | null} build
 *   what an image is made of; context and dockerfile relative to the spec's folder
 * @property {{ file: string, service: string } | null} compose a compose file, relative to the spec's folder, and which of its
 *   services this is; of the three, one is not null
 * @property {number | null} port on which it listens inside; the first of several
 * @property {Record<string, number>} [ports] those on which it listens inside, by name, where there are several
 * @property {string[]} volumes `name:/path`, of its own for each start, or `./folder:/path`, of the spec's folder; both with `:ro`
 * @property {string[]} options of `docker create`
 */

/** Keys of a container that a compose file has instead. */
const ofImages = ['image', 'build', 'volumes', 'options'];

/**
 * Reads how a service runs in a container.
 * @param {TomlTable} service as written
 * @param {{ compose: string | null }} around compose: the compose file of its environment
 * @param {Path} path of the service
 * @param {Report} report
 * @returns {Container | null} null: it is a process
 */
export function readContainer({ name, command, container, ...service }, { compose }, path, report) {
  const ofFile = compose !== null && !command && !container?.image && !container?.build;
  if (!container && !ofFile) return null;
  const written = container ?? {};
  const at = [...path, 'container'];
  refuseWrong({ name, command, ...service }, written, { ofFile }, path, report);
  refusePortsInside({ command, env: service.env, container: written }, name, path, report);
  const build = typeof written.build === 'string' ? { context: written.build } : written.build;
  const volumes = written.volumes ?? [];
  volumes.forEach((/** @type {string} */ volume, /** @type {number} */ i) => {
    if (!/^[^:]+:\/[^:]*(:ro)?$/.test(volume)) {
      report([...at, 'volumes', i], `"${volume}" is not a volume`, 'Write "name:/path" or "./folder:/path".');
    }
  });
  return {
    image: written.image ?? null,
    build: build
      ? {
          context: build.context,
          dockerfile: build.dockerfile ?? null,
          target: build.target ?? null,
          args: Object.fromEntries(Object.entries(build.args ?? {}).map(([key, value]) => [key, String(value)])),
        }
      : null,
    compose: ofFile ? { file: compose, service: name } : null,
    port: written.port ?? Object.values(written.ports ?? {})[0] ?? null,
    ...(written.ports && { ports: written.ports }),
    volumes,
    options: (written.options ?? []).map(String),
  };
}

/**
 * @param {TomlTable} service
 * @param {TomlTable} container
 * @param {{ ofFile: boolean }} how
 * @param {Path} path
 * @param {Report} report
 */
function refuseWrong({ name, cpus, env }, container, { ofFile }, path, report) {
  const at = [...path, 'container'];
  if (container.port !== undefined && container.ports !== undefined) {
    report(
      [...at, 'port'],
      `the container of "${name}" names its ports in \`ports\``,
      'The first of them is ${port}.',
      'key',
    );
  }
  if (ofFile) {
    for (const key of ofImages.filter((imageKey) => imageKey in container)) {
      report([...at, key], `the container of "${name}" is described by the compose file`, 'Write it there.', 'key');
    }
    for (const [key, value] of Object.entries({ cpus, env })) {
      if (value !== undefined && value !== null) {
        report([...path, key], `"${name}" is a service of the compose file`, `Write "${key}" there.`, 'key');
      }
    }
    return;
  }
  if (container.image === undefined && container.build === undefined) {
    report(
      at,
      `the container of "${name}" has no image`,
      'Name one (`image`), or the folder of a Dockerfile (`build`).',
    );
  } else if (container.image !== undefined && container.build !== undefined) {
    report([...at, 'build'], `the container of "${name}" has an image already`, 'Write `image` or `build`.', 'key');
  }
}

/**
 * A port that was given out is one of this machine: inside, each container has its own.
 * @param {unknown} inside
 * @param {string} name
 * @param {Path} path
 * @param {Report} report
 */
function refusePortsInside(inside, name, path, report) {
  for (const { name: placeholder, path: at } of placeholdersOf(inside, path)) {
    const [, , other] = /^(port)(?:\.(.+))?$/.exec(placeholder) ?? [];
    if (placeholder !== 'port' && other === undefined) continue;
    const hint =
      other === undefined || other === name
        ? 'Write the port itself, and tell us: container = { port = 8080 }.'
        : `Containers reach each other by name: "${other}:<its own port>".`;
    report(at, `\${${placeholder}} is a port of this machine, not of the container "${name}"`, hint, {
      part: `\${${placeholder}}`,
    });
  }
}
