import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { filesOf } from '../../cases/definition.js';
import type { Focus, Path, Report } from '../../cases/error.js';
import type { Case } from '../../cases/expand.js';
import { filesOf as namesOf } from '../../cases/flow.js';
import { placeholdersOf } from '../../cases/placeholders.js';
import type { Rows } from '../../cases/rows.js';
import { leftForRunner } from '../../cases/runner-scope.js';
import { uniqueBy } from '../unique.js';
import { checkImports } from './script-imports.js';

/** folder: of the spec; root: of the suite */
type SpecFolder = { folder: string; root: string; warn?: Report };

/** Hashing a file takes a while, and all cases of a scenario use the same. */
const digests: Map<string, string> = new Map();

/** The files that cases name: they must be there, and be the ones that were meant. */
export function checkFiles(cases: Case[], specFolder: SpecFolder, report: Report) {
  for (const benchCase of uniqueBy(cases, ({ services }) => services)) {
    // cases of an environment share them
    checkFolders(benchCase, specFolder.folder, report);
    checkTemplates(benchCase, specFolder, report);
  }
  const sending = cases.filter(
    ({ script, rows, requests }) =>
      script ?? (rows.length > 0 || requests?.some(({ body, proto }) => body?.file || proto)),
  );
  const sent = uniqueBy(sending, (benchCase) => [benchCase.scenario, ...filesOf(benchCase)].join('\n'));
  for (const benchCase of sent) checkSent(benchCase, specFolder, report);
}

/** What is shown on the system's page is text, and in its folder. */
export function checkAttachments(attachments: { file: string }[], specFolder: SpecFolder, report: Report) {
  attachments.forEach(({ file }, i) => {
    const path = ['attachments', i, 'file'];
    if (relative(specFolder.folder, join(specFolder.folder, file)).startsWith('..')) {
      report(path, `the attachment ${file} is not in the folder of the spec`, 'Put it there, or a copy of it.');
      return;
    }
    const full = findFile(file, specFolder, path, 'attachment', report);
    if (full && readFileSync(full).includes(0)) report(path, `the attachment ${file} is not a text`);
  });
}

function checkFolders({ environment, setup, services, spec_dir }: Case, folder: string, report: Report) {
  if (setup.length) return; // it may make them
  services.forEach(({ cwd }, i) => {
    if (placeholdersOf(cwd).length || statSync(join(folder, cwd), { throwIfNoEntry: false })?.isDirectory()) return;
    const path = ['environments', environment, 'services', i, 'cwd'];
    report(path, `there is no folder ${cwd}`, `It is looked for in ${spec_dir}.`);
  });
}

function checkTemplates({ environment, services, parameters }: Case, specFolder: SpecFolder, report: Report) {
  services.forEach(({ files }, i) => {
    for (const file of Object.keys(files)) {
      const path = ['environments', environment, 'services', i, 'files', file];
      const full = findFile(file, specFolder, path, 'file', report, 'key');
      for (const { name } of full ? placeholdersOf(readFileSync(full, 'utf8')) : []) {
        if (leftForRunner(name) || Object.hasOwn(parameters, name)) continue;
        const hint = { got: name, known: Object.keys(parameters) };
        report(path, `${file} uses \${${name}}, which there is not`, hint, 'key');
      }
    }
  });
}

function checkSent(benchCase: Case, specFolder: SpecFolder, report: Report) {
  const path = ['scenarios', benchCase.scenario];
  if (benchCase.script !== null) {
    const script = findFile(benchCase.script, specFolder, [...path, 'script'], 'script', report);
    if (script) checkImports(script, specFolder, [...path, 'script'], report);
  }
  checkRows(benchCase, specFolder, [...path, 'rows'], report);
  benchCase.requests?.forEach(({ body, proto = [] }, i) => {
    const at = [...path, 'requests', i, 'body', 'file'];
    if (typeof body?.file === 'string') findFile(body.file, specFolder, at, 'file', report);
    for (const file of proto) findFile(file, specFolder, [...path, 'requests', i, 'proto'], 'proto file', report);
  });
}

