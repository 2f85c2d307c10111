import { FileProblem } from '../round/file-problem.js';
import { holdsShape } from '../round/shape.js';
import { type Body, bodyOf, hiddenQuery, type PostData } from './body.js';
import { Secrets } from './har-secrets.js';

type Entry = {
  startedDateTime?: string;
  time?: number | null;
  _fromCache?: unknown;
  request: {
    method: string;
    url: string;
    headers?: { name: string; value: string }[] | null;
    bodySize?: number | null;
    postData?: PostData | null;
  };
  response?: { status?: number | null; content?: { mimeType?: string | null } | null } | null;
};

/** A request of a spec. status: null where the recorded one is the browser's cache's; left: why its body is not there. */
export type Recorded = {
  method: string;
  path: string;
  headers: Record<string, string>;
  status: number | null;
  body?: Body;
  left?: string;
  think_ms: number;
};

/**
 * left: how many entries are no requests here, by the reason; headers: names of those that were left out; variables: of the
 * environment, in place of secrets.
 */
export type Recording = {
  origin: string;
  requests: Recorded[];
  left: Record<string, number>;
  headers: string[];
  variables: string[];
};

const text = { type: 'string' };
const schema = {
  type: 'object',
  required: ['log'],
  properties: {
    log: {
      type: 'object',
      required: ['entries'],
      properties: {
        entries: {
          type: 'array',
          items: {
            type: 'object',
            required: ['request'],
            properties: {
              startedDateTime: text,
              time: { type: ['number', 'null'] },
              request: {
                type: 'object',
                required: ['method', 'url'],
                properties: {
                  method: text,
                  url: text,
                  headers: {
                    type: ['array', 'null'],
                    items: { type: 'object', required: ['name', 'value'], properties: { name: text, value: text } },
                  },
                  bodySize: { type: ['number', 'null'] },
                  postData: {
                    type: ['object', 'null'],
                    properties: {
                      mimeType: text,
                      text,
                      params: {
                        type: 'array',
                        items: { type: 'object', required: ['name'], properties: { name: text, value: text } },
                      },
                    },
                  },
                },
              },
              response: {
                type: ['object', 'null'],
                properties: {
                  status: { type: ['number', 'null'] },
                  content: { type: ['object', 'null'], properties: { mimeType: { type: ['string', 'null'] } } },
                },
              },
            },
          },
        },
      },
    },
  },
};

/** Headers that change what a service answers, and identify no person; of all others only the names are given. */
const kept = ['accept', 'accept-language', 'content-type', 'range', 'soapaction', 'prefer', 'x-requested-with'];

const ofBrowsers =
  /^(:.*|sec-.*|host|connection|user-agent|accept-encoding|content-length|referer|origin|dnt|pragma|cache-control|priority|te|upgrade-insecure-requests|if-none-match|if-modified-since)$/;

/**
 * A HAR recording of a browser as requests of one host: what is sent, without what is secret or the browser's own.
 * @throws {FileProblem}
 */
export function readRecording(value: unknown, { statics }: { statics: boolean }): Recording {
  holdsShape(value, schema, 'a browser');
  const { entries } = (value as { log: { entries: Entry[] } }).log;
  const origin = entries.map(({ request }) => urlOf(request.url)).find((url) => url !== null)?.origin;
  if (!origin) throw new FileProblem('has no HTTP request');
  const left: Record<string, number> = {};
  const sent: Entry[] = [];
  for (const entry of entries) {
    const why = whyLeft(entry, origin, statics);
    if (why === null) sent.push(entry);
    else left[why] = (left[why] ?? 0) + 1;
  }
  const secrets = new Secrets();
  const ordered = sent
    .map((entry) => ({ entry, fromMs: Date.parse(entry.startedDateTime ?? '') || 0 }))
    .sort((a, b) => a.fromMs - b.fromMs);
  const requests = ordered.map(({ entry }, i) => ({
    ...requestOf(entry, secrets),
    think_ms: pauseAfter(ordered, i),
  }));
  const names = sent.flatMap(({ request }) => (request.headers ?? []).map(({ name }) => name.toLowerCase()));
  const headers = [...new Set(names)].filter((name) => !ofBrowsers.test(name) && !kept.includes(name)).sort();
  return { origin, requests, left, headers, variables: secrets.variables };
}

function urlOf(url: string) {
  const match = /^(https?:\/\/)([^/?#]+)(\/[^?#]*)?(?:\?([^#]*))?/i.exec(url);
  if (!match) return null;
  const [, scheme, host, path = '/', query] = match;
  return { origin: `${scheme}${host.replace(/^.*@/, '')}`.toLowerCase(), path, query };
}

/** Why an entry is no request of the spec; null: it is one. */
function whyLeft({ request, response, _fromCache: fromCache }: Entry, origin: string, statics: boolean) {
  const url = urlOf(request.url);
  const status = response?.status ?? 0;
  if (!url) return 'of another scheme';
  if (url.origin !== origin) return `to ${url.origin.replace(/^https?:\/\//, '')}`;
  if (!/^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/i.test(request.method)) return `${request.method} requests`;
  if (status === 101) return 'upgraded to another protocol';
  if (!(Number.isInteger(status) && status >= 100 && status <= 599)) return 'without a response (blocked or cut off)';
  if (!statics && isStatic(request.url, response?.content?.mimeType ?? '')) return 'static';
  if (fromCache) return "answered by the browser's cache";
  return null;
}

const isStatic = (url: string, type: string) =>
  /\.(css|js|mjs|map|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|otf|mp4|webm)([?#]|$)/i.test(url) ||
  /^(image|font|video|audio)\/|css|javascript/i.test(type);

function requestOf({ request, response }: Entry, secrets: Secrets) {
  const { path, query } = urlOf(request.url) as NonNullable<ReturnType<typeof urlOf>>;
  const address = secrets.hidden(path) + (query === undefined ? '' : `?${hiddenQuery(query, secrets)}`);
  const { body, left } = bodyOf(request.postData, (request.bodySize ?? 0) > 0, secrets);
  const headers = (request.headers ?? []).filter(({ name, value }) => {
    const plain = name.toLowerCase();
    if (plain === 'content-type' && body) return false;
    return kept.includes(plain) && !(plain === 'accept' && value === '*/*');
  });
  const status = response?.status ?? null;
  return {
    method: request.method.toLowerCase(),
    path: address,
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, secrets.hidden(value)])),
    // 304 answers the conditions of a browser's cache, which a replay does not send.
    status: status === 304 ? null : status,
    body,
    left,
  };
}

/** How long nothing was under way after a request: the pause of who was recorded, where it is a tenth of a second or more. */
function pauseAfter(ordered: { entry: Entry; fromMs: number }[], i: number) {
  const next = ordered[i + 1];
  if (!next) return 0;
  const busyUntil = ordered
    .slice(0, i + 1)
    .reduce((most, { entry, fromMs }) => Math.max(most, fromMs + Math.max(entry.time ?? 0, 0)), 0);
  const pause = next.fromMs - busyUntil;
  return pause >= 100 ? Math.round(pause / 100) * 100 : 0;
}
