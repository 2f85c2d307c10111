import { join } from 'node:path';
import { becauseOf, isHealth, isMetrics, type LeftRoute } from './detect-paths.js';
import { type Parameter, pathWith } from './openapi-path.js';
import { tableOf, textOf, tryParse, yamlOf } from './read-repository.js';

/** A request of the first scenario. path: with its query; status: of the answer that is expected. */
export type SeenRequest = { path: string; status: number };

/** What is read of a description by OpenAPI 3 or Swagger 2: a part may be a reference to where it stands. */
type Document = {
  paths: Record<string, unknown>;
  security?: unknown;
  basePath?: unknown;
  servers?: { url?: unknown; variables?: Record<string, { default?: unknown }> }[];
};

type PathItem = { get?: unknown; parameters?: unknown };

type Operation = { security?: unknown; responses?: unknown; parameters?: unknown };

type DescribedRequests = {
  file: string;
  requests: SeenRequest[];
  health: string | null;
  left: LeftRoute[];
  seen: string[];
};

const names = ['openapi', 'swagger'].flatMap((name) => ['json', 'yaml', 'yml'].map((end) => `${name}.${end}`));
const files = ['', 'docs/', 'api/', 'src/main/resources/'].flatMap((folder) => names.map((name) => folder + name));

/** More says nothing more, and each gets fewer samples. */
const most = { requests: 10, bytes: 2_000_000, base: 2000 };

/**
 * What an OpenAPI file says that can be sent as it is: GET without parameters, or with those that have an example.
 * @returns null: there is no such file
 */
export function describedIn(folder: string): DescribedRequests | null {
  for (const file of files) {
    const document = documentOf(textOf(join(folder, file), most.bytes));
    if (document !== null && baseOf(document).length <= most.base) return requestsOf(document, file); // each path begins with it
  }
  return null;
}

function requestsOf(document: Document, file: string): DescribedRequests {
  const base = baseOf(document);
  const operations = Object.entries(document.paths).flatMap(([path, written]) => {
    const item: PathItem = tableOf(resolved(written, document));
    const operation: Operation = tableOf(item.get);
    return item.get === operation ? [{ path, item, operation }] : [];
  });
  const read = operations.map(({ path, item, operation }) => ({
    path,
    safe: needsNothing(operation.security ?? document.security),
    full: pathWith(base + path, parametersOf(item, operation, document)),
    status: statusOf(operation),
  }));
  const others = read.filter(({ path }) => !isHealth(path) && !isMetrics(path));
  const usable: SeenRequest[] = others.flatMap(({ safe, full, status }) =>
    safe && full !== null ? [{ path: full, status }] : [],
  );
  const bare = ({ path }: SeenRequest) => path.replace(/\?.*/, '');
  const requests = [...firstBy(usable, bare).values()];
  const chosen = requests.slice(0, most.requests);
  const routes = (some: { path: string }[]) => some.map(({ path }) => `GET ${path}`);
  return {
    file,
    requests: chosen,
    health: read.find(({ path, safe, full }) => isHealth(path) && safe && full !== null)?.full ?? null,
    seen:
      chosen.length > 0
        ? [`${file} describes ${chosen.length === 1 ? 'what is' : `the ${chosen.length} requests that are`} sent`]
        : [],
    left: [
      ...becauseOf(`${most.requests} requests are enough to begin with`, routes(requests.slice(most.requests))),
      ...becauseOf('it needs credentials', routes(others.filter(({ safe }) => !safe))),
      ...becauseOf('a parameter has no example', routes(others.filter(({ safe, full }) => safe && full === null))),
      ...becauseOf('it may change data', writesOf(document)),
    ],
  };
}

/** @returns "POST /orders" */
const writesOf = (document: Document): string[] =>
  Object.entries(document.paths).flatMap(([path, written]) =>
    Object.keys(tableOf(resolved(written, document)))
      .filter((method) => /^(?:post|put|patch|delete)$/.test(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );

/** The first of each key, in their order. */
function firstBy<T>(all: T[], key: (one: T) => string): Map<string, T> {
  const found: Map<string, T> = new Map();
  for (const parameter of all) if (!found.has(key(parameter))) found.set(key(parameter), parameter);
  return found;
}

/**
 * @param text JSON is YAML too, but read much faster
 * @returns null: it describes nothing
 */
function documentOf(text: string | null): Document | null {
  if (text === null) return null;
  const document = tableOf(/^\s*\{/.test(text) ? tryParse(JSON.parse, text) : yamlOf(text));
  const isDescription = Boolean(document.openapi || document.swagger) && document.paths === tableOf(document.paths);
  return isDescription ? (document as Document) : null;
}

/** @returns the path that all others are under, without a slash at its end */
function baseOf(document: Document): string {
  const server = document.servers?.[0];
  const url = String(server?.url ?? document.basePath ?? '').replace(/\{([^{}]*)\}/g, (_, name) =>
    String(server?.variables?.[name]?.default ?? ''),
  );
  const path = URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost').pathname : '';
  return path.replace(/(?<!\/)\/+$/, '');
}

/** No key, or also without one. */
const needsNothing = (security: unknown) =>
  !Array.isArray(security) ||
  security.length === 0 ||
  security.some((requirement) => Object.keys(requirement ?? {}).length === 0);

const statusOf = ({ responses }: Operation): number =>
  Number(Object.keys(tableOf(responses)).find((status) => /^2\d\d$/.test(status)) ?? 200);

/** Those of the operation override those of its path. */
function parametersOf(item: PathItem, operation: Operation, document: Document): Parameter[] {
  const all = [operation.parameters ?? [], item.parameters ?? []].flat().map((written) => {
    const parameter = tableOf(resolved(written, document));
    const examples = Object.values(tableOf(parameter.examples)).map((example) => resolved(example, document));
    return { ...parameter, schema: resolved(parameter.schema, document), examples } as Parameter;
  });
  const key = (parameter: Parameter) => JSON.stringify([parameter.in, parameter.name]);
  return [...firstBy(all, key).values()];
}

/**
 * What a reference in the same file means.
 * @returns undefined: it is elsewhere, or nowhere
 */
function resolved(value: unknown, document: Document, depth = 0): unknown {
  const { $ref: reference } = tableOf(value);
  if (typeof reference !== 'string') return value;
  if (!reference.startsWith('#/') || depth > 5) return undefined;
  const keys = reference.slice(2).split('/');
  const found = keys.reduce((at, key) => Object(at)[decoded(key)], document as unknown); // also into a list
  return resolved(found, document, depth + 1);
}

/** @param key of a JSON pointer in an address */
function decoded(key: string) {
  const plain = key.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
