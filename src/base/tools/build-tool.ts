import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes, UserError } from '../errors.js';
import { makeFolder } from '../io/files.js';
import type { World } from '../world.js';
import { exec } from './exec.js';
import { forgetTools, packageRoot, pinnedVersion, type ToolRequirement, toolsDir } from './find-tool.js';
import { noteSources } from './sources.js';

/**
 * Builds a tool with Go, at the version its go.mod pins, into .tools/. Shows how far it is:
 * go prints each package as it is compiled, and says before which ones are out of date.
 * @throws {UserError} code 4: there is no Go, or the build fails
 */
export async function buildTool(tool: ToolRequirement, world: World): Promise<void> {
  const module = join(packageRoot, 'src', 'base', 'tools', tool.built);
  const target = join(toolsDir, tool.built);
  const half = `${target}.${process.pid}.tmp`;
  const say = progressLine(tool, world);
  makeFolder(toolsDir);
  say(`${tool.title} ${pinnedVersion(tool)}: fetching (minutes, the first time)`);
  const stale = await outOfDate(tool, module);
  const started = Date.now();
  let done = 0;
  try {
    await compile(tool, module, half, () => {
      done += 1;
      const left = Math.round((((Date.now() - started) / done) * Math.max(0, stale - done)) / 1000);
      say(`${tool.title} ${pinnedVersion(tool)}: ${done} of ${Math.max(stale, done)} packages, about ${left} s left`);
    });
    renameSync(half, target);
    if (tool.sources) noteSources(target, packageRoot, tool.sources);
  } finally {
    rmSync(half, { force: true });
    say.end();
  }
  forgetTools();
}

/**
 * The version of Go that a module asks for: one that may not fetch another (GOTOOLCHAIN=local) refuses to build with less.
 * @param module its folder
 * @returns such as 1.26
 */
export const goNeeded = (module: string): string | undefined =>
  /^go (\d+\.\d+)/m.exec(readFileSync(join(module, 'go.mod'), 'utf8'))?.[1];

/** Milliseconds: on a small machine k6 takes ten minutes. */
const longestBuild_ms = 3_600_000;

const goEnv = () => ({ ...process.env, CGO_ENABLED: '0' });

/** How many packages the build will compile; it also downloads the modules. */
async function outOfDate(tool: ToolRequirement, module: string) {
  const stale = '{{if .Stale}}{{.ImportPath}}{{end}}';
  const args = ['list', '-trimpath', '-deps', '-f', stale, tool.main ?? tool.package];
  const list = await exec('go', args, { cwd: module, env: goEnv() }).catch((cause) => {
    throw new UserError(
      cause.missing ? `Go is needed to build ${tool.title}, and is not on PATH` : whyGoFailed(tool, cause.stderr),
      {
        code: exitCodes.error,
        cause,
        hint: `Install Go (${goNeeded(module)} or later), or put ${tool.title} ${tool.minimum} or later on PATH.`,
      },
    );
  });
  return String(list).split('\n').filter(Boolean).length;
}

async function compile(tool: ToolRequirement, module: string, output: string, onPackage: () => void): Promise<void> {
  const args = buildArguments(tool, output);
  const onLine = (line: string) => {
    if (/^[\w./-]+$/.test(line)) onPackage();
  };
  await exec('go', args, { cwd: module, env: goEnv(), onLine, timeout_ms: longestBuild_ms }).catch((cause) => {
    const last = cause.stderr.split('\n').slice(-8).join('\n');
    throw new UserError(whyGoFailed(tool, last), { code: exitCodes.error, cause });
  });
}

/** How Go is called in a tool's module: the same sources and the same Go make the same bytes, wherever they are built. */
export function buildArguments(tool: ToolRequirement, output: string): string[] {
  const version = tool.versionVariable ? ` -X ${tool.versionVariable}=${pinnedVersion(tool)}` : '';
  return [
    ...['build', '-v', '-trimpath', '-buildvcs=false', `-ldflags=-s -w${version}`],
    ...['-o', output, tool.main ?? tool.package],
  ];
}

const whyGoFailed = (tool: ToolRequirement, text: string) =>
  `Go could not build ${tool.title}:\n${String(text).trim()}`;

/** How far each build is, of those that run beside each other. */
const building: Map<string, string> = new Map();

/**
 * A line of a build: on a terminal, builds beside each other share one, which is redrawn; elsewhere each has a line every ten
 * seconds.
 */
function progressLine({ title }: ToolRequirement, { stderr }: World) {
  let last = 0;
  const draw = () => stderr.write(`\r\x1b[K${[...building.values()].join('; ')}`);
  const say = (text: string) => {
    building.set(title, text);
    if (stderr.isTTY) draw();
    else if (Date.now() - last > 10_000) stderr.write(`${text}\n`);
    else return;
    last = Date.now();
  };
  say.end = () => {
    building.delete(title);
    if (stderr.isTTY) draw();
  };
  return say;
}
