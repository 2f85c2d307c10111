import { literal } from './fill-template.js';

/** A command as its words, with the variables that were set before it: `PORT=80 node app.js`. */
type Words = { env: Record<string, string>; argv: string[] };

/** What only a shell understands: pipes, lists, redirections, substitutions, patterns. */
const shells = /[|&;<>()`*?\n]|\$\(/;

/** Stands for the $ of a placeholder that is written here, and cannot be in a command. */
const ours = '\0';

const word = /((?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)\s*/gy;

/**
 * Parts a command line as a shell would, without one: no shell reads a spec's commands.
 * `$PORT` becomes the port that the runner gives out, another `$NAME` the runner's own variable.
 * @returns null: it needs a shell, or is empty
 */
export function wordsOf(line: string): Words | null {
  const text = line.trim();
  if (text === '' || text.includes(ours) || shells.test(text.replace(/'[^']*'/g, ''))) return null;
  const raw = [...text.matchAll(word)].map(([, part]) => part);
  if (raw.join('') !== text.replace(/('[^']*'|"(?:[^"\\]|\\.)*"|\\.)|\s+/g, (_, kept) => kept ?? '')) return null;
  const first = raw.findIndex((part) => !/^[A-Za-z_]\w*=/.test(part));
  if (first < 0) return null;
  const env = raw
    .slice(0, first)
    .map((part) => [part.slice(0, part.indexOf('=')), plain(part.slice(part.indexOf('=') + 1))]);
  return { env: Object.fromEntries(env), argv: raw.slice(first).map(plain) };
}

/** Without its quotes, with its variables; what else looks like a placeholder is text. */
const plain = (raw: string) => literal(unquoted(raw)).replaceAll(ours, '$');

const unquoted = (raw: string) =>
  raw.replace(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|((?:[^'"\\])+)/g,
    (_, single, double, escaped, bare) => single ?? escaped ?? variables(double?.replace(/\\(["\\$`])/g, '$1') ?? bare),
  );

const variables = (text: string) =>
  text.replace(/\$(?:\{([A-Za-z_]\w*)(?::?-[^}]*)?\}|([A-Z_a-z]\w*))/g, (whole, braced, bare) => {
    const name = braced ?? bare;
    if (whole === '$port') return whole;
    return name === 'PORT' || name === 'port' ? `${ours}{port}` : `${ours}{env.${name}}`;
  });
