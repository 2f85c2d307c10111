import type { Path, Report } from './error.js';
import { placeholdersOf } from './placeholders.js';
import type { TomlTable } from './toml.js';

/** How a service runs in one; placeholders not filled */
export type Container = {
  /** that is there, or is pulled */
  image: string | null;
  /** the sources of an image; context and dockerfile relative to the spec's folder */
  build: { context: string; dockerfile: string | null; target: string | null; args: Record<string, string> } | null;
  /** a compose file, relative to the spec's folder, and which of its services this is; of the three, one is not null */
  compose: { file: string; service: string } | null;
  /** on which it listens inside; the first of several */
  port: number | null;
  /** those on which it listens inside, by name, where there are several */
  ports?: Record<string, number>;
  /** `name:/path`, of its own for each start, or `./folder:/path`, of the spec's folder; both with `:ro` */
  volumes: string[];
  /** of `docker create` */
  options: string[];
};

/** Keys of a container that a compose file has instead. */
const ofImages = ['image', 'build', 'volumes', 'options'];

/**
 * Reads how a service runs in a container.
 * @param service as written
 * @param around compose: the compose file of its environment
 * @param path of the service
 * @returns null: it is a process
 */
export function readContainer(
  { name, command, container, ...service }: TomlTable,
  { compose }: { compose: string | null },
  path: Path,
  report: Report,
): Container | null {
  const ofFile = compose !== null && !command && !container?.image && !container?.build;
  if (!container && !ofFile) return null;
  const written = container ?? {};
  const at = [...path, 'container'];
  refuseWrong({ name, command, ...service }, written, { ofFile }, path, report);
  refusePortsInside({ command, env: service.env, container: written }, name, path, report);
  const build = typeof written.build === 'string' ? { context: written.build } : written.build;
  const volumes = written.volumes ?? [];
  volumes.forEach((volume: string, i: number) => {
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

function refuseWrong(
  { name, cpus, env }: TomlTable,
  container: TomlTable,
  { ofFile }: { ofFile: boolean },
  path: Path,
  report: Report,
) {
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

/** A port that was given out is one of this machine: inside, each container has its own. */
function refusePortsInside(inside: unknown, name: string, path: Path, report: Report) {
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
