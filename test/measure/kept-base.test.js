// "kept" as the base of a duet: the commit from which a chain of kept duets goes on.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { duetText } from '../../dist/records/duets.js';
import { keptBase } from '../../dist/run/duet/kept-base.js';
import { comparisonOf } from '../support/comparisons.js';
import { scratchFolder } from '../support/scratch.js';

/** @type {any} */
let duet;
before(async () => {
  duet = await comparisonOf([{ name: 'list' }]);
});

/**
 * A repository with so many commits, and a branch of one more beside the last.
 * @param {number} count
 */
function repository(count) {
  const root = scratchFolder('kept');
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: root,
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet', '--initial-branch=main');
  const commit = (/** @type {unknown} */ message) => {
    git('commit', '--quiet', '--allow-empty', '-m', `${message}`);
    return git('rev-parse', 'HEAD');
  };
  const commits = Array.from({ length: count }, (_, i) => commit(i));
  git('checkout', '--quiet', '-b', 'other', commits[0]);
  return { root, commits, other: commit('other') };
}

/** @param {string} root @param {string} name @param {string} time @param {string | null} head */
function keep(root, name, time, head) {
  const folder = join(root, 'reports', 'duets', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'comparison.json'), duetText({ ...duet, time, commits: { base: null, head } }));
}

/** @param {string | null} commit @param {boolean} [dirty] @returns {any} */
const side = (commit, dirty = false) => ({ label: 'head', commit, dirty });

test('kept is the head of the newest duet that leads here; one of another branch, or of this commit, does not', async () => {
  const { root, commits, other } = repository(4);
  keep(root, 'a', '2026-03-01T00:00:00.000Z', commits[1]);
  keep(root, 'b', '2026-03-02T00:00:00.000Z', commits[2]);
  keep(root, 'c', '2026-03-03T00:00:00.000Z', other);
  keep(root, 'd', '2026-03-04T00:00:00.000Z', commits[3]);
  keep(root, 'e', '2026-03-05T00:00:00.000Z', null);
  assert.equal(await keptBase({ root }, side(commits[3])), commits[2]);
  assert.equal(await keptBase({ root }, side(commits[3], true)), commits[3]);
  assert.equal(await keptBase({ root }, side(commits[2])), commits[1]);
  assert.equal(await keptBase({ root }, side(other)), commits[0]);
});

test('where no duet is kept it is the commit before; what has none is refused', async () => {
  const { root, commits } = repository(2);
  mkdirSync(join(root, 'reports', 'duets', 'cut'), { recursive: true });
  writeFileSync(join(root, 'reports', 'duets', 'cut', 'comparison.json'), '{');
  assert.equal(await keptBase({ root }, side(commits[1])), commits[0]);
  assert.equal(await keptBase({ root }, side(commits[1], true)), commits[1]);
  await assert.rejects(keptBase({ root }, side(commits[0])), {
    code: 2,
    message: /no kept duet leads to head, and there is no commit before it/,
  });
  await assert.rejects(keptBase({ root }, side(null)), { code: 2, message: /head is of no commit/ });
});
