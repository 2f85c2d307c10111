import { basename, relative, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { exitCodes, UserError } from '../../base/errors.js';
import { counted, formatBytes } from '../../base/format.js';
import { quoted } from '../../base/io/shell.js';
import type { World } from '../../base/world.js';
import { importHar } from '../../records/import/har.js';
import { keepImported, writeImported } from '../../records/import/import-file.js';
import { formats } from '../../records/import/import-formats.js';
import { type Import, type ImportedRecord, importRecord } from '../../records/import/import-record.js';
import { type ImportFile, lookAt } from '../../records/import/read-import.js';
import { caseName } from '../../suite/cases/names.js';
import { limits } from '../../suite/cases/tables.js';
import { nearest } from '../../suite/nearest.js';
import { versionName } from '../../suite/record-names.js';
import { loadSuite, type Suite } from '../../suite/suite.js';
import { collect } from '../cli-options.js';

export type ImportOptions = {
  system?: string;
  scenario?: string;
  environment: string;
  version?: string;
  caseValue?: Record<string, string>;
  machine?: string;
  time?: string;
  errorCap: number;
  write?: string;
  statics?: boolean;
};

const help = `
Formats:
${Object.entries(formats)
  .map(([name, { title }]) => `  ${name.padEnd(18)} ${title}`)
  .join('\n')}

har becomes a spec; the other formats become records.

Several files are rounds of one case. Files with every sample (jmeter-jtl, phout, results of vegeta, the CSV of hey and oha, gatling) are merged
into one distribution. In the others each file has its own percentiles, and the median of these counts.

Examples:
  benchfolio import jmeter-jtl results.jtl --system shop --scenario browse --case-value users=10 --version v1-jmeter
  benchfolio import wrk one.txt two.txt --system shop --scenario hello --time 2026-01-01T12:00:00Z
  benchfolio import har session.har --system shop --write specs/shop/spec.toml`;

export function register(program: Command, world: World) {
  program
    .command('import <format> <file...>')
    .summary('import results of another tool as records')
    .description('import results of another tool as records, or a HAR recording as a spec')
    .requiredOption('--system <name>', 'the measured system: a folder in specs/, or a new name that only records use')
    .option('--scenario <name>', 'the scenario: the load')
    .option('--environment <name>', 'the environment: where the system ran', 'imported')
    .option('--case-value <key=value>', 'a value of this case, such as users=10; repeatable', collect)
    .option('--version <name>', 'keep the record as this version; imports of other cases can join it')
    .option('--machine <text>', 'the machine it was measured on')
    .option('--time <iso>', 'when it was measured, if the file does not say, e.g. 2026-01-01T12:00:00Z')
    .addOption(
      new Option('--error-cap <share>', 'the share of requests that may fail')
        .argParser(shareOf)
        .default(limits.error_cap),
    )
    .option('--write <file>', 'har: file to write the spec to, which must not exist (default: print it)')
    .option('--statics', 'har: include images, styles and scripts')
    .addHelpText('after', help)
    .action(async (format, files, options) => {
      world.exitCode = await importFiles({ ...options, format, files }, world);
    });
}

function shareOf(text: string) {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('It must be a number from 0 to 1.');
}

/**
 * Makes a record of files that another tool wrote, and keeps or writes it.
 * @returns 0, or 1: more requests failed than may, or a threshold of the tool was missed
 * @throws {UserError}
 */
export async function importFiles(
  { format, files, ...options }: ImportOptions & { format: string; files: string[] },
  world: World,
): Promise<number> {
  if (!Object.hasOwn(formats, format)) throw unknownFormat(format);
  const suite = loadSuite(world.cwd);
  name(options.system, '--system');
  if (format === 'har') return importHar(suite, { files, ...options, system: String(options.system) }, world);
  const settings = importSettings(format, files, options);
  refuseTwice(files, world.cwd);
  const given = [];
  for (const file of files) given.push(await lookAt(resolve(world.cwd, file), format).catch(named(file, world.cwd)));
  const record = await importRecord(given, settings, { progress: progressOn(world) }).catch(named('', world.cwd));
  return file(suite, record, options, world);
}

/** Says how far a file is read, once in two seconds: what is read sooner says nothing. */
function progressOn({ stderr }: World): (file: ImportFile, bytes: number) => void {
  let next = Date.now() + 2000;
  return ({ name: fileName, bytes: all }, bytes) => {
    if (Date.now() < next) return;
    next = Date.now() + 2000;
    stderr.write(`Reading ${fileName}: ${formatBytes(bytes)} of ${formatBytes(all)}\n`);
  };
}

/** Paths as they were given. */
const named =
  (as: string, cwd: string): ((error: unknown) => never) =>
  (error) => {
    if (error instanceof UserError)
      error.message = error.message.replace(`${cwd}/`, '').replace(resolve(cwd, as || '.'), as || '.');
    throw error;
  };

/** What a format may be called otherwise. */
const hints = new Map([
  ['jmeter', 'jmeter-jtl (results.jtl) or jmeter-statistics (report/statistics.json)'],
  ['jtl', 'jmeter-jtl'],
  ['wrk2', 'wrk'],
  ['k6', 'k6-summary'],
  ['pandora', 'phout'],
]);

function unknownFormat(format: string) {
  const meant = hints.get(format) ?? nearest(format, Object.keys(formats));
  return new UserError(`there is no format "${format}"`, {
    hint: meant ? `Did you mean ${meant}?` : `Known: ${Object.keys(formats).join(', ')}.`,
  });
}

function importSettings(
  format: string,
  files: string[],
  { system, scenario, environment, version, caseValue = {}, machine, time, errorCap, write, statics }: ImportOptions,
): Import {
  if (write !== undefined || statics)
    throw new UserError(`${write === undefined ? '--statics' : '--write'} is for har`);
  if (scenario === undefined)
    throw new UserError('import needs --scenario: which load was it?', { hint: 'For example: --scenario hello' });
  if (version !== undefined) versionName(version);
  for (const [text, option] of [
    [scenario, '--scenario'],
    [environment, '--environment'],
  ])
    name(text, option);
  for (const key of Object.keys(caseValue)) name(key, '--case-value');
  const values = Object.fromEntries(Object.entries(caseValue).map(([key, text]) => [key, parameterValue(text)]));
  const id = `imported-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}-${process.pid}`;
  return {
    format,
    id,
    time: time === undefined ? null : timeOf(time),
    machine: machine ?? null,
    error_cap: errorCap,
    command: commandOf(format, files, { system, scenario, environment, caseValue, machine, time, errorCap }),
    case: { system: String(system), environment, scenario, case: caseName(scenario, values), values },
  };
}

/** The import again. */
function commandOf(
  format: string,
  files: string[],
  {
    system,
    scenario,
    environment,
    caseValue = {},
    machine,
    time,
    errorCap,
  }: Pick<ImportOptions, 'system' | 'scenario' | 'environment' | 'caseValue' | 'machine' | 'time' | 'errorCap'>,
) {
  const values = Object.entries(caseValue).map(([key, value]) => ['--case-value', `${key}=${value}`]);
  const given = Object.entries({
    '--system': system,
    '--scenario': scenario,
    '--environment': environment,
    '--machine': machine,
    '--time': time,
    '--error-cap': errorCap === limits.error_cap ? undefined : errorCap,
  }).filter(([, value]) => value !== undefined);
  return ['benchfolio', 'import', format, ...files.map((file) => basename(file)), ...[...given, ...values].flat()]
    .map((word) => quoted(String(word)))
    .join(' ');
}

function name(text: string | undefined, option: string) {
  if (text !== undefined && /^[A-Za-z0-9_][A-Za-z0-9._+-]{0,99}$/.test(text)) return;
  throw new UserError(`${option} ${text}: "${text}" cannot be a name`, {
    hint: 'A name begins with a letter or a digit and has letters, digits and . _ + -.',
  });
}

function parameterValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return text.trim() !== '' && String(Number(text)) === text ? Number(text) : text;
}

