// node --test-reporter=dot test/make/together.js <files>: runs test files one after another in one process. Node.js 22 has
// --test-isolation=none for that; a process for each file takes longer than what most of these test.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href);
