import { join, relative } from 'node:path';
import type { Start } from './detect-node.js';
import { textOf, withoutComments } from './read-repository.js';

/** Where a service listens: on the port that a variable of its environment says, or on one that stands in its source. */
type Port = { variable: string } | { fixed: number };

type DetectedPort = { port: Port; file: string };

/** A variable of the environment that is a port's, in Node.js, Deno, Bun, Go, Python and Rust. */
const variables = [
  /\b(?:process|Bun)\.env(?:\.|\[['"])([A-Z][A-Z0-9_]*)\b/g,
  /\{(?=[^{}]*\}\s*=\s*process\.env\b)[^{}]*?\b(PORT)\b/g,
  /\bDeno\.env\.get\(\s*['"]([A-Z][A-Z0-9_]*)['"]/g,
  /\bos\.(?:Getenv|LookupEnv)\(\s*"([A-Z][A-Z0-9_]*)"/g,
  /\benv::var(?:_os)?\(\s*"([A-Z][A-Z0-9_]*)"/g,
  /\bos\.(?:environ(?:\.get)?|getenv)\s*[([]\s*['"]([A-Z][A-Z0-9_]*)['"]/g,
];

/** A port as a number. */
const numbers = [
  /\.listen\(\s*(\d{2,5})\b/,
  /\b(?:listen|serve)\(\s*\{[^{}]*\bport:\s*(\d{2,5})\b/,
  /\bListenAndServe(?:TLS)?\(\s*"[^":]*:(\d{2,5})"/,
  /\.Run\(\s*"[^":]*:(\d{2,5})"/,
  /\bbind\(\s*&?"[^":]*:(\d{2,5})"/,
  /\bbind\(\(\s*(?:"[^"]*"|[\w:]+),\s*(\d{2,5})\b/,
  /\bSocketAddr::from\(\(\s*\[[\d, ]*\],\s*(\d{2,5})\b/,
  /\brun\([^()]*\bport\s*=\s*(\d{2,5})\b/,
  /\b(?:const|let|var|final|int)?\s*port\s*(?::=|=|:)\s*"?:?(\d{2,5})\b/i,
];

/** The port that the runner gives out, and not those characters of a repository. */
export const ownPort = /(?<!\$)\$\{port\}/;

function portIn(source: string): Port | null {
  const text = withoutComments(source);
  const names = variables
    .flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name))
    .filter((name) => /(^|_)PORT$/.test(name));
  const variable =
    names.find((name) => name === 'PORT') ?? names.find((name) => /HTTP|SERVER|APP|WEB|LISTEN|API/.test(name));
  if (variable) return { variable };
  const fixed = numbers.map((pattern) => Number(pattern.exec(text)?.[1])).find((port) => port > 0 && port < 65536);
  return fixed ? { fixed } : null;
}

/**
 * The first port in these sources: one that is listened on overrides one that is only named.
 * @param folder that the file is named from
 */
function portOf(files: string[], folder: string): DetectedPort | null {
  const texts = files.map((file) => ({ file: relative(folder, file), text: textOf(file) ?? '' }));
  return (
    [...texts.filter(({ text }) => listens(text)), ...texts]
      .flatMap(({ file, text }) => ({ file, port: portIn(text) ?? [] }))
      .flatMap(({ file, port }) => (Array.isArray(port) ? [] : [{ file, port }]))[0] ?? null
  );
}

/**
 * Where a service listens, by its command, its sources or its Dockerfile.
 * @param where all: its sources; port: the one that is given
 */
export function portFor(
  { argv, env = {}, fixed: declared }: Start,
  { all, folder, port }: { all: string[]; folder: string; port: number | undefined },
): { env: Record<string, string>; fixed: number | null; seen: string; unsure: string[] } {
  const given = (more: Record<string, string>, seen: string) => ({
    env: more,
    fixed: null,
    seen,
    unsure: [],
  });
  const stuck = (fixed: number, seen: string) => ({ env: {}, fixed, seen, unsure: [] });
  if (port !== undefined) return stuck(port, '');
  if (argv.some((word) => ownPort.test(word))) return given({}, 'its command takes the port');
  const variable = Object.keys(env).find((name) => ownPort.test(env[name]));
  if (variable !== undefined) return given({}, `it reads its port from ${variable}`);
  if (env.PORT !== undefined) return given({ PORT: '${port}' }, 'it reads its port from PORT');
  const flag = Number(/(?:^| )(?:-p|--port)[ =](\d{2,5})(?: |$)/.exec(argv.join(' '))?.[1]);
  if (declared || flag) return stuck(Number(declared || flag), `its command starts it on port ${declared || flag}`);
  const found = portOf(all, folder);
  if (found && 'variable' in found.port) {
    return given({ [found.port.variable]: '${port}' }, `${found.file} reads its port from ${found.port.variable}`);
  }
  if (found && 'fixed' in found.port)
    return stuck(found.port.fixed, `${found.file} listens on port ${found.port.fixed}`);
  const exposed = exposedPort(folder);
  if (exposed) return stuck(exposed, `Dockerfile exposes port ${exposed}`);
  return {
    ...given({ PORT: '${port}' }, ''),
    unsure: [
      'its port was not found, so the spec passes one in PORT; write another variable into `env`, or a fixed port into `url` and `ready`',
    ],
  };
}

/** @param text of a source */
export const listens = (text: string) =>
  /\.listen\(|\bcreateServer\(|\b(?:Deno|Bun)\.serve\(|\bListenAndServe|\bserve\(|HTTPServer\(|\bapp\.run\(|\.Run\(\s*"|\buvicorn\.run\(/.test(
    text,
  );

/** The port that an image of the service exposes: a hint, where nothing else says one. */
export function exposedPort(folder: string): number | null {
  const port = Number(/^[ \t]*EXPOSE\s+(\d{2,5})\b/im.exec(textOf(join(folder, 'Dockerfile')) ?? '')?.[1]);
  return port > 0 && port < 65536 ? port : null;
}
