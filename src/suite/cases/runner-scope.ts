/** What only the runner knows: ports, folders, what steps after the start captured, and the environment's secrets. */
export const leftForRunner = (name: string) => /^(port|port\..+|env\..+|ready\..+|spec\.dir|run\.dir)$/s.test(name);

/** The values of what `leftForRunner` leaves, for `fillPlaceholders`. */
export function runnerScope({
  ports,
  service,
  specDir,
  runDir,
  env,
  ready = {},
}: {
  /** of each service, by name */
  ports: Record<string, number>;
  /** the one that `${port}` means: within a service itself, elsewhere the only one of `portUsers` */
  service: string | undefined;
  /** absolute */
  specDir: string;
  /** absolute */
  runDir: string;
  env: Record<string, string | undefined>;
  /** what steps captured so far */
  ready?: Record<string, unknown>;
}): (name: string) => unknown {
  return (name) => {
    const [, kind, rest] = /^(port|env|ready)\.(.+)$/s.exec(name) ?? [];
    if (kind) return { port: ports, env, ready }[kind]?.[rest];
    if (name === 'port') return service === undefined ? undefined : ports[service];
    return { 'spec.dir': specDir, 'run.dir': runDir }[name];
  };
}
