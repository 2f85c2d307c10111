import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CaseFailure } from '../../dist/base/process/failure.js';
import { writeFailure } from '../../dist/run/session/write-failure.js';
import { scratchFolder } from '../support/scratch.js';

test('the end of a log is shown without what k6 says of answers', async () => {
  const answer = 'time="x" level=info msg="benchfolio: answer: [1]" source=console';
  const log = (/** @type {string} */ text) => ({ path: 'k6.log', tail: () => text });
  const failed = async (/** @type {string} */ text) => {
    const failure = new CaseFailure('k6 had not ended', { log: /** @type {any} */ (log(text)) });
    return (await writeFailure(scratchFolder('failure'), failure, [])).more;
  };
  assert.deepEqual(await failed(`${answer}\npanic: no\n${answer}`), ['k6.log ends with:', '  panic: no']);
  assert.deepEqual(await failed(answer), []);
});
