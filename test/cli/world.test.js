import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { printForMachines, visibly } from '../../dist/base/world.js';

/** @param {boolean} isTTY */
function streamOf(isTTY) {
  const said = { text: '' };
  const stream = Object.assign(
    new Writable({
      write(chunk, _, done) {
        said.text += chunk;
        done();
      },
    }),
    { isTTY },
  );
  return { stream: visibly(stream), said };
}

test('what others wrote is no command of a runner', () => {
  const { stream, said } = streamOf(false);
  stream.write('::error::x\n  ::set-env name=A::b\nsee a::b, ##[error]forged\n');
  assert.doesNotMatch(said.text, /^\s*::|##\[/m);
  assert.match(said.text, /see a::b/);
  printForMachines(stream, 'x ##[warning]y\n::debug::z\n');
  assert.doesNotMatch(said.text, /^\s*::|##\[/m);
});

test('Markdown goes into a pipe as it is, and is shown on a terminal', () => {
  const text = '\\#\u200b12, `@`\u200bacme';
  const pipe = streamOf(false);
  printForMachines(pipe.stream, text);
  assert.equal(pipe.said.text, text);
  const terminal = streamOf(true);
  printForMachines(terminal.stream, text);
  assert.match(terminal.said.text, /\\u200b/);
});
