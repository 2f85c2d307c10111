import { readFileSync } from 'node:fs';
import { availableParallelism, freemem, platform } from 'node:os';
import type { Command } from 'commander';
import { exitCodes, UserError } from '../../base/errors.js';
import { counted, formatBytes } from '../../base/format.js';
import { findEngine } from '../../base/tools/container-engine.js';
import { exec } from '../../base/tools/exec.js';
import { findTool, pinnedVersion, type ToolRequirement } from '../../base/tools/find-tool.js';
import type { World } from '../../base/world.js';
import { cachedTrees, cacheLimit, cacheOf } from '../../run/duet/tree-cache.js';
import { checkSuite } from '../../suite/check/check.js';
import { missingPrograms } from '../../suite/check/lints/programs.js';
import { hasContainers, installCommand, type Requirement, requirementsOf, toolsFor } from '../../suite/requirements.js';
import { loadSuite, openSpec, openSuite, systemNames, systemsAround } from '../../suite/suite.js';

type DoctorRow = { what: string; state: 'ok' | 'missing' | 'note'; found: string; todo?: string };

export function register(program: Command, world: World) {
  program
    .command('doctor')
    .description('check this machine, and say how to install what is missing')
    .action(async () => {
      world.exitCode = await doctor(world);
    });
}

/**
 * Prints a row for everything a run needs.
 * @returns 0, or 4 when something that every run needs is missing
 */
export async function doctor(world: World): Promise<number> {
  const { suite, systems } = systemsAround(world.cwd);
  const rows = [
    ...(await Promise.all(toolsFor(suite, systems).map(toolRow))),
    ...(await machineRows()),
    suiteRow(world),
    await cacheRow(world),
    ...requirementsOf(suite, systems, world.env).map(requirementRow),
    ...(await engineRows(suite, systems, world)),
    ...systems.flatMap((system) => programRows(system, world)),
  ];
  const mark = { ok: 'ok     ', missing: 'MISSING', note: 'note   ' };
  for (const { what, state, found, todo } of rows) {
    world.stdout.write(`${mark[state]}  ${what.padEnd(12)} ${found}\n${todo ? `${' '.repeat(22)}-> ${todo}\n` : ''}`);
  }
  return rows.some((row) => row.state === 'missing') ? exitCodes.error : exitCodes.pass;
}

/** @returns none where no service is a container */
async function engineRows(suite: { root: string }, systems: readonly string[], { env }: World): Promise<DoctorRow[]> {
  const users = systems.filter((system) => hasContainers(suite, system));
  if (users.length === 0) return [];
  const what = 'containers';
  try {
    const { name, version, program, compose } = await findEngine(env);
    const more = compose ? `, compose: ${compose.join(' ')}` : ', no compose';
    return [{ what, state: 'ok', found: `${name} ${version} at ${program}${more}` }];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [{ what, state: 'note', found: `${error.message} (${users.join(', ')})`, todo: error.hint }];
  }
}

async function toolRow(tool: ToolRequirement): Promise<DoctorRow> {
  try {
    const { path, version, native } = await findTool(tool.name, { native: true });
    const found = `${version} at ${path}`;
    if (!tool.ours || native) return { what: tool.title, state: 'ok', found };
    const todo = 'npx benchfolio tools (builds one with the native player, with Go)';
    return { what: tool.title, state: 'note', found: `${found}, without the native player`, todo };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const go = await versionOf('go', ['version']);
    const todo = go
      ? `npx benchfolio tools (builds ${pinnedVersion(tool)} with Go)`
      : 'install Go, then: npx benchfolio tools';
    return { what: tool.title, state: tool.optional ? 'note' : 'missing', found: error.message, todo };
  }
}

/** What a system requires: without it the others run, so it is only a note. */
function requirementRow({ system, environments, found, missing, why, package: packages }: Requirement): DoctorRow {
  if (missing.length === 0) return { what: system, state: 'ok', found: found.join(', ') };
  const where = environments ? ` (in ${environments.join(', ')})` : '';
  return {
    what: system,
    state: 'note',
    found: `${missing.join(' and ')} not found: ${why}${where}`,
    todo: `on Debian and Ubuntu: ${installCommand(packages.split(/\s+/))}`,
  };
}

/** Programs that a spec calls without requiring them. */
function programRows(system: string, { cwd, env }: World): DoctorRow[] {
  const suite = openSuite(cwd);
  const { cases } = checkSuite(suite, [system]);
  const { requires } = openSpec(suite, system).spec;
  const found = new Set(
    cases.flatMap((benchCase) => missingPrograms(benchCase, env, requires)).map(({ message }) => message),
  );
  return [...found].map((message) => ({ what: system, state: 'note', found: message }));
}

async function machineRows(): Promise<DoctorRow[]> {
  const [go, taskset] = await Promise.all([versionOf('go', ['version']), versionOf('taskset', ['--version'])]);
  const files = readable('/proc/self/limits')?.match(/Max open files\s+(\d+)/)?.[1];
  const ports = readable('/proc/sys/net/ipv4/ip_local_port_range')?.trim().split(/\s+/).map(Number);
  return [
    { what: 'Go', state: go ? 'ok' : 'note', found: go ?? 'not on PATH: only needed to build what is missing above' },
    platform() === 'linux'
      ? { what: 'system', state: 'ok', found: 'Linux: CPU and memory of services can be read' }
      : {
          what: 'system',
          state: 'missing',
          found: `${platform()}: services are sampled from /proc`,
          todo: 'run on Linux',
        },
    {
      what: 'cores',
      state: availableParallelism() > 1 ? 'ok' : 'note',
      found: `${availableParallelism()}`,
      todo: availableParallelism() > 1 ? undefined : 'k6 and the service share one core: expect "generator-limited"',
    },
    { what: 'memory', state: 'ok', found: `${formatBytes(freemem())} free` },
    {
      what: 'open files',
      state: Number(files) < 4096 ? 'note' : 'ok',
      found: files ?? 'unknown',
      todo: Number(files) < 4096 ? 'ulimit -n 65536 before scenarios with many users' : undefined,
    },
    { what: 'ports', state: 'ok', found: ports ? `${ports[1] - ports[0] + 1} for outgoing connections` : 'unknown' },
    {
      what: 'taskset',
      state: taskset ? 'ok' : 'note',
      found: taskset ?? 'not on PATH: services with `cpus` cannot be pinned (package util-linux)',
    },
  ];
}

function suiteRow(world: World): DoctorRow {
  try {
    const suite = loadSuite(world.cwd);
    const names = systemNames(suite);
    return { what: 'suite', state: 'ok', found: `${suite.root}: ${names.join(', ') || 'no systems yet'}` };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { what: 'suite', state: 'note', found: error.message, todo: error.hint };
  }
}

async function cacheRow({ env }: World): Promise<DoctorRow> {
  const cache = cacheOf(env);
  const trees = await cachedTrees(cache);
  const bytes = trees.reduce((sum, tree) => sum + tree.bytes, 0);
  const most = `at most ${cacheLimit.trees} and ${formatBytes(cacheLimit.bytes)}`;
  const found = `${counted(trees.length, 'tree')} of duets, ${formatBytes(bytes)} (${most}) in ${cache}`;
  return {
    what: 'cache',
    state: 'ok',
    found,
    todo: trees.length ? 'npx benchfolio clean deletes what nothing needs' : undefined,
  };
}

/** @returns null: it is not there */
const versionOf = (command: string, args: string[]): Promise<string | null> =>
  exec(command, args).then(
    (printed) => String(printed).trim(),
    () => null,
  );

function readable(file: string) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
