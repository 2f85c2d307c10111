/** What only the runner knows: ports, folders, and the environment's secrets. @param {string} name */
export const leftForRunner = (name) => /^(port|port\..+|env\..+|spec\.dir|run\.dir)$/.test(name);

/**
 * The values of what `leftForRunner` leaves, for `fillPlaceholders`.
 * @param {object} known
 * @param {Record<string, number>} known.ports of each service, by name
 * @param {string | undefined} known.service the one that `${port}` means: within a service itself, elsewhere the only
 *   one of `portUsers`
 * @param {string} known.specDir absolute
 * @param {string} known.runDir absolute
 * @param {Record<string, string | undefined>} known.env
 * @returns {(name: string) => string | number | undefined}
 */
export function runnerScope({ ports, service, specDir, runDir, env }) {
  return (name) => {
    const [, kind, rest] = /^(port|env)\.(.+)$/s.exec(name) ?? [];
    if (kind) return kind === 'port' ? ports[rest] : env[rest];
    if (name === 'port') return service === undefined ? undefined : ports[service];
    return { 'spec.dir': specDir, 'run.dir': runDir }[name];
  };
}
