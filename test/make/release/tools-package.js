import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildArguments } from '../../../dist/base/tools/build-tool.js';
import {
  packageVersion,
  pinnedVersion,
  platformPackage,
  toolRequirements,
} from '../../../dist/base/tools/find-tool.js';
import { root } from '../../support/cli.js';
import { goEnv, run } from './go.js';
import { licencesOf } from './licences.js';
import { modulesIn, sbomOf } from './sbom.js';

/** @import { ToolRequirement } from '../../../dist/base/tools/find-tool.js' */

/**
 * The platforms that have a package of tools: as Node.js names them, and Go.
 * @type {Record<string, { platform: string, arch: string, GOARCH: string }>}
 */
export const platforms = {
  'linux-x64': { platform: 'linux', arch: 'x64', GOARCH: 'amd64' },
  'linux-arm64': { platform: 'linux', arch: 'arm64', GOARCH: 'arm64' },
};

/** What every run or build of pages needs; Toxiproxy is built where a spec has a network. */
const packed = Object.values(toolRequirements).filter(({ optional }) => optional === undefined);

/**
 * Builds the tools of a platform from their pinned modules, and writes the folder that npm packs.
 * @param {string} folder
 * @param {string} name of the platform
 * @param {object} shared what every package.json of the release has
 */
export function makeToolsPackage(folder, name, shared) {
  const { platform, arch, GOARCH } = platforms[name];
  const write = (/** @type {string} */ path, /** @type {string} */ text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const sums = [];
  const modules = [];
  for (const tool of packed) {
    const source = join(root, 'src', 'base', 'tools', tool.built);
    const binary = join(folder, 'bin', tool.built);
    run('go', buildArguments(tool, binary), source, goEnv(GOARCH));
    sums.push(`${createHash('sha256').update(readFileSync(binary)).digest('hex')}  bin/${tool.built}\n`);
    const inside = modulesIn(binary);
    modules.push({ tool, version: pinnedVersion(tool), ...inside });
    write(`licences/${tool.built}.txt`, licencesOf(inside.modules, source, tool.main ?? tool.package));
  }
  const version = packageVersion();
  write('SHA256SUMS', sums.join(''));
  write('sbom.cdx.json', `${JSON.stringify(sbomOf(platformPackage(platforms[name]), version, modules), null, 1)}\n`);
  write('README.md', readme(name, version, modules));
  write(
    'package.json',
    `${JSON.stringify(
      {
        name: platformPackage(platforms[name]),
        version,
        description: `k6, Hugo and gojq for Benchfolio on ${name}`,
        license: 'SEE LICENSE IN README.md',
        os: [platform],
        cpu: [arch],
        files: ['bin', 'licences', 'SHA256SUMS', 'sbom.cdx.json'],
        preferUnplugged: true,
        ...shared,
      },
      null,
      2,
    )}\n`,
  );
}

/**
 * @param {string} name of the platform
 * @param {string} version
 * @param {readonly { tool: ToolRequirement, version: string }[]} tools
 */
function readme(name, version, tools) {
  const versionOf = Object.fromEntries(tools.map(({ tool, version }) => [tool.built, version]));
  return `# k6, Hugo and gojq for Benchfolio, ${name}

An optional dependency of [benchfolio](https://www.npmjs.com/package/benchfolio) ${version}: the programs that it calls.

| program | version | license |
| --- | --- | --- |
| bin/k6 | ${versionOf.k6}, with Benchfolio's native player compiled in | AGPL-3.0-only; the player: Apache-2.0 |
| bin/hugo | ${versionOf.hugo} | Apache-2.0 |
| bin/gojq | ${versionOf.gojq} | MIT |

\`licences/\` has the licenses of these programs and of all that is compiled into them, \`sbom.cdx.json\` the list
(CycloneDX), \`SHA256SUMS\` the checksums of the programs.

## Source code

The programs are built without changes from the modules that \`sbom.cdx.json\` names, with their checksums. Anyone can have
the complete corresponding source code, at no charge, from network servers, for as long as this package is offered there
(AGPL-3.0, section 6d):

- that of each module from the Go module proxy: \`go mod download <module>@<version>\`, or
  https://proxy.golang.org/<module>/@v/<version>.zip
- what combines them (\`src/base/tools/\`, with every pinned version), and the native player (\`k6/native/\`), in the npm package
  benchfolio ${version}: \`npm pack benchfolio@${version}\`

To build them again, with the same bytes:

    npm pack benchfolio@${version} && tar -xzf benchfolio-${version}.tgz
    cd package/src/base/tools/k6
    GOTOOLCHAIN=${goEnv('amd64').GOTOOLCHAIN} CGO_ENABLED=0 GOFLAGS= go build -trimpath -buildvcs=false -ldflags='-s -w' -o k6 .
`;
}