/** @returns its path */
function findFile(
  file: string,
  { folder, root, warn }: SpecFolder,
  path: Path,
  what: string,
  report: Report,
  focus?: Focus,
): string | null {
  const full = join(folder, file);
  if (statSync(full, { throwIfNoEntry: false })?.isFile()) {
    if (relative(root, full).startsWith('..')) {
      warn?.(
        path,
        `the ${what} ${file} is outside of the suite: a clone of the suite does not have it`,
        'Put it into the folder of the spec.',
        focus,
      );
    }
    return full;
  }
  report(path, `there is no ${what} ${file}`, 'It is looked for in the folder of the spec.', focus);
  return null;
}

/** Each column that is asked for is in one of the data files, and not in two. */
function checkRows(benchCase: Case, specFolder: SpecFolder, path: Path, report: Report) {
  const { rows } = benchCase;
  const columns = rows.map((file, i) => readColumns(file, specFolder, rows.length > 1 ? [...path, i] : path, report));
  if (!rows.length || columns.includes(null)) return;
  const known = columns.flatMap((names) => names ?? []);
  const sent = benchCase.requests?.map(({ name, ...request }) => request);
  for (const { name, path: at } of placeholdersOf(sent, ['scenarios', benchCase.scenario, 'requests'])) {
    const column = /^row\.(.*)$/s.exec(name)?.[1];
    if (column === undefined) continue;
    const having = rows.filter((_, i) => columns[i]?.includes(column));
    const focus = { part: `\${${name}}` };
    const written = toWritten(at, benchCase);
    if (having.length === 0) {
      report(written, `the rows of ${namesOf(rows)} have no column "${column}"`, { got: column, known }, focus);
    } else if (having.length > 1) {
      report(written, `the column "${column}" is in ${namesOf(having)}`, columnTwice, focus);
    }
  }
}

const columnTwice = 'Rename it in one of them; a CSV file takes names by `columns = ["…"]`.';

/** @returns null: not known here, or there is no file */
function readColumns(rows: Rows, specFolder: SpecFolder, path: Path, report: Report): string[] | null {
  const full = findFile(rows.file, specFolder, [...path, 'file'], 'data file', report);
  if (!full) return null;
  if (rows.sha256 !== null && digestOf(full) !== rows.sha256) {
    report(
      [...path, 'sha256'],
      `${rows.file} is not the file that was meant: its SHA-256 is another`,
      `It is ${digestOf(full)}.`,
    );
  }
  return rows.columns ?? columnsOf(full, rows);
}

/** A request's path is written under its method's key. */
function toWritten(path: Path, benchCase: Case): Path {
  if (path.at(-1) !== 'path') return path;
  return [...path.slice(0, -1), benchCase.requests?.[Number(path[3])].method.toLowerCase() ?? 'path'];
}

function digestOf(full: string): string {
  const { mtimeMs, size } = statSync(full);
  const key = `${full}\0${mtimeMs}\0${size}`;
  const digest = digests.get(key) ?? createHash('sha256').update(readFileSync(full)).digest('hex');
  digests.set(key, digest);
  return digest;
}

/**
 * The columns that a file itself names.
 * @returns null: not readable here; the driver says why
 */
function columnsOf(full: string, { format, delimiter }: Rows): string[] | null {
  const text = readFileSync(full, 'utf8');
  const line = text
    .slice(0, (text.indexOf('\n') + 1 || text.length + 1) - 1)
    .replace(/\r$/, '')
    .replace(/^\uFEFF/, '');
  if (format === 'csv') return line.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  try {
    return Object.keys(format === 'jsonl' ? JSON.parse(line) : JSON.parse(text)[0]);
  } catch {
    return null;
  }
}
