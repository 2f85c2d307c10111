type Rule = { needs: string[]; recipe: string[] };

/**
 * The rules that make runs: of the targets that it is given, or the first, and of what they need.
 * @param words after make
 * @param text of a Makefile
 */
export function rulesFor(words: string[], text: string): Map<string, Rule> {
  const rules = rulesOf(text);
  const targets = new Set(words.filter((word) => rules.has(word)));
  if (targets.size === 0) for (const name of [...rules.keys()].slice(0, 1)) targets.add(name);
  for (const name of targets)
    for (const needed of rules.get(name)?.needs ?? []) if (rules.has(needed)) targets.add(needed);
  return new Map([...targets].flatMap((name) => [[name, rules.get(name) ?? { needs: [], recipe: [] }]]));
}

/** @param text of a Makefile */
function rulesOf(text: string): Map<string, Rule> {
  const rules = new Map();
  let current: Rule[] = [];
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    if (line.startsWith('\t')) for (const rule of current) rule.recipe.push(line.trim());
    const head = /^([^\s#:=][^:=#]*):(?!=)([^#]*)/.exec(line);
    if (!head) continue;
    const [needs, first] = head[2].split(';');
    const rule = { needs: needs.trim().split(/\s+/), recipe: first ? [first.trim()] : [] };
    current = [rule];
    for (const name of head[1].trim().split(/\s+/)) rules.set(name, rule);
  }
  return rules;
}

/**
 * @param text of a Makefile
 * @returns lines that set its variables
 */
export const assignmentsOf = (text: string): string[] =>
  text.split('\n').filter((line) => /^[\w.]+\s*[:?+!]?=/.test(line));

/**
 * @param text of a Makefile
 * @returns files that it includes, as they are written
 */
export const includesOf = (text: string): string[] =>
  [...text.matchAll(/^-?s?include\s+(.+)$/gm)].flatMap(([, list]) => list.split(/\s+/));
