import type { Source } from './common.js';
import { joinPath } from './join-path.js';

/** What Rails answers to GET by its routes.rb, and Sinatra by any file. */
export const railsRoutes = (sources: Source[]): string[] =>
  sources.flatMap(({ file, text }) =>
    /[\\/]routes\.rb$/.test(file)
      ? ofRails(text)
      : [...text.matchAll(/^\s*get\s+['"](\/[^'"]*)['"]\s+do\b/gm)].map(([, path]) => path),
  );

function ofRails(text: string) {
  /** the prefix of each open block */
  const open: string[] = [];
  return text.split('\n').flatMap((line) => {
    if (/^\s*end\b/.test(line)) open.pop();
    const { paths, under } = readLine(line);
    const found = paths.map((path) => joinPath(...open, path));
    if (/\bdo\s*(?:\|[^|]*\|)?\s*$|^\s*(?:if|unless|case)\b/.test(line)) open.push(under);
    return found;
  });
}

/** @returns under: what a block of it puts in front of its own */
function readLine(line: string): { paths: string[]; under: string } {
  const [, verb = '', name = ''] =
    /^\s*(root|get|resources|resource|namespace|scope|member)\b\s*\(?\s*[:'"]?([^'",\s)]*)/.exec(line) ?? [];
  if (verb === 'root') return { paths: ['/'], under: '' };
  if (verb === 'get') return { paths: [name], under: '' };
  if (verb === 'namespace') return { paths: [], under: name };
  if (verb === 'scope') return { paths: [], under: /^\s*scope\s*\(?\s*['"]/.test(line) ? name : '' };
  if (verb === 'member') return { paths: [], under: ':id' };
  if (verb === '' || /\bpath:/.test(line)) return { paths: [], under: '' };
  const listed = /\bonly:\s*(\[[^\]]*\]|%i\[[^\]]*\]|:\w+)/.exec(line)?.[1];
  const without = /\bexcept:\s*(\[[^\]]*\]|%i\[[^\]]*\]|:\w+)/.exec(line)?.[1] ?? '';
  const has = (action: string) =>
    listed ? new RegExp(`\\b${action}\\b`).test(listed) : !new RegExp(`\\b${action}\\b`).test(without);
  if (verb === 'resource') return { paths: has('show') ? [name] : [], under: name };
  return { paths: [...(has('index') ? [name] : []), ...(has('show') ? [`${name}/:id`] : [])], under: `${name}/:id` };
}
