import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Command } from 'commander';
import { root } from './cli.js';

// What a text tells people to type must be there: verbs, options, systems, targets of make. What the commands do is tried
// by the tests of each, and by .ci/run.
const texts = ['README.md', 'CONTRIBUTING.md', 'site/content/method.md', ...readdirSync(join(root, 'specs'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory()).map(({ name }) => `specs/${name}/README.md`)];

/** @param {string} text @returns {string[]} what is in fences and between backquotes, a line each */
const codeIn = (text) => [...text.matchAll(/```[a-z]*\n([^]*?)```|`([^`\n]+)`/g)].flatMap(([, block, word]) => (block ?? word).split('\n'));

/** @param {string} text @param {RegExp} before @returns {string[][]} the words of each command */
const commandsIn = (text, before) => codeIn(text).flatMap((line) => {
  const [, rest] = before.exec(line.trim()) ?? [];
  return rest === undefined ? [] : [rest.split(/\s+#|\s&&|\s\||;/)[0].trim().split(/\s+/)];
});

describe('what is told to be typed', async () => {
  const program = new Command('benchfolio');
  const world = /** @type {any} */ ({ env: {}, cwd: root });
  for (const file of readdirSync(join(root, 'src', 'commands')).filter((name) => name !== 'choice.js')) {
    const verb = await import(`../src/commands/${file}`);
    verb.register?.(program, world);
  }
  const targets = new Set([...readFileSync(join(root, 'Makefile'), 'utf8').matchAll(/^([a-z]+):/gm)].map(([, name]) => name));

  for (const file of texts) {
    it(`is there: ${file}`, () => {
      const text = readFileSync(join(root, file), 'utf8');
      const commands = commandsIn(text, /^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npx (?:--yes )?benchfolio|benchfolio|node src\/bin\.js) (.*)$/);
      if (file === 'README.md') assert.ok(commands.length > 15, `only ${commands.length} commands were found`);
      for (const [verb, ...words] of commands) {
        if (verb.startsWith('-') || verb.startsWith('<')) continue;
        const command = program.commands.find((one) => one.name() === verb);
        assert.ok(command, `there is no verb "${verb}"`);
        const known = command.options.flatMap(({ long, short }) => [long, short]);
        for (const word of words.filter((one) => one.startsWith('-'))) {
          const option = word.split('=')[0];
          assert.ok(option === '--help' || known.includes(option), `${verb} has no option ${option}`);
        }
      }
      for (const [target] of commandsIn(text, /^make ([a-z]+.*)$/)) assert.ok(targets.has(target), `make has no target "${target}"`);
    });
  }
});
