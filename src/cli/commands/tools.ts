import type { Command } from 'commander';
import { buildTool } from '../../base/tools/build-tool.js';
import { findTool, lookForTool, type ToolRequirement } from '../../base/tools/find-tool.js';
import type { World } from '../../base/world.js';
import { toolsFor } from '../../suite/requirements.js';
import { specPath, systemsAround } from '../../suite/suite.js';

export function register(program: Command, world: World) {
  program
    .command('tools [system...]')
    .summary('find k6, Hugo and jq, and build missing ones with Go')
    .description('find k6, Hugo and jq (and other tools that the specs need), and build missing ones with Go')
    .action(async (named) => {
      world.exitCode = await provideTools(named, world);
    });
}

/**
 * Sees to it that every tool is there that systems need: on PATH, from npm, or built into .tools/, beside each other.
 * @param named systems; all of the suite when empty
 * @returns exit code
 */
export async function provideTools(named: string[], world: World): Promise<number> {
  const { suite, systems } = systemsAround(world.cwd);
  for (const name of named) specPath(suite, name); // says which there are
  const tools = toolsFor(suite, named.length > 0 ? named : systems);
  const width = Math.max(...tools.map(({ title }) => title.length));
  // One that cannot be built must not leave the others half built.
  const built = await Promise.allSettled(tools.map((tool) => provide(tool, world)));
  for (const [i, tool] of tools.entries()) {
    if (built[i].status === 'rejected') continue;
    const { path, version, native } = await findTool(tool.name, { native: true });
    const lacks = tool.ours && !native ? ' (without the native player: JavaScript sends the requests)' : '';
    world.stdout.write(`${tool.title.padEnd(width)} ${version.padEnd(8)} ${path}${lacks}\n`);
  }
  const failed = built.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return 0;
}

/** Builds a tool where none will do, or none has our own part in it. */
async function provide(tool: ToolRequirement, world: World) {
  const usable = (await lookForTool(tool.name)).filter((found) => found.usable);
  if (usable.some(({ slow, native }) => (tool.ours ? native : !slow))) return;
  await buildTool(tool, world).catch((error) => {
    if (usable.length === 0) throw error; // one that is slow or lacks our part does
    world.stderr.write(`${error.message}\n`);
  });
}
