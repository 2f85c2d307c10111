// README's table of the calibration is what `replay` prints of the trials that are kept. To write it anew:
//
//   RENEW=1 node --test test/docs/calibration.test.js
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { benchfolio, root } from '../support/cli.js';

const readme = join(root, 'README.md');
const place = /(<!-- replay (\S+) --markdown -->\n)([\s\S]*?)(<!-- \/replay -->)/;

test('README has what `replay --markdown` prints, digit by digit', async () => {
  const text = readFileSync(readme, 'utf8');
  const [, , system, written] = place.exec(text) ?? [];
  assert.ok(system, 'README has no place for it');
  const { code, stdout, stderr } = await benchfolio(['replay', system, '--markdown']);
  assert.equal(code, 0, stderr);
  const printed = `${stdout.trimEnd()}\n`;
  if (process.env.RENEW)
    writeFileSync(
      readme,
      text.replace(place, (_, begin, _name, _old, end) => begin + printed + end),
    );
  else assert.equal(written, printed, 'run: RENEW=1 node --test test/docs/calibration.test.js');
});
