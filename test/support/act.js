// Runs workflows on this machine by nektos/act, without Docker. What is GitHub's own is stood in for by test/support/workflows/: the
// stores of artifacts and of the cache are folders.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTool, toolRequirements } from '../../dist/base/tools/find-tool.js';
import { root } from './cli.js';

const workflows = join('.github', 'workflows');

/**
 * @param {{ scratch: string, repository: string, env?: NodeJS.ProcessEnv, tools?: boolean }} place scratch: a folder for
 *   its files; repository: whose workflows run; env: besides that of this process; tools: false: those on PATH do not have ours
 */
export async function actIn({ scratch, repository, env = {}, tools = true }) {
  const store = join(scratch, 'store');
  const bin = join(scratch, 'bin');
  mkdirSync(bin);
  if (tools) await linkTools(bin);
  return {
    /** Artifacts by name, and the cache. */
    store,
    /**
     * @param {string} name of the workflow
     * @param {string} event
     * @param {object} payload
     * @param {string[]} args
     * @returns {Promise<{ code: number, text: string }>} text: what it printed
     */
    async act(name, event, payload, args = []) {
      const file = join(scratch, `${event}.json`);
      writeFileSync(file, JSON.stringify(payload));
      const argv = [
        ...['-C', join(root, 'test', 'tools', 'act'), 'tool', 'act', event],
        ...['--directory', repository],
        ...['--workflows', join(repository, workflows, `${name}.yml`)],
        ...['--eventpath', file],
        ...['--platform', 'ubuntu-24.04=-self-hosted'],
        ...['--action-cache-path', join(scratch, 'act')],
        '--no-cache-server',
        ...['--env', `STORE=${store}`],
        ...standIns(repository),
        ...args,
      ];
      const child = spawn('go', argv, {
        env: { ...process.env, CGO_ENABLED: '0', ...env, PATH: `${bin}:${process.env.PATH}` },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (part) => {
          text += part;
          process.stdout.write(part);
        });
      }
      const code = await new Promise((resolve) => child.on('close', resolve));
      return { code, text };
    },
  };
}

/**
 * The payload of an event that a workflow's run is requested or completed.
 * @param {'requested' | 'completed'} action
 * @param {string} head_sha of the pull request
 */
export const workflowRun = (action, head_sha) => ({
  action,
  repository: { id: 1, full_name: 'acme/shop' },
  workflow_run: {
    id: 1,
    event: 'pull_request',
    conclusion: 'failure',
    head_sha,
    head_branch: 'faster',
    html_url: 'https://github.example/runs/1',
    head_repository: { full_name: 'acme/shop', owner: { login: 'acme' } },
    pull_requests: [{ number: 7, base: { repo: { id: 1 } } }],
  },
});

/**
 * What is built here already need not be built again: the action finds it on PATH.
 * @param {string} bin
 */
async function linkTools(bin) {
  for (const tool of Object.values(toolRequirements)) {
    const found = await findTool(tool.name).catch(() => null); // else the action builds it
    if (found) symlinkSync(found.path, join(bin, tool.name === 'jq' ? 'jq' : tool.commands[0]));
  }
}

/** The actions that the workflows take from elsewhere, and what stands in for each here. @param {string} repository */
function standIns(repository) {
  const files = readdirSync(join(repository, workflows)).map((name) => join(repository, workflows, name));
  const uses = [...files, join(root, 'action.yml')].map((file) => readFileSync(file, 'utf8')).join('\n');
  const pins = new Set(uses.replace(/(actions\/[a-z-]+)\/[a-z]+@/g, '$1@').match(/actions\/[a-z-]+@[0-9a-f]{40}/g));
  const folderOf = (/** @type {string} */ pin) =>
    join(root, 'test', 'support', 'workflows', pin.slice('actions/'.length).split('@')[0]);
  return [...pins]
    .filter((pin) => existsSync(folderOf(pin)))
    .flatMap((pin) => ['--local-repository', `${pin}=${folderOf(pin)}`]);
}

/** @param {{ code: number, text: string }} ended @param {string} name @returns {string} what it printed */
export function succeeded({ code, text }, name) {
  assert.equal(code, 0, `act ${name} ended with ${code}`);
  return text;
}
