// The documentation that comes with the package, on the command line.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { benchfolio } from '../support/cli.js';

describe('docs', () => {
  test('lists the pages, each with its title', async () => {
    const { code, stdout } = await benchfolio(['docs']);
    assert.equal(code, 0);
    assert.match(stdout, /^Guides\n {2}tutorial +\S.*\n/);
    assert.match(stdout, /\n {2}with-a-database +\S/);
    assert.match(stdout, /\nReference\n[\s\S]*\n {2}spec +Keys of a spec\n/);
    assert.match(stdout, /\nMethod\n {2}method /);
  });

  test('prints a page as Markdown, by its name or its file', async () => {
    const { code, stdout } = await benchfolio(['docs', 'from-a-k6-script']);
    assert.equal(code, 0);
    assert.match(stdout, /^# Move from a k6 script\n\nThis guide/);
    assert.doesNotMatch(stdout, /<!--|\+\+\+/);
    assert.equal((await benchfolio(['docs', 'reference/spec.md'])).stdout, (await benchfolio(['docs', 'spec'])).stdout);
  });

  test('a page that is not there is an error with the nearest name', async () => {
    const { code, stderr } = await benchfolio(['docs', 'tutorail']);
    assert.equal(code, 2);
    assert.match(stderr, /there is no page "tutorail"\n.*Did you mean "tutorial"\?/);
  });
});
