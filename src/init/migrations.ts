import { join } from 'node:path';
import { literal } from './fill-template.js';
import { entriesOf, packageIn, textOf } from './read-repository.js';
import { wordsOf } from './split-command.js';

/**
 * What a database needs before the service starts: its tables, and rows.
 * from: where they were seen
 */
type Migrations = { commands: string[][]; from: string };

const migrates =
  /\b(?:migrat(?:e|es|ions?)\b(?!-)|sqlx\s+(?:database|db)|diesel\s+(?:setup|database)|flyway|liquibase|alembic\s+upgrade|prisma\s+db|db:(?:prepare|setup|create|schema))/;
const seeds = /\bseeds?\b|\bfixtures?\b|\bpsql\b.*\.sql\b|\bmysql\b.*\.sql\b|\bloaddata\b/;

/** Steps that only look like one: they install a tool, or test. */
const notOne = /^(?:cargo|go|npm|pip|apt|apt-get|sudo|brew|dotnet tool)\s+(?:install|add|i)\b|\btest\b/;

/**
 * The commands of a job's steps that migrate and seed.
 * @param lines of all its steps
 * @param migrated somebody migrates already
 */
export const migrationsIn = (lines: readonly string[], migrated: boolean): string[][] =>
  lines
    .map((line) => line.trim())
    .filter((line) => !notOne.test(line) && !line.includes('${{'))
    .filter((line) => (migrated ? false : migrates.test(line)) || seeds.test(line))
    .map(commandOf);

/** A variable of the job is one of the service's here: a shell finds it. */
function commandOf(line: string) {
  const words = line.includes('$') ? null : wordsOf(line);
  return words !== null && Object.keys(words.env).length === 0 ? words.argv : ['sh', '-c', literal(line)];
}

/**
 * What the files of a repository say that it migrates and seeds with.
 * @param folder of the service
 * @returns null: nothing is seen
 */
export function migrationFilesIn(folder: string): Migrations | null {
  const has = (path: string) => textOf(join(folder, path)) !== null;
  const filled = (path: string) => entriesOf(join(folder, path)).length > 0;
  const { scripts } = packageIn(folder);
  const cargo = textOf(join(folder, 'Cargo.toml')) ?? '';
  const python = has('requirements.txt') ? '.venv/bin/' : '';
  const known: [boolean, string, string[]][] = [
    [filled('prisma/migrations'), 'prisma/migrations', ['npx', 'prisma', 'migrate', 'deploy']],
    [has('alembic.ini'), 'alembic.ini', [`${python}alembic`, 'upgrade', 'head']],
    [has('diesel.toml'), 'diesel.toml', ['diesel', 'migration', 'run']],
    [/\bsqlx\b/.test(cargo) && filled('migrations'), 'migrations', ['sqlx', 'migrate', 'run']],
    [has('flyway.toml') || has('flyway.conf'), 'the settings of Flyway', ['flyway', 'migrate']],
    [has('knexfile.js') || has('knexfile.ts'), 'knexfile', ['npx', 'knex', 'migrate:latest']],
  ];
  const found = known.find(([there]) => there);
  const plain = found ? [] : ['migrations', 'db/migrations', 'sql'].flatMap((path) => sqlIn(folder, path));
  const seed = ['seed', 'db:seed', 'seed:run'].find((name) => typeof scripts[name] === 'string');
  const rows = ['seed.sql', 'seeds.sql', 'db/seed.sql', 'db/seeds.sql'].filter(has);
  const commands = [
    ...(found ? [found[2]] : []),
    ...[...plain, ...rows].map((file) => ['sh', '-c', `psql "$DATABASE_URL" -f ${file}`]),
    ...(seed ? [['npm', 'run', seed]] : []),
  ];
  if (commands.length === 0) return null;
  const from = [
    found?.[1] ?? (plain[0] && (plain.length > 1 ? `${plain.length} files of SQL from ${plain[0]} on` : plain[0])),
    seed && `the script "${seed}"`,
    rows[0],
  ];
  return { commands, from: from.filter(Boolean).join(' and ') };
}

/** @returns files that create something, in the order of their names */
const sqlIn = (folder: string, path: string): string[] =>
  entriesOf(join(folder, path))
    .filter((entry) => entry.isFile() && /^[\w.-]+\.sql$/.test(entry.name) && !/down\.sql$/.test(entry.name))
    .map(({ name }) => `${path}/${name}`);
