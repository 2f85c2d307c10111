import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/cli.js';
import { run } from './go.js';

const names = /^((un)?licen[cs]e|copying|notice|copyright|patents)([-.].*)?$/i;

/** Under Apache-2.0, as we are, without a file that says so: our player, and what Buf generated from Prometheus's formats. */
const underOurs = ['benchfolio.dev/native', 'buf.build/gen/go/prometheus/prometheus/protocolbuffers/go'];

/**
 * The licenses of modules, each text once with all that it goes for.
 * @param {readonly { path: string, version: string }[]} modules
 * @param {string} source the folder with the go.mod that pins them
 * @param {string} program the package that they are compiled into
 * @returns {string}
 * @throws {Error} a module has none
 */
export function licencesOf(modules, source, program) {
  const folders = new Map(
    run('go', ['list', '-deps', '-f', '{{with .Module}}{{.Path}}\t{{.Dir}}{{end}}', program], source)
      .split('\n')
      .map((line) => /** @type {[string, string]} */ (line.split('\t'))),
  );
  /** @type {Map<string, string[]>} */
  const texts = new Map();
  for (const { path, version } of modules) {
    const folder = underOurs.includes(path) ? root : String(folders.get(path));
    const files = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && names.test(entry.name))
      .map(({ name }) => name);
    if (files.length === 0) throw new Error(`${path}@${version} has no license in ${folder}`);
    for (const file of files) {
      const text = readFileSync(join(folder, file), 'utf8').trim();
      texts.set(text, [...(texts.get(text) ?? []), `${path} ${version}`]);
    }
  }
  const go = readFileSync(join(run('go', ['env', 'GOROOT']).trim(), 'LICENSE'), 'utf8').trim();
  texts.set(go, [...(texts.get(go) ?? []), "Go's runtime and standard library"]);
  return [...texts].map(([text, whose]) => `${whose.join('\n')}\n\n${text}\n`).join(`\n${'='.repeat(79)}\n\n`);
}
