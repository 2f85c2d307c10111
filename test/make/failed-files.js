// A reporter of node --test: the files that have a test that failed, a line each.

/** @import { TestEvent } from 'node:test/reporters' */

/** @param {AsyncIterable<TestEvent>} source */
export default async function* failedFiles(source) {
  const files = new Set();
  for await (const { type, data } of source) {
    const file = type === 'test:fail' ? /** @type {{ file?: string }} */ (data).file : undefined;
    if (file === undefined || files.has(file)) continue;
    files.add(file);
    yield `${file}\n`;
  }
}
