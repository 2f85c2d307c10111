import { join } from 'node:path';
import { makeFolder } from '../../base/io/files.js';
import type { Run } from '../run-context.js';
import type { DuetSide } from './sides.js';
import type { SideName } from './split.js';

/** The run as each side sees it. */
export const runsOf = ({ base, head }: Record<SideName, DuetSide>, run: Run): Record<SideName, Run> => ({
  base: runOf('base', base, run),
  head: runOf('head', head, run),
});

/** The run as one side sees it: its own files, and its own folder for what services write. */
const runOf = (name: SideName, { root }: DuetSide, run: Run): Run => ({
  ...run,
  root,
  valuesOf: (benchCase, ports) => {
    const values = run.valuesOf(benchCase, ports);
    return { ...values, specDir: join(root, benchCase.spec_dir), runDir: makeFolder(join(values.runDir, name)) };
  },
});
