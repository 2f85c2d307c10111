// Duets of two versions of what a system is made of: Express 4 against 5, s3proxy 2 against 4. Each side is a clone of
// HEAD; base's has the earlier version. Each duet is kept in reports/duets and committed when it ends.
//
//   node test/make/version-duets.js [name…]    # make version-duets; nothing else may run meanwhile
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/cli.js';
import { scratchFolder } from '../support/scratch.js';

/** @param {string} folder in specs/ @param {string} name of a package @returns {string} "express-5.3.0": what HEAD has */
function versionOf(folder, name) {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'specs', folder, 'package.json'), 'utf8'));
  return `${name}-${dependencies[name]}`;
}

const earlierExpress = '4.22.3';

/**
 * base, head: what the clones are called; change: makes base's of a clone of HEAD.
 * @type {Record<string, { base: string, head: string, args: string[], change: (clone: string) => void }>}
 */
const duets = {
  express: {
    base: `express-${earlierExpress}`,
    head: versionOf('express/app', 'express'),
    args: ['express', '--env', 'single', '--scenario', 'hello', '--set', 'rate=1000', '--profile', 'two-cores'],
    change: (clone) =>
      run(
        'npm',
        ['install', '--package-lock-only', '--save-exact', `express@${earlierExpress}`],
        join(clone, 'specs/express/app'),
      ),
  },
  s3proxy: {
    base: versionOf('s3proxy/v2', 's3proxy'),
    head: versionOf('s3proxy/v4', 's3proxy'),
    args: ['s3proxy', '--env', 'v4', '--scenario', 'sustained', '--profile', 'two-cores'],
    change: (clone) => {
      const [v2, v4] = ['v2', 'v4'].map((name) => join(clone, 'specs/s3proxy', name));
      rmSync(v4, { recursive: true });
      cpSync(v2, v4, { recursive: true });
    },
  },
};

/** @param {string} command @param {string[]} args @param {string} cwd @param {number[]} [codes] that are right */
function run(command, args, cwd, codes = [0]) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (!codes.includes(status ?? -1)) throw new Error(`${command} ${args.join(' ')}: exit code ${status}`);
}

const chosen = process.argv.slice(2);
for (const [name, { base, head, args, change }] of Object.entries(duets)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const folder = scratchFolder('version-duets');
  for (const side of [base, head]) run('git', ['clone', '--quiet', root, join(folder, side)], folder);
  change(join(folder, base));
  const suite = join(folder, head);
  const [program, kept] = [join(root, 'dist/cli/bin.js'), `${base}-to-${head.replace(/^.*-/, '')}`];
  run(process.execPath, [program, 'duet', `../${base}`, '.', ...args], suite, [0, 1, 3]); // a finding, whichever it is
  run(process.execPath, [program, 'keep', kept], suite);
  const place = `reports/duets/${kept}`;
  cpSync(join(suite, place), join(root, place), { recursive: true });
  run('git', ['add', '--', place], root);
  run('git', ['commit', '--quiet', '--message', `reports: keep the duet of ${base} and ${head}`, '--', place], root);
}
