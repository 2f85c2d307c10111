// Before the package is packed (`prepack`): npm-shrinkwrap.json, so that what is installed is what was tested.
//
//   node test/make/shrinkwrap.js            # writes it
//   node test/make/shrinkwrap.js --remove   # afterwards (`postpack`): in the repository package-lock.json stands for it
//
// It is package-lock.json without what is for development only.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/cli.js';

const target = join(root, 'npm-shrinkwrap.json');

if (process.argv[2] === '--remove') rmSync(target, { force: true });
else {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { devDependencies: _, ...own } = lock.packages[''];
  const shipped = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev);
  const packages = Object.fromEntries([['', own], ...shipped]);
  writeFileSync(target, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
}
