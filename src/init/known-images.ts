/** Where images listen whose port is not declared, and by which schemes of addresses they are reached. */
const images: [RegExp, number, RegExp][] = [
  [/(^|\/)(postgres(?:ql)?|postgis|pgvector|timescaledb)\b/, 5432, /^(?:postgres|postgresql|postgis|pgsql)$/],
  [/(^|\/)(mysql|mariadb|percona)\b/, 3306, /^(?:mysql2?|mariadb)$/],
  [/(^|\/)(redis|valkey|keydb)\b/, 6379, /^(?:rediss?|valkey)$/],
  [/(^|\/)mongo\b/, 27017, /^mongodb$/],
  [/(^|\/)rabbitmq\b/, 5672, /^amqp$/],
  [/(^|\/)memcached\b/, 11211, /^memcached$/],
  [/(^|\/)(elasticsearch|opensearch)\b/, 9200, /^$/],
];

/** Those that are asked in SQL, and have tables that are migrated. */
const sql = /(^|\/)(postgres(?:ql)?|postgis|pgvector|timescaledb|cockroach(?:db)?|mysql|mariadb|percona|mssql)\b/;

export const isSql = (image: string) => sql.test(image);

/** @returns null: it is not known */
export const portOfImage = (image: string): number | null => images.find(([name]) => name.test(image))?.[1] ?? null;

/**
 * An address in which a port of this start takes the place of the usual one, also where its scheme alone says it.
 * @param replacement what comes in place of the port
 * @returns the same text: it does not lead there
 */
export function addressWith(text: string, host: string, port: number | null, replacement: string): string {
  if (port === null) return text;
  const name = host.replaceAll('.', '\\.');
  const written = text.replace(new RegExp(`(?<![\\w.-])${name}:${port}(?!\\d)`, 'g'), () => `127.0.0.1:${replacement}`);
  if (written !== text) return written;
  const [, scheme] = /^(?:jdbc:)?([a-z][a-z0-9]*)(?:\+\w+)?:\/\//.exec(text) ?? [];
  if (scheme === undefined || images.find(([, , schemes]) => schemes.test(scheme))?.[1] !== port) return text;
  return text.replace(
    new RegExp(`(//(?:[^/@]*@)?)${name}(?=/|\\?|$)`),
    (_, before) => `${before}127.0.0.1:${replacement}`,
  );
}
