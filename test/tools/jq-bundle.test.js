import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { bundle } from '../../dist/base/tools/jq-bundle.js';
import { folderOf, root } from '../support/cli.js';
import { engines } from '../support/engines.js';
import { full } from '../support/full.js';

const run = promisify(execFile);
const all = await engines();

const files = {
  'a/words.jq': `# def comment: "is none";
def mark: "!";
def mark($n): mark * $n;
def loud: ascii_upcase + mark; # after it
def _unused: error;
`,
  'b/words.jq': `import "a/words" as words;
def mark: words::mark(2);
def loud: "\\(words::loud) \\("\\(mark)")";
`,
  'program.jq': `import "a/words" as a;
import "b/words" as b;
def mark: "main";
# A key, a field, a variable, a parameter and a function within one may be called as a function is.
def of(mark): { mark: mark, loud: .x?, "mark\\(1)": 2, (b::mark): 3 };
def nested: def mark: "nested"; def twice(f): f | f; "x" | twice(. + mark);
def count: reduce range(3) as $mark (0; . + $mark);
{ a: ("x" | a::loud), b: ("x" | b::loud) } as { a: $mark, $b }
| [$mark, $b, mark, nested, count, of("given"), ({ mark: 7 } | .mark), a::mark(3), b::mark, 1e-2, .5, (["a", "b"] | .[1:])]
`,
};

test('a bundle does what its program and modules do', async () => {
  const folder = await folderOf(files);
  const joined = bundle(folder, 'program.jq');
  assert.doesNotMatch(joined, /import|_unused|is none/);
  for (const { path, name } of all) {
    const apart = await run(path, ['-n', '-c', '-L', folder, '-f', join(folder, 'program.jq')]);
    assert.match(apart.stdout, /^\["X!","X! !!","main","xnestednested",3,/, name);
    assert.equal((await run(path, ['-n', '-c', joined])).stdout, apart.stdout, name);
  }
});

test('what cannot be read ends with an error', async () => {
  for (const [text, error] of /** @type {[string, RegExp][]} */ ([
    ['"abc', /a string does not end/],
    ['"\\("x" | "y', /a string does not end/],
    ['def : 2; .', /no function: def : 2; \./],
    ['stats::mean', /program\.jq: stats is not imported/],
  ])) {
    const folder = await folderOf({ 'program.jq': text });
    assert.throws(() => bundle(folder, 'program.jq'), error);
  }
});

const reports = join(root, 'reports');
const programs = ['.', 'import']
  .flatMap((folder) => readdirSync(join(reports, folder)).map((file) => join(folder, file)))
  .filter((file) => /\.(json|md|txt|xml)\.jq$/.test(file));

/** jq 1.6 reads a program for a second: `make simulate` lets it read all of them. */
const quick = full ? all : all.filter(({ slow }) => !slow);

test('each program of ours fits into an argument, and is one in every jq', async () => {
  assert.ok(quick.length > 0);
  for (const program of programs) {
    const joined = bundle(reports, program);
    // Linux takes 131,072 bytes.
    assert.ok(Buffer.byteLength(joined) < 126_000, `${program}: ${Buffer.byteLength(joined)} bytes`);
    for (const { path, name } of quick) {
      // Its arguments are missing, and its input: that is not checked.
      const { stderr } = await run(path, ['-n', joined, '/dev/null']).catch((error) => error);
      assert.doesNotMatch(
        stderr,
        /function not defined|\w\/\d+ is not defined|syntax|unexpected/i,
        `${program} in ${name}`,
      );
    }
  }
});
