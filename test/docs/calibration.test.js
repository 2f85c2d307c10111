// A README's table of a calibration is what `replay` prints of the trials that are kept. To write them anew:
//
//   RENEW=1 node --test test/docs/calibration.test.js
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { benchfolio, root } from '../support/cli.js';

const block = /(<!-- replay (\S+) --markdown -->\n)([\s\S]*?)(<!-- \/replay -->)/;

for (const [name, ofSystem] of [
  ['README.md', 'express'],
  ['specs/nginx/README.md', 'nginx'],
]) {
  test(`${name} has what \`replay ${ofSystem} --markdown\` prints, digit by digit`, async () => {
    const readme = join(root, name);
    const text = readFileSync(readme, 'utf8');
    const [, , system, written] = block.exec(text) ?? [];
    assert.equal(system, ofSystem, `${name} has no table of it`);
    const { code, stdout, stderr } = await benchfolio(['replay', system, '--markdown']);
    assert.equal(code, 0, stderr);
    const printed = `${stdout.trimEnd()}\n`;
    if (process.env.RENEW)
      writeFileSync(
        readme,
        text.replace(block, (_, begin, _name, _old, end) => begin + printed + end),
      );
    else assert.equal(written, printed, 'run: RENEW=1 node --test test/docs/calibration.test.js');
    // A figure beside the table would be held by nothing.
    const beside = text.replace(block, '').match(/[^.]*\d+ of \d+[^.]*(?:A\/A|trials|found)[^.]*\./g);
    assert.equal(beside, null, 'results of trials that no command prints');
  });
}
