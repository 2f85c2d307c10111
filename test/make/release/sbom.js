import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { run } from './go.js';

/** @import { ToolRequirement } from '../../../dist/base/tools/find-tool.js' */

/**
 * What Go noted in a program of what it was built from.
 * @param {string} binary
 * @returns {{ go: string, sha256: string, modules: { path: string, version: string, sum: string | null }[] }} sum: of the
 *   module's files, as in go.sum; null: ours
 */
export function modulesIn(binary) {
  const { GoVersion, Deps } = JSON.parse(run('go', ['version', '-m', '-json', binary]));
  return {
    go: GoVersion,
    sha256: createHash('sha256').update(readFileSync(binary)).digest('hex'),
    modules: Deps.map((/** @type {any} */ { Path, Version, Sum }) => ({
      path: Path,
      version: Version,
      sum: Sum ?? null,
    })),
  };
}

/**
 * A bill of materials (CycloneDX 1.6, https://cyclonedx.org/docs/1.6/json/): the programs and the modules in each. It has no
 * time and no random number, so that it is the same again.
 * @param {string} name of the package
 * @param {string} version
 * @param {readonly ({ tool: ToolRequirement, version: string } & ReturnType<typeof modulesIn>)[]} tools
 */
export const sbomOf = (name, version, tools) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    component: { type: 'application', name, version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` },
  },
  components: tools.map(({ tool, version: itsVersion, go, sha256, modules }) => ({
    type: 'application',
    name: tool.title,
    version: itsVersion,
    'bom-ref': `bin/${tool.built}`,
    hashes: [{ alg: 'SHA-256', content: sha256 }],
    components: [
      { type: 'platform', name: 'go', version: go.replace('go', ''), 'bom-ref': `bin/${tool.built}:go` },
      ...modules.map(({ path, version: its, sum }) => ({
        type: 'library',
        name: path,
        version: its,
        'bom-ref': `bin/${tool.built}:${path}`,
        purl: `pkg:golang/${path}@${its}`,
        // h1: is SHA-256 of the list of its files' SHA-256, not of one file: a property, not a hash
        ...(sum && { properties: [{ name: 'go:sum', value: sum }] }),
      })),
    ],
  })),
});
