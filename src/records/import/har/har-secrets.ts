/** Parts of a name that make its value a secret wherever they stand in it. */
const strong =
  /token|secret|passw|passphrase|passcode|pwd|session|api.?key|csrf|xsrf|credential|jwt|saml|signature|authori[sz]ation|oauth/i;

/** Words that do so only as words: "auth" is one, "author" is not. */
const weak = new Set('auth pass pw pin otp totp sig sid cvv cvc nonce assertion cookie bearer'.split(' '));

/** "key" alone, or of one of these, is a secret; a sort key is none. */
const keyOf = new Set('api access private secret client auth signing encryption'.split(' '));

/** @param name "sessionID", "api-key" */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/**
 * @param name of a field, a parameter or an element
 * @returns is its value a secret?
 */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  if (strong.test(name) || words.some((word) => weak.has(word))) return true;
  return words.includes('key') && (words.length === 1 || words.some((word) => keyOf.has(word)));
}

/**
 * What is a key by its form: a JSON Web Token, keys that begin as their makers' do, a PEM, what stands after "Bearer", and what is
 * long and random. A UUID is none: most often it is an id.
 */
const forms = [
  /-----BEGIN [A-Z ]+-----[\s\S]+?-----END [A-Z ]+-----/,
  /(?<=\b(?:Bearer|Basic|Digest)\s)[A-Za-z0-9._~+/=-]+/,
  /\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/,
  /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]+|\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_\w+|\bglpat-[\w-]{16,}|\bxox[abeprs]-[\w-]+|\bAKIA[0-9A-Z]{12,}|\bAIza[\w-]{30,}|\bSG\.[\w.-]{20,}/,
  /\b[0-9a-fA-F]{32,}\b/,
  /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=(?:[\w-]*\d){2})[A-Za-z0-9_-]{24,}(?![\w-])/,
];

/** "password: "x"", in a text of any kind, its quotes escaped or not. */
const quoted =
  /(?<![\w-])(?<name>[\w-]+)(?<middle>\\*["']?\s*[:=]\s*(?<quote>\\*["']))(?<value>(?:(?!(?<!\\)\k<quote>).)*)/;

/** "password=x" without quotes. */
const bare = /(?<![\w-])(?<bareName>[\w-]+)=(?<bareValue>[^\s"'&,;(){}<>\\$]+)/;

/** <Password>x</Password> */
const element = /<(?:[\w-]+:)?(?<element>[\w-]+)(?:\s[^<>]{0,1000})?>(?<content>[^<]{1,10000})(?=<\/)/;

const secretsIn = new RegExp(
  `${quoted.source}|${bare.source}|${element.source}|(?<form>${forms.map(({ source }) => `(?:${source})`).join('|')})`,
  'gs',
);

/** Puts variables of the environment in place of secrets: one for each value of a name. */
export class Secrets {
  /** name and value to variable */
  #variables: Map<string, string> = new Map();

  /** In the order in which they were found. */
  get variables(): string[] {
    return [...this.#variables.values()];
  }

  /** @returns a placeholder of a spec */
  placeholder(name: string, value: string): string {
    const key = JSON.stringify([name, value]);
    const known = this.#variables.get(key);
    if (known) return `\${env.${known}}`;
    const plain = `HAR_${
      name
        .toUpperCase()
        .replace(/[^A-Z0-9]+/g, '_')
        .replace(/^_+|_+$/g, '') || 'KEY'
    }`;
    const used = new Set(this.variables);
    let variable = plain;
    for (let i = 2; used.has(variable); i += 1) variable = `${plain}_${i}`;
    this.#variables.set(key, variable);
    return `\${env.${variable}}`;
  }

  /** A text as a spec has it: literal but for its secrets, which are found by names within it and by their form. */
  hidden(text: string): string {
    let written = '';
    let at = 0;
    for (const { name, value, from } of secretsOf(text)) {
      written += literal(text.slice(at, from)) + this.placeholder(name, value);
      at = from + value.length;
    }
    return written + literal(text.slice(at));
  }
}

/** @returns is there a secret in it, by a name or by its form? */
export const hasSecret = (text: string): boolean => !secretsOf(text).next().done;

/** @returns from: where the value begins */
function* secretsOf(text: string): Generator<{ name: string; value: string; from: number }, void, void> {
  const finder = new RegExp(secretsIn);
  for (let match = finder.exec(text); match; match = finder.exec(text)) {
    const { name, value } = secretOf(match);
    const from = match.index + match[0].lastIndexOf(value);
    if (name !== null) yield { name, value, from };
    // What is no secret by its name may have one in it.
    finder.lastIndex = Math.max(name === null ? from : from + value.length, match.index + 1);
  }
}

/** @returns name: null where it is no secret */
function secretOf({ groups = {} }: RegExpExecArray): { name: string | null; value: string } {
  const { form } = groups;
  if (form) return { name: form.startsWith('eyJ') ? 'token' : 'key', value: form };
  const name = groups.name ?? groups.bareName ?? groups.element;
  const value = groups.value ?? groups.bareValue ?? groups.content;
  return { name: value.trim() !== '' && isSecretName(name) ? name : null, value };
}

/** "${" begins a placeholder in a spec. */
const literal = (text: string) => text.replaceAll('${', () => '$${');
