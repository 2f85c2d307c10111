import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCodes, UserError } from '../errors.js';
import { exec } from './exec.js';
import { hasOtherSources } from './sources.js';

/** The folder of this package. */
export const packageRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** @returns this package's version */
export const packageVersion = (): string => JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')).version;

/**
 * Where tools are built: BENCHFOLIO_TOOLS (a cache shared by repositories), else `.tools/` of the repository
 * that uses us, which is our own or the one whose node_modules we are in: `npm ci` empties node_modules.
 */
export const toolsDir = process.env.BENCHFOLIO_TOOLS ?? usualToolsDir(packageRoot, process.env);

/**
 * @param packageFolder of the package
 * @returns that of the user, where we belong to no repository: by `npx` alone, or installed for the whole machine
 */
function usualToolsDir(packageFolder: string, env: NodeJS.ProcessEnv): string {
  const [folder, inModules] = packageFolder.split('/node_modules/');
  const passing = /\/(?:_npx|dlx)\//.test(packageFolder) || !existsSync(join(folder, 'package.json'));
  if (inModules === undefined || !passing) return join(folder, '.tools');
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'benchfolio', 'tools');
}

/**
 * The folder of programs that npm installed with this package, built for this platform at this version: an optional
 * dependency, as a release packs it (test/make/release).
 * @returns null: there is none for this platform, or it was left out
 */
function platformFolder(): string | null {
  try {
    const file = createRequire(import.meta.url).resolve(`${platformPackage(process)}/package.json`);
    const { version } = JSON.parse(readFileSync(file, 'utf8'));
    return version === packageVersion() ? join(dirname(file), 'bin') : null;
  } catch {
    return null;
  }
}

/**
 * The name of the package with the tools for a platform.
 * @param of as Node.js names them
 */
export const platformPackage = ({ platform, arch }: { platform: string; arch: string }): string =>
  `@benchfolio/tools-${platform}-${arch}`;

/**
 * What we need to know of a tool. A program is looked for under `commands` on PATH, in this order, then as `built` in the
 * package for this platform, then in .tools/. The versions we build stand in src/base/tools/<built>/go.mod and there only.
 * `versionVariable` is where the linker puts it in, for a program that would not know it; `optional` says which key of a
 * spec needs the tool: without it the tool is not. `slow` is what a version prints that is used only where no other is.
 * `main` is what is built where that is not the package itself: a program of ours around it, whose version prints `ours`,
 * with our part of it in `sources`.
 */
export type ToolRequirement = {
  name: string;
  title: string;
  commands: string[];
  built: string;
  package: string;
  main?: string;
  ours?: RegExp;
  sources?: readonly string[];
  version: string[];
  pattern: RegExp;
  minimum: string;
  slow?: RegExp;
  versionVariable?: string;
  optional?: 'network';
};

export const toolRequirements: Record<string, ToolRequirement> = {
  k6: {
    name: 'k6',
    title: 'k6',
    commands: ['k6'],
    built: 'k6',
    package: 'go.k6.io/k6/v2',
    main: '.',
    ours: /k6\/x\/benchfolio/,
    sources: ['k6/native', 'src/base/tools/k6'],
    version: ['version'],
    pattern: /k6(?:\.exe)? v(\d+\.\d+(?:\.\d+)?)/,
    minimum: '2.0',
  },
  hugo: {
    name: 'hugo',
    title: 'Hugo',
    commands: ['hugo'],
    built: 'hugo',
    package: 'github.com/gohugoio/hugo',
    version: ['version'],
    pattern: /hugo v(\d+\.\d+(?:\.\d+)?)/,
    minimum: '0.146',
  },
  jq: {
    name: 'jq',
    title: 'jq',
    commands: ['jq', 'gojq'],
    built: 'gojq',
    package: 'github.com/itchyny/gojq/cmd/gojq',
    version: ['--version'],
    pattern: /^(?:jq-|gojq )(\d+\.\d+(?:\.\d+)?)/,
    minimum: '0.12',
    slow: /^jq-1\.6/, // it takes 1.7 s to compile record.json.jq, gojq 0.1 s
  },
  toxiproxy: {
    name: 'toxiproxy',
    title: 'Toxiproxy',
    commands: ['toxiproxy-server'],
    built: 'toxiproxy',
    package: 'github.com/Shopify/toxiproxy/v2/cmd/server',
    version: ['-version'],
    pattern: /toxiproxy-server version v?(\d+\.\d+(?:\.\d+)?)/,
    minimum: '2.1',
    versionVariable: 'github.com/Shopify/toxiproxy/v2.Version',
    optional: 'network',
  },
};

/** jq and gojq number their versions differently. */
const minimumOf = (tool: ToolRequirement, text: string) => (text.startsWith('jq-') ? '1.6' : tool.minimum);

/**
 * A program that is there: usable, or too old. native: it is a k6 with the native player in it, and if we
 * built it, with the one that belongs to this package.
 */
