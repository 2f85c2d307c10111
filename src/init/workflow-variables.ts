import { literal } from './fill-template.js';
import { addressWith, isSql } from './known-images.js';
import type { BesideService } from './workflow-services.js';

/** A database as a job sees it. names: of its host; port: on that host; placeholder: the name of its port in a spec. */
type DatabaseAddress = { names: string[]; port: number | null; placeholder: string };

/**
 * The variables of a job that lead to its databases: those that have an address, or a host and a port apart.
 * @param inside whether the job runs in a container
 * @returns unsure: what only GitHub knows, or is unknown says; migrates: whether they lead to a database with tables, and
 *   surely to no other
 */
export function variablesFor(
  services: BesideService[],
  env: Record<string, unknown>,
  inside: boolean,
): { env: Record<string, string>; unsure: string[]; migrates: boolean } {
  const all = Object.entries(env)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([key, value]) => [key, String(value)] as [string, string]);
  const databases = services.map(({ name, host, port, outside }) => ({
    names: ['localhost', '127.0.0.1', '0.0.0.0', ...(inside ? [host] : [])],
    port: inside ? port : outside,
    placeholder: `\${port.${name}}`,
  }));
  const found = {
    ...Object.assign({}, ...databases.map((database) => apart(all, database))),
    ...addresses(all, databases),
  };
  const isLater = (key: string) => /\$\{\{/.test(String(env[key]));
  const keys = all.map(([key]) => key);
  const later = keys.filter((key) => isLater(key) && (key in found || /job\.services\./.test(String(env[key]))));
  const kin = keys.flatMap((key) => prefixOf(key) || []);
  const inherited = keys.filter(
    (key) =>
      isLater(key) && !later.includes(key) && (prefixOf(key) !== null || kin.some((prefix) => key.startsWith(prefix))),
  );
  const led = Object.fromEntries(Object.entries<string>(found).filter(([key]) => !isLater(key)));
  const ports = databases.map(({ placeholder }) => placeholder).join(' and ');
  const names = services.map(({ name }) => name).join(' and ');
  return {
    env: led,
    migrates:
      services.some(({ name, image }) => isSql(image) && leadsTo(name, led)) &&
      ![...later.filter((key) => key in found), ...inherited.filter((key) => databaseName.test(key))].length,
    unsure: [
      later.length > 0 ? `only GitHub knows ${later.join(', ')}: write it into \`env\`, with ${ports} as the port` : '',
      inherited.length > 0
        ? `only GitHub knows ${inherited.join(', ')}: write it into \`env\`, or the service gets what your own environment has`
        : '',
      later.length === 0 && Object.keys(found).length === 0 && services.length > 0
        ? `no variable leads to ${names}: write one into \`env\`, with ${ports} as the port`
        : '',
    ].filter(Boolean),
  };
}

/** How variables end that have an address, or a part of one. */
const addressName =
  /(?:URLS?|URI|DSN|HOST(?:NAME)?S?|ADDR(?:ESS)?|SERVERS?|ENDPOINTS?|BROKERS?|CONNECTION(?:_?STRINGS?)?|(?<![A-Z]{3})PORT)(?=_|$)/i;

/** Of what migrations change. */
const databaseName = /database|(?:^|_)(?:db|pg)|sql|postgres|maria|connection/i;

/**
 * What a variable with an address begins with, as its kin does.
 * @returns null: it has none
 */
function prefixOf(key: string): string | null {
  const at = addressName.exec(key)?.index;
  return at === undefined ? null : key.slice(0, at);
}

/** @param name of a service */
const leadsTo = (name: string, env: Record<string, string>) =>
  Object.values(env).some((value) => new RegExp(`(?<!\\$)\\$\\{port\\.${name}\\}`).test(value));

/** Addresses, with a port of the start in place of the one there. */
function addresses(all: [string, string][], databases: DatabaseAddress[]) {
  const led = all.map(([key, value]) => [
    key,
    databases.reduce(
      (text, { names, port, placeholder }) =>
        names.reduce((filled, name) => addressWith(filled, name, port, placeholder), text),
      literal(value),
    ),
  ]);
  return Object.fromEntries(led.filter(([, value], at) => value !== literal(all[at][1])));
}

/** A variable that has only the port, and its kin: the host, the user, the password. */
function apart(all: [string, string][], { names, port, placeholder }: DatabaseAddress): Record<string, string> {
  const key = all.find(([name, value]) => /port$/i.test(name) && Number(value) === port)?.[0];
  const kin = key?.replace(/port$/i, '');
  if (!kin) return {};
  const some = all.filter(([name]) => name.startsWith(kin));
  const elsewhere = some.some(
    ([name, value]) => /host(?:name)?$/i.test(name) && !names.includes(value) && !value.includes('${{'),
  );
  if (elsewhere) return {};
  return Object.fromEntries(
    some.map(([name, value]) => [
      name,
      name === key ? placeholder : names.includes(value) ? '127.0.0.1' : literal(value),
    ]),
  );
}
