import { literal } from './fill-template.js';
import { addressWith } from './known-images.js';

/** @import { BesideService } from './workflow-services.js' */

/** What a database is to a job. names: of its host; port: on that host; place: what its port is called in a spec. @typedef {{ names: string[], port: number | null, place: string }} Place */

/**
 * The variables of a job that lead to its databases: those that have an address, or a host and a port apart.
 * @param {BesideService[]} services
 * @param {Record<string, unknown>} env
 * @param {boolean} inside whether the job runs in a container
 * @returns {{ env: Record<string, string>, unsure: string[] }} unsure: what only GitHub knows, or nobody says
 */
export function variablesFor(services, env, inside) {
  const all = Object.entries(env)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([key, value]) => /** @type {[string, string]} */ ([key, String(value)]));
  const places = services.map(({ name, host, port, outside }) => ({
    names: ['localhost', '127.0.0.1', '0.0.0.0', ...(inside ? [host] : [])],
    port: inside ? port : outside,
    place: `\${port.${name}}`,
  }));
  const found = { ...Object.assign({}, ...places.map((place) => apart(all, place))), ...addresses(all, places) };
  const isLater = (/** @type {string} */ key) => /\$\{\{/.test(String(env[key]));
  const later = all
    .map(([key]) => key)
    .filter((key) => isLater(key) && (key in found || /job\.services\./.test(String(env[key]))));
  const ports = places.map(({ place }) => place).join(' and ');
  const names = services.map(({ name }) => name).join(' and ');
  return {
    env: Object.fromEntries(Object.entries(found).filter(([key]) => !isLater(key))),
    unsure: [
      later.length > 0 ? `only GitHub knows ${later.join(', ')}: write it into \`env\`, with ${ports} as the port` : '',
      later.length === 0 && Object.keys(found).length === 0 && services.length > 0
        ? `no variable leads to ${names}: write one into \`env\`, with ${ports} as the port`
        : '',
    ].filter(Boolean),
  };
}

/** Addresses, with a port of the start in place of the one there. @param {[string, string][]} all @param {Place[]} places */
function addresses(all, places) {
  const led = all.map(([key, value]) => [
    key,
    places.reduce(
      (text, { names, port, place }) => names.reduce((one, name) => addressWith(one, name, port, place), text),
      literal(value),
    ),
  ]);
  return Object.fromEntries(led.filter(([, value], at) => value !== literal(all[at][1])));
}

/**
 * A variable that has only the port, and its kin: the host, the user, the password.
 * @param {[string, string][]} all
 * @param {Place} place
 * @returns {Record<string, string>}
 */
function apart(all, { names, port, place }) {
  const key = all.find(([name, value]) => /port$/i.test(name) && Number(value) === port)?.[0];
  const kin = key?.replace(/port$/i, '');
  if (!kin) return {};
  return Object.fromEntries(
    all
      .filter(([name]) => name.startsWith(kin))
      .map(([name, value]) => [name, name === key ? place : names.includes(value) ? '127.0.0.1' : literal(value)]),
  );
}
