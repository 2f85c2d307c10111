import { basename, join } from 'node:path';
import type { Start } from './detect-node.js';
import { literal } from './fill-template.js';
import { entriesOf, jsonOf, tableOf } from './read-repository.js';
import { type Element, elementsAt, textAt, xmlOf } from './read-xml.js';

/** What the build leaves: in bin/, which is not part of the next build's sources. */
const output = 'bin/bench';

/** Without the servers of its build, which would stay when that is done. */
const alone = ['-nodeReuse:false', '-p:UseSharedCompilation=false'];

/**
 * .NET: the only project for the web, here or up to two folders below. It is published once: `dotnet run` would build at each
 * start. It runs in the folder of its project, where its settings are.
 */
export function dotnetStart(folder: string): Start | null {
  const found = projectsIn(folder, 2)
    .map((path) => ({ path, project: xmlOf(join(folder, path)) }))
    .filter(({ project }) => project?.attributes.Sdk === 'Microsoft.NET.Sdk.Web' && !isTest(project));
  if (found.length !== 1) return null;
  const [{ path, project }] = found;
  const file = basename(path);
  const name = (textAt(project, 'PropertyGroup', 'AssemblyName') || undefined) ?? file.replace(/\.\w+$/, '');
  if (name.includes('$(')) return null;
  const projectFolder = join(folder, path, '..');
  const frameworks = elementsAt(project, 'PropertyGroup').flatMap((group) => [
    textAt(group, 'TargetFramework') ?? textAt(group, 'TargetFrameworks')?.split(';')[0] ?? [],
  ]);
  const version = /^net(\d+\.\d+)/.exec(String(frameworks.flat()[0] ?? ''))?.[1];
  const sdk = tableOf(jsonOf(join(folder, 'global.json')).sdk).version !== undefined;
  return {
    folder: projectFolder,
    argv: ['dotnet', literal(`${output}/${name}.dll`)],
    env: { ASPNETCORE_URLS: 'http://127.0.0.1:${port}' },
    entry: null,
    build: [['dotnet', 'publish', file, '-c', 'Release', '-o', output, ...alone]],
    ignored: ['bin', 'obj'],
    sources: /\.cs$/,
    setUp: sdk ? { dotnetFile: join(folder, 'global.json') } : { dotnet: `${version ?? '8.0'}.x` },
    why: `${path} is a project for the web`,
  };
}

/** @returns from that folder */
function projectsIn(folder: string, depth: number): string[] {
  const entries = entriesOf(folder);
  const here = entries.filter((entry) => entry.isFile() && /\.(?:cs|fs)proj$/.test(entry.name)).map(({ name }) => name);
  if (depth === 0) return here;
  const below = entries.filter(
    (entry) => entry.isDirectory() && !/^(?:\.|node_modules$|bin$|obj$|tests?$)/i.test(entry.name),
  );
  return [
    ...here,
    ...below.flatMap(({ name }) => projectsIn(join(folder, name), depth - 1).map((path) => join(name, path))),
  ];
}

const isTest = (project: Element) =>
  textAt(project, 'PropertyGroup', 'IsTestProject') === 'true' ||
  elementsAt(project, 'ItemGroup', 'PackageReference').some(
    ({ attributes }) => attributes.Include === 'Microsoft.NET.Test.Sdk',
  );
