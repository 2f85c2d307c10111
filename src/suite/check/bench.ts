import { readLogo } from '../brand.js';
import { shortLoads } from '../cases/duet-settings.js';
import type { Hint, Path } from '../cases/error.js';
import { placeholdersOf } from '../cases/placeholders.js';
import { parseToml, TomlError, type TomlTable } from '../cases/toml.js';
import { Notes } from './diagnostics.js';
import { checkSuiteMetric } from './references/gated.js';
import { sentencesFor } from './schema/messages.js';
import { rootCauses } from './schema/root-causes.js';
import { schemaErrors } from './schema/validate.js';

/**
 * All that is wrong with bench.toml.
 * @param systems that there are
 * @param root of the suite
 * @returns bench: without what is wrong, so that specs can be checked
 */
export function checkBench(text: string, systems: string[], root: string): { notes: Notes; bench: TomlTable } {
  const notes = new Notes('bench.toml', text);
  let bench;
  try {
    bench = parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    notes.addBroken(error);
    return { notes, bench: {} };
  }
  const errors = schemaErrors('bench', bench);
  for (const sentence of sentencesFor(errors, bench)) notes.add(sentence);
  if (!errors.some(({ instancePath }) => instancePath.startsWith('/duet')))
    for (const { path, message } of shortLoads(bench)) notes.add({ path, message });
  const { gate, tolerances } = bench.compare ?? {};
  for (const [i, name] of (Array.isArray(gate) ? gate : []).entries()) {
    checkSuiteMetric(String(name), ['compare', 'gate', i], (path, message, hint) => notes.add({ path, message, hint }));
  }
  for (const name of Object.keys(Object(tolerances))) {
    const add = (path: Path, message: string, hint: Hint | undefined) =>
      notes.add({ path, message, hint, focus: 'key' });
    checkSuiteMetric(name, ['compare', 'tolerances', name], add);
  }
  if (typeof bench.default === 'string' && !systems.includes(bench.default)) {
    notes.add({
      path: ['default'],
      message: `there is no system "${bench.default}" in specs/`,
      hint: { got: bench.default, known: systems },
    });
  }
  if (typeof bench.site?.logo === 'string' && bench.site.logo) {
    const logo = readLogo(root, bench.site.logo);
    if ('problem' in logo) notes.add({ path: ['site', 'logo'], message: logo.problem, hint: logo.hint });
  }
  const wrong = new Set(rootCauses(errors, bench).map(({ path }) => path[0]));
  for (const { name, path } of placeholdersOf(bench.prometheus ?? {}, ['prometheus'])) {
    if (name.startsWith('env.')) continue;
    wrong.add('prometheus');
    const message = `there is no \${${name}} in bench.toml`;
    notes.add({ path, message, hint: 'Only ${env.NAME} is put in here.', focus: { part: `\${${name}}` } });
  }
  return { notes, bench: Object.fromEntries(Object.entries(bench).filter(([key]) => !wrong.has(key))) };
}
