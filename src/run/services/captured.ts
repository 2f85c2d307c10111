/** The body of a response, or what a command printed. */
export type Answer = { text: string; headers: Headers };

/**
 * Takes a value out of an answer.
 * @returns undefined: it is not there
 */
export function captured(
  { json, regex, header, cookie }: { json?: string; regex?: string; header?: string; cookie?: string },
  { text, headers }: Answer,
): unknown {
  if (json !== undefined) return inJson(text, json);
  if (header !== undefined) return headers.get(header) ?? undefined;
  if (cookie !== undefined) return cookieIn(headers, cookie);
  const match = new RegExp(regex as string).exec(text);
  return match ? (match[1] ?? match[0]) : undefined;
}

/** @param path names and numbers, with dots between: "items.0.id"; `\\.` is a dot in a name */
function inJson(text: string, path: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const name of path.split(/(?<!\\)\./).map((step) => step.replaceAll('\\.', '.'))) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

function cookieIn(headers: Headers, name: string) {
  const found = headers.getSetCookie().find((cookie) => cookie.split('=')[0].trim() === name);
  return found?.slice(found.indexOf('=') + 1).split(';')[0];
}
