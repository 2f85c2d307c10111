import { join, relative } from 'node:path';
import { packageVersion } from '../base/tools/find-tool.js';
import type { Detected } from './detect.js';
import type { SetUp } from './detect-node.js';
import { fillTemplate } from './fill-template.js';
import { type PlannedFile, planned } from './planned-file.js';
import { textOf } from './read-repository.js';
import type { Repository } from './repository.js';

/** The report waits for the workflow that is called Benchmark, which must then be ours; who has another one is left alone. */
export function workflows({ root, top }: Repository, { service, folder }: Detected): PlannedFile[] {
  const runtimes = fillTemplate(
    'workflows/runtimes.yml',
    noExpressions(setUpValues(service?.setUp ?? {}, { top, folder })),
  );
  const values = {
    ...noExpressions({
      package: `benchfolio@${packageVersion()}`,
      folder: relative(top, root) || undefined,
      bench: join(relative(top, root), '.bench'),
    }),
    runtimes: runtimes.trimEnd() || undefined,
  };
  const at = (name: string) => join(top, '.github', 'workflows', name);
  const measures = planned(
    at('benchmark.yml'),
    fillTemplate('workflows/benchmark.yml', values),
    'measures pull requests',
  );
  const reports = planned(
    at('benchmark-report.yml'),
    fillTemplate('workflows/benchmark-report.yml', values),
    'posts the outcome on them',
  );
  const foreign = measures.state === 'left' && !(textOf(measures.file) ?? '').includes('benchfolio');
  const history = planned(
    at('benchmark-history.yml'),
    fillTemplate('workflows/benchmark-history.yml', values),
    'measures each push to main',
  );
  return [measures, ...[reports, history].map((file) => (foreign ? { ...file, state: 'left' as const } : file))];
}

/** GitHub evaluates `${{ … }}` wherever it stands in a workflow, also in the name of a folder. */
const noExpressions = (values: Record<string, string | undefined>) =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, value?.replaceAll('${{', () => "${{ '${{' }}")]),
  );

/** What a workflow installs for the service. Its files and folders are named from the top. */
function setUpValues(
  { go, python, uv, java, dotnet, dotnetFile, ruby, rubyVersion, rust }: SetUp,
  { top, folder }: { top: string; folder: string },
) {
  const fromTop = (path: string | undefined) => (path === undefined ? undefined : relative(top, path) || '.');
  return {
    go: go && join(relative(top, folder), go),
    python: python === '3.x' ? python : undefined,
    python_file: python && python !== '3.x' ? join(relative(top, folder), python) : undefined,
    uv,
    java,
    dotnet,
    dotnet_file: fromTop(dotnetFile),
    ruby: fromTop(ruby),
    ruby_version: rubyVersion,
    ruby_said: rubyVersion === undefined ? fromTop(ruby) : undefined,
    rust: fromTop(rust),
  };
}
