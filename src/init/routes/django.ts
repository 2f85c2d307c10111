import type { Source } from './common.js';
import { joinPath } from './join-path.js';

/** What the urls.py of Django answer, and the routers of its REST framework: one includes another under a path. */
export function djangoRoutes(sources: Source[]): string[] {
  const included = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\bpath\(\s*r?["']([^"']*)["']\s*,\s*include\(\s*\(?["']([\w.]+)["']/g)].map(
      ([, path, module]) => ({
        path,
        from: file,
        to: `/${module.replaceAll('.', '/')}.py`,
      }),
    ),
  );
  return sources.flatMap(({ file, text }) => ownRoutes(text).map((path) => joinPath(pathOf(file, included), path)));
}

/** Under which path a file's routes are. */
function pathOf(file: string, included: { path: string; from: string; to: string }[], depth = 0): string {
  const inclusion = included.find(({ to, from }) => file.replaceAll('\\', '/').endsWith(to) && from !== file);
  return inclusion === undefined || depth > 5
    ? ''
    : joinPath(pathOf(inclusion.from, included, depth + 1), inclusion.path);
}

function ownRoutes(text: string) {
  const routers = new Map(
    [...text.matchAll(/\bpath\(\s*r?["']([^"']*)["']\s*,\s*include\(\s*(\w+)\.urls/g)].map(([, path, name]) => [
      name,
      path,
    ]),
  );
  const views = [...text.matchAll(/\bpath\(\s*r?["']([^"']*)["']\s*,(?!\s*(?:include\b|admin\.))/g)].map(
    ([, path]) => path,
  );
  const sets = [...text.matchAll(/\b(\w+)\.register\(\s*r?["']([^"']+)["']/g)].map(
    ([, name, path]) => `${joinPath(routers.get(name) ?? '', path)}/`,
  );
  return [...views, ...sets];
}
