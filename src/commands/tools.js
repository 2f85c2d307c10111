import { join } from 'node:path';
import { toolsFor } from '../requirements.js';
import { systemsAround } from '../suite.js';
import { buildTool } from '../tools/build.js';
import { findTool, lookForTool, toolsDir } from '../tools/find.js';

/** @typedef {import('../world.js').World} World */

/**
 * @param {import('commander').Command} program
 * @param {World} world
 */
export function register(program, world) {
  program
    .command('tools')
    .summary('find k6, Hugo and jq, and build missing ones with Go')
    .description('find k6, Hugo and jq (and other tools that the specs need), and build missing ones with Go')
    .action(async () => {
      world.exitCode = await provideTools(world);
    });
}

/**
 * Whether a tool was built by us before it had our own part in it.
 * @param {import('../tools/find.js').Wanted} wanted
 * @param {import('../tools/find.js').Tool} found
 */
const isOutdated = ({ ours, built }, { path, native }) =>
  ours !== undefined && !native && path === join(toolsDir, built);

/**
 * Sees to it that every tool is there that the suite needs: on PATH, or built into .tools/.
 * @param {World} world
 * @returns {Promise<number>} exit code
 */
export async function provideTools(world) {
  const { suite, systems } = systemsAround(world.cwd);
  const tools = toolsFor(suite, systems);
  const width = Math.max(...tools.map(({ title }) => title.length));
  for (const tool of tools) {
    const usable = (await lookForTool(tool.name)).filter((found) => found.usable);
    if (usable.every(({ slow }) => slow) || isOutdated(tool, usable[0])) {
      await buildTool(tool, world).catch((error) => {
        if (usable.length === 0) throw error; // a slow or an older one does
      });
    }
    const { path, version } = await findTool(tool.name);
    world.stdout.write(`${tool.title.padEnd(width)} ${version.padEnd(8)} ${path}\n`);
  }
  return 0;
}
