/** What stands for a secret in a text: for each of its characters the spellings that it may have there. */
type Pattern = string[][];

/** By the character that they may begin with. */
type Patterns = Map<string, Pattern[]>;

/**
 * Blots secrets out of a text, in any spelling: as they are, percent-encoded once or twice, as in
 * JSON, HTML, a quoted string or a form, each character in its own way, or within base64.
 */
export const redact = (text: string, secrets: readonly string[]): string =>
  blot(text, patternsOf(secrets), false).clean;

/**
 * Blots secrets out of a text that comes in pieces, wherever it is cut.
 * @returns both give what can be written by now
 */
export function redactor(secrets: readonly string[]): { push: (piece: string) => string; end: () => string } {
  const patterns = patternsOf(secrets);
  let held = '';
  return {
    push(piece) {
      const { clean, rest } = blot(held + piece, patterns, true);
      held = rest;
      return clean;
    },
    end: () => blot(held, patterns, false).clean,
  };
}

/** @param goesOn more of the text follows: what may be the start of a secret is left for then */
function blot(text: string, patterns: Patterns, goesOn: boolean): { clean: string; rest: string } {
  let clean = '';
  let from = 0;
  for (let at = 0; patterns.size > 0 && at < text.length; at += 1) {
    let end = at;
    for (const pattern of patterns.get(text[at]) ?? []) {
      const found = endOf(pattern, text, at);
      if (found === Infinity && goesOn) return { clean: clean + text.slice(from, at), rest: text.slice(at) };
      if (found !== Infinity) end = Math.max(end, found);
    }
    if (end === at) continue;
    clean += `${text.slice(from, at)}***`;
    from = end;
    at = end - 1;
  }
  return { clean: clean + text.slice(from), rest: '' };
}

/** So many characters of a secret are blotted out where a text was cut within it: fewer are found in many a word. */
const shortestCut = 3;

/** How we mark that a text was cut. */
const cutMark = '…';

/**
 * @returns where the secret that begins there ends, or the text was cut within it; Infinity: the text ends before it does;
 *   -1: none does
 */
function endOf(pattern: Pattern, text: string, at: number): number {
  let places = [at];
  for (const [i, spellings] of pattern.entries()) {
    const next: number[] = [];
    let cut = -1;
    for (const position of places) {
      for (const spelling of spellings) {
        const end = position + spelling.length;
        if (text.startsWith(spelling, position)) {
          if (!next.includes(end)) next.push(end);
        } else if (end > text.length && spelling.startsWith(text.slice(position))) return Infinity;
        else if (i >= shortestCut) {
          const [had, ...more] = text.slice(position, end).split(cutMark);
          if (more.length > 0 && spelling.startsWith(had)) cut = position + had.length;
        }
      }
    }
    if (next.length === 0) return cut;
    places = next;
  }
  return Math.max(...places);
}

function patternsOf(secrets: readonly string[]): Patterns {
  const patterns: Patterns = new Map();
  const add = (pattern: Pattern) => {
    for (const start of new Set(pattern[0].map((spelling) => spelling[0]))) {
      patterns.set(start, [...(patterns.get(start) ?? []), pattern]);
    }
  };
  for (const secret of secrets) {
    for (const text of [secret, ...inHex(secret)]) add([...text].map(spellingsOf));
    for (const text of inBase64(secret)) add(wrapped([...text].map(spellingsOf)));
  }
  return patterns;
}

/** Fewer bytes in hexadecimal would be found in many a hash. */
const shortestHex = 6;

function inHex(secret: string): string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < shortestHex) return [];
  const digits = bytes.toString('hex');
  return [digits, digits.toUpperCase()];
}

/** What wraps a line of base64: RFC 2045 has 76 characters, PEM 64. */
const lineEnds = ['\n', '\r\n', '\\n', '\\r\\n', '\n ', '\n  ', '\n    ', '\n\t'];

/** The same text, in lines. */
const wrapped = (pattern: Pattern): Pattern =>
  pattern.map((spellings, i) => (i === 0 ? spellings : [...spellings, ...lineEnds.map((end) => end + spellings[0])]));

/** Fewer characters of base64 would be found in many a word. */
const shortestBase64 = 6;

/**
 * The characters of base64 that a secret makes for certain, whatever stands before and after it: a character has six
 * bits, so what stands before shifts it in one of three ways.
 * @returns also in the alphabet for URLs
 */
function inBase64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const pieces = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const urls = pieces.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([...pieces, ...urls])].filter((text) => text.length >= shortestBase64);
}

/** other spellings of a character: in HTML, in a form, after a backslash */
const special: Record<string, string[]> = {
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  '"': ['', '\\', '\\\\', '\\\\\\']
    .flatMap((slashes) => [`${slashes}"`, `${slashes}&quot;`, `${slashes}&#34;`])
    .concat('%5C%22', '%5c%22'),
  "'": ['&apos;', "\\'", '\\&#39;', "'\\''"],
  ' ': ['+', '&nbsp;'],
  '/': ['\\/'],
  '\\': ['\\\\', '\\\\\\\\'],
  '\n': ['\\n', '\\\\n'],
  '\r': ['\\r', '\\\\r'],
  '\t': ['\\t', '\\\\t'],
};

/** characters whose spellings are known: texts come by the thousand, secrets are the same */
const known: Map<string, string[]> = new Map();

/**
 * All spellings of a character.
 * @param character one, maybe of two UTF-16 units
 * @returns hexadecimal digits in both cases, but not mixed within one byte
 */
function spellingsOf(character: string): string[] {
  const spellings = known.get(character) ?? spell(character);
  known.set(character, spellings);
  return spellings;
}

function spell(character: string): string[] {
  const code = character.codePointAt(0) as number;
  const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'));
  const units = [...character.split('')].map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  const cased = (write: (digits: string) => string, digits: string[]) => [
    digits.map(write).join(''),
    digits.map((each) => write(each.toUpperCase())).join(''),
  ];
  return [
    ...new Set([
      character,
      ...(special[character] ?? []),
      ...cased((digits) => `%${digits}`, bytes),
      ...cased((digits) => `%25${digits}`, bytes),
      ...cased((digits) => `\\x${digits}`, bytes),
      ...cased((digits) => `\\u${digits}`, units),
      ...cased((digits) => `\\\\u${digits}`, units),
      `&#${code};`,
      ...cased((digits) => `&#x${digits};`, [code.toString(16)]),
    ]),
  ];
}