export type Tool = {
  name: string;
  path: string;
  version: string;
  usable: boolean;
  slow: boolean;
  native: boolean;
  minimum: string;
};

const foundTools: Map<string, Promise<Tool[]>> = new Map();

/**
 * All programs that could serve as a tool, best first.
 * @param name 'k6', 'hugo', 'jq' or 'toxiproxy'
 */
export function lookForTool(name: string): Promise<Tool[]> {
  const found =
    foundTools.get(name) ??
    Promise.all(pathsOf(toolRequirements[name]).map((path) => inspect(toolRequirements[name], path))).then((tools) =>
      tools.filter((tool) => tool !== null),
    );
  foundTools.set(name, found);
  return found;
}

/** Forgets what was found: a tool has been built. */
export const forgetTools = () => foundTools.clear();

/**
 * The tool to use: the first on PATH that is new enough, else that of npm's package for this platform, else the one built
 * into .tools/; a slow one only where there is no other.
 * @param name 'k6', 'hugo', 'jq' or 'toxiproxy'
 * @param able native: rather one with the native player in it
 * @throws {UserError} code 4: there is none, or only ones that are too old
 */
export async function findTool(name: string, { native = false }: { native?: boolean } = {}): Promise<Tool> {
  const tools = await lookForTool(name);
  const usable = tools.filter((tool) => tool.usable);
  const able = usable.find((tool) => (native && toolRequirements[name].ours ? tool.native : !tool.slow)) ?? usable[0];
  if (able) return able;
  const { title } = toolRequirements[name];
  const old = tools.map((tool) => `${tool.path} is ${tool.version}, older than ${tool.minimum}`).join('; ');
  throw new UserError(`${title} is needed and ${old ? `not new enough: ${old}` : 'is not on PATH'}`, {
    code: exitCodes.error,
    hint: `Run \`npx benchfolio tools\`: it builds what is missing with Go, once.`,
  });
}

/**
 * The version of a tool that we build.
 * @returns e.g. "2.2.0"
 */
export function pinnedVersion(tool: ToolRequirement): string {
  const mod = readFileSync(join(packageRoot, 'src', 'base', 'tools', tool.built, 'go.mod'), 'utf8');
  const module = tool.package.replace(/\/cmd\/.*$/, '');
  return mod.match(new RegExp(`^\\s*(?:require )?${module.replaceAll('.', '\\.')} v(\\S+)`, 'm'))?.[1] ?? 'unknown';
}

function pathsOf(tool: ToolRequirement): string[] {
  const onPath = tool.commands.flatMap((command) => placesOf(command, process.env));
  const folders = [platformFolder(), toolsDir].filter((folder) => folder !== null);
  return [...new Set([...onPath, ...folders.map((folder) => join(folder, tool.built))])].filter(isProgram);
}

/**
 * The first program that could serve as a tool, without a look at its version.
 * @param name 'k6', 'hugo', 'jq' or 'toxiproxy'
 * @returns null: there is none
 */
export const programOf = (name: string): string | null => pathsOf(toolRequirements[name])[0] ?? null;

const placesOf = (command: string, { PATH = '' }: NodeJS.ProcessEnv) =>
  PATH.split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, command));

/**
 * Where a program is.
 * @param command a name, or a path
 * @returns null: not on PATH
 */
export const findProgram = (command: string, env: NodeJS.ProcessEnv): string | null =>
  (command.includes('/') ? [command] : placesOf(command, env)).find(isProgram) ?? null;

function isProgram(path: string) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @returns null: something else of that name, or it does not start */
async function inspect(tool: ToolRequirement, path: string): Promise<Tool | null> {
  // k6 would otherwise try to fetch an extension when it does not know a subcommand.
  const env = { ...process.env, K6_AUTO_EXTENSION_RESOLUTION: 'false' };
  const text = await exec(path, tool.version, { env, timeout_ms: 20_000 }).then(
    (printed) => String(printed).trim(),
    () => '',
  );
  const version = text.match(tool.pattern)?.[1];
  if (!version) return null;
  const minimum = minimumOf(tool, text);
  return {
    name: tool.name,
    path,
    version,
    minimum,
    usable: !isOlder(version, minimum),
    slow: tool.slow?.test(text) ?? false,
    native: (tool.ours?.test(text) ?? false) && !isOfBefore(tool, path),
  };
}

/** Did we build it of other sources than there are now? */
const isOfBefore = ({ built, sources }: ToolRequirement, path: string) =>
  sources !== undefined && path === join(toolsDir, built) && hasOtherSources(path, packageRoot, sources);

function isOlder(version: string, minimum: string) {
  const [a, b] = [version, minimum].map((text) => text.split('.').map(Number));
  const at = b.findIndex((part, index) => (a[index] ?? 0) !== part);
  return at >= 0 && (a[at] ?? 0) < b[at];
}
