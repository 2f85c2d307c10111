/** What only the runner knows: ports, folders, what steps after the start captured, and the environment's secrets. @param {string} name */
export const leftForRunner = (name) => /^(port|port\..+|env\..+|ready\..+|spec\.dir|run\.dir)$/s.test(name);

/**
 * The values of what `leftForRunner` leaves, for `fillPlaceholders`.
 * @param {object} known
 * @param {Record<string, number>} known.ports of each service, by name
 * @param {string | undefined} known.service the one that `${port}` means: within a service itself, elsewhere the only
 *   one of `portUsers`
 * @param {string} known.specDir absolute
 * @param {string} known.runDir absolute
 * @param {Record<string, string | undefined>} known.env
 * @param {Record<string, unknown>} [known.ready] what steps captured so far
 * @returns {(name: string) => unknown}
 */
export function runnerScope({ ports, service, specDir, runDir, env, ready = {} }) {
  return (name) => {
    const [, kind, rest] = /^(port|env|ready)\.(.+)$/s.exec(name) ?? [];
    if (kind) return { port: ports, env, ready }[kind]?.[rest];
    if (name === 'port') return service === undefined ? undefined : ports[service];
    return { 'spec.dir': specDir, 'run.dir': runDir }[name];
  };
}