function timeOf(text: string) {
  const time = /^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:?\d\d))?$/.test(text) ? new Date(text) : new Date(NaN);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new UserError(`--time ${text} is not a time`, {
    hint: 'Write it like 2026-01-01T12:00:00Z, or with +01:00 in place of Z.',
  });
}

function refuseTwice(files: string[], cwd: string) {
  const paths = files.map((file) => resolve(cwd, file));
  const twice = files.find((_, i) => paths.indexOf(paths[i]) !== i);
  if (twice) throw new UserError(`${twice} is given twice`, { hint: 'Each file is a round of its own.' });
}

async function file(suite: Suite, record: ImportedRecord, { version }: ImportOptions, { cwd, stdout }: World) {
  const what = `${counted(record.rounds, 'file')} of ${record.imported.tool}`;
  const shown = (path: string) => relative(cwd, path) || path;
  const failed = record.verdict === 'fail';
  if (version !== undefined) {
    stdout.write(`Kept ${what} as ${version}: ${shown(await keepImported(suite, version, record))}\n`);
  } else {
    const path = shown(await writeImported(suite, record));
    stdout.write(
      `Wrote ${what}: ${path}\nKeep it with --version <name>; compare it: benchfolio compare <version> ${path}\n`,
    );
  }
  for (const { level, text } of record.findings) stdout.write(`${level}: ${text}\n`);
  for (const { outcome, text } of record.thresholds) if (outcome === 'unknown') stdout.write(`not judged: ${text}\n`);
  if (failed) stdout.write(`fail: ${record.reason}\n`);
  return failed ? exitCodes.fail : exitCodes.pass;
}
