import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { Command } from 'commander';
import { writtenText } from '../../dist/init/init-summary.js';
import { readTable } from '../make/stages.js';
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

describe('what readers are to type', async () => {
  const program = new Command('benchfolio');
  const world = /** @type {any} */ ({ env: {}, cwd: root });
  for (const file of readdirSync(join(root, 'dist', 'cli', 'commands')).filter((name) => name.endsWith('.js'))) {
    const verb = await import(`../../dist/cli/commands/${file}`);
    verb.register?.(program, world);
  }
  const targets = new Set(
    [...readFileSync(join(root, 'Makefile'), 'utf8').matchAll(/^([a-z-]+):/gm)].map(([, name]) => name),
  );

  for (const file of texts) {
    it(`is there: ${file}`, () => {
      const text = readFileSync(join(root, file), 'utf8');
      const commands = commandsIn(
        text,
        /^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npx (?:--yes )?benchfolio|benchfolio|node dist\/cli\/bin\.js) (.*)$/,
      );
      if (file === 'README.md') assert.ok(commands.length > 10, `only ${commands.length} commands were found`);
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

  it('is a stage of .ci/run or .ci/live where a document says so', () => {
    const stages = ['run', 'live'].flatMap((name) => {
      const [, table] = /<<'STAGES'\n([\s\S]*)STAGES\n/.exec(readFileSync(join(root, '.ci', name), 'utf8')) ?? [];
      return readTable(table ?? '').map(({ command }) => command);
    });
    const named = texts.flatMap((file) =>
      readDocument(readFileSync(join(root, file), 'utf8')).blocks.flatMap(
        ({ marks }) => marks['run by']?.split(', ') ?? [],
      ),
    );
    assert.notEqual(named.length, 0);
    for (const command of named) assert.ok(stages.includes(command), `no stage is "${command}"`);
  });

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

  for (const tools of [true, false]) {
    it(`is what init prints, where README.md goes on from it ${tools ? 'with' : 'without'} the tools`, async () => {
      const folder = await folderOf({ 'package.json': '{}', 'specs/shop/spec.toml': '' });
      const printed = writtenText({
        repository: /** @type {any} */ ({ root: folder, top: folder, git: true }),
        cwd: folder,
        name: 'shop',
        seen: /** @type {any} */ ({ seen: [], unsure: [], service: {} }),
        files: /** @type {any} */ ([{ file: join(folder, 'specs/shop/spec.toml'), state: 'new', what: 'a spec' }]),
        repeat: ['init'],
        tools,
      });
      const next = printed.slice(printed.indexOf('\nNext:'));
      const verbsOf = (/** @type {string} */ text) => [...text.matchAll(/^ *npx benchfolio (\w+)/gm)].map(([, v]) => v);
      const { blocks } = readDocument(readFileSync(join(root, 'README.md'), 'utf8'));
      const [{ text }] = blocks.filter((block) => block.text.includes('npx benchfolio init '));
      assert.match(text, /^npm install --save-dev benchfolio$/m);
      assert.match(next, /npm install --save-dev benchfolio/);
      const [first, ...shown] = verbsOf(text).filter((verb) => verb !== 'tools' || !tools);
      assert.equal(first, 'init');
      assert.deepEqual(
        verbsOf(next).filter((verb) => shown.includes(verb)),
        shown,
      );
      assert.match(text, /npx benchfolio tools +# once, and only if init lists it/);
    });
  }

  it('is a spec, where README.md shows one', async () => {
    const { blocks } = readDocument(readFileSync(join(root, 'README.md'), 'utf8'));
    const [spec] = blocks.filter(({ language, text }) => language === 'toml' && text.startsWith('#:schema'));
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
