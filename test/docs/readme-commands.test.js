import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { Command } from 'commander';
import { benchfolio, folderOf, root } from '../support/cli.js';
import { documents, readDocument } from './blocks.js';
import { anchorOf } from './markdown.js';

// What a text tells people to type must be there: verbs, options, systems, targets of make; and what it leads to. What the
// commands do docs/run.js tries.
const texts = documents();

/** @param {string} text @returns {string[]} what is in fences and between backquotes, a line each */
const codeIn = (text) =>
  [...text.matchAll(/```[a-z]*\n([\s\S]*?)```|`([^`\n]+)`/g)].flatMap(([, block, word]) => (block ?? word).split('\n'));

/** @param {string} text @param {RegExp} before @returns {string[][]} the words of each command */
const commandsIn = (text, before) =>
  codeIn(text).flatMap((line) => {
    const [, rest] = before.exec(line.trim()) ?? [];
    return rest === undefined
      ? []
      : [
          rest
            .split(/\s+#|\s&&|\s\||;/)[0]
            .trim()
            .split(/\s+/),
        ];
  });

describe('what is told to be typed', async () => {
  const program = new Command('benchfolio');
  const world = /** @type {any} */ ({ env: {}, cwd: root });
  for (const file of readdirSync(join(root, 'src', 'commands'))) {
    const verb = await import(`../../src/commands/${file}`);
    verb.register?.(program, world);
  }
  const targets = new Set(
    [...readFileSync(join(root, 'Makefile'), 'utf8').matchAll(/^([a-z]+):/gm)].map(([, name]) => name),
  );

  for (const file of texts) {
    it(`is there: ${file}`, () => {
      const text = readFileSync(join(root, file), 'utf8');
      const commands = commandsIn(
        text,
        /^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npx (?:--yes )?benchfolio|benchfolio|node src\/bin\.js) (.*)$/,
      );
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
      for (const [target] of commandsIn(text, /^make ([a-z]+.*)$/))
        assert.ok(targets.has(target), `make has no target "${target}"`);
    });
  }

  for (const file of texts) {
    it(`leads somewhere: ${file}`, () => {
      const text = readFileSync(join(root, file), 'utf8');
      readDocument(text); // and no fence slips through
      for (const [, path, anchor] of withoutCode(text).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
        const target = path === '' ? join(root, file) : join(root, dirname(file), path);
        assert.ok(existsSync(target), `there is no ${path}`);
        if (anchor) assert.ok(anchorsIn(target).includes(anchor), `${path} has no heading #${anchor}`);
      }
    });
  }

  it('is a spec, where README.md shows one', async () => {
    const { blocks } = readDocument(readFileSync(join(root, 'README.md'), 'utf8'));
    const [spec] = blocks.filter(({ language, text }) => language === 'toml' && text.includes('\ntitle = '));
    const cwd = await folderOf({ 'bench.toml': '', 'specs/express/spec.toml': spec.text });
    const { code, stdout, stderr } = await benchfolio(['check', 'express'], { cwd });
    assert.equal(code, 0, stdout + stderr);
  });
});

/** @param {string} text */
const withoutCode = (text) => text.replace(/```[\s\S]*?```/g, '').replace(/(?<!\[)`[^`\n]*`/g, '');

/** @param {string} file @returns {string[]} */
const anchorsIn = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));
