/**
 * Reads where an address leads.
 * @returns scheme, host and port, in one spelling: "http://127.0.0.1:8080", "https://example.org" (the port only where it is
 *   not the scheme's own); null: not an absolute http(s) URL with a host
 */
export function originOf(url: string): string | null {
  const [, scheme, authority = ''] = /^(https?):\/\/([^/?#\\\s]*)/i.exec(url) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  const [, name, port = ''] = /^(\[[0-9a-f:.]+\]|[^:[\]%{}]+)(?::(\d{0,5}))?$/.exec(host) ?? [];
  if (!scheme || !name) return null;
  const defaultPort = scheme.toLowerCase() === 'http' ? '80' : '443';
  return `${scheme.toLowerCase()}://${name}${port === '' || port === defaultPort ? '' : `:${port}`}`;
}

/**
 * Lists where the requests of a target may go.
 * @returns origins
 */
export const originsOf = ({ baseUrl, hosts }: { baseUrl: string; hosts: readonly string[] }): (string | null)[] =>
  [baseUrl, ...hosts].map(originOf);

/**
 * Follows a reference from an address, as a browser does (RFC 3986, section 5.2).
 * @param url absolute, with a valid origin
 * @param reference absolute, or relative to it: "https://b/", "//b/", "/path", "?query", "next"
 * @returns absolute, without a fragment and without a user; null: it leads nowhere that http can go
 */
export function resolveUrl(url: string, reference: string): string | null {
  const base = originOf(url);
  const target = reference.trim().replace(/#.*$/s, '');
  if (base === null) return null;
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return absolute(target);
  if (/^[/\\]{2}/.test(target)) return absolute(`${base.slice(0, base.indexOf(':'))}:${target}`);
  const [path, query = ''] = splitQuery(url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*$/s, ''));
  if (target === '') return `${base}${path || '/'}${query}`;
  if (target.startsWith('?')) return `${base}${path || '/'}${target}`;
  if (target.startsWith('/')) return `${base}${target}`;
  return `${base}${withoutDots(`${path.slice(0, path.lastIndexOf('/')) || ''}/${target}`)}`;
}

/** Made of the origin that was checked, so that no other reader takes the address for another. */
function absolute(url: string) {
  const origin = originOf(url);
  if (origin === null) return null;
  const rest = url.replace(/^[a-z]+:\/\/[^/?#\\]*/i, '');
  return `${origin}${rest.startsWith('/') ? '' : '/'}${rest}`;
}

function splitQuery(rest: string): [path: string, query: string] {
  const at = rest.indexOf('?');
  return at < 0 ? [rest, ''] : [rest.slice(0, at), rest.slice(at)];
}

/** @param path with a query maybe */
function withoutDots(path: string) {
  const [way, query] = splitQuery(path);
  const steps: string[] = [];
  for (const step of way.split('/').slice(1)) {
    if (step === '..') steps.pop();
    else if (step !== '.') steps.push(step);
  }
  if (/\/\.{1,2}$/.test(way)) steps.push('');
  return `/${steps.join('/')}${query}`;
}
