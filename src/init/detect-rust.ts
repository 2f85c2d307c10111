import { join } from 'node:path';
import { parse } from 'smol-toml';
import type { Start } from './detect-node.js';
import { literal } from './fill-template.js';
import { entriesOf, tableOf, textOf, tryParse } from './read-repository.js';

/** What serves HTTP. */
const servers = ['axum', 'actix-web', 'rocket', 'warp', 'poem', 'salvo', 'hyper', 'tide', 'ntex', 'tiny_http'];

/** Rust: the only program with a server for the web, of the package here or of one of the workspace's. It is built once. */
export function rustStart(folder: string): Start | null {
  const root = cargoIn(folder);
  const members = [root.workspace?.members ?? []].flat().flatMap((pattern) => placesOf(folder, String(pattern)));
  const [found, ...more] = ['.', ...members]
    .map((packagePath) => ({ packagePath, cargo: cargoIn(join(folder, packagePath)) }))
    .filter(({ cargo }) => servers.some((name) => cargo.dependencies?.[name] !== undefined))
    .flatMap(({ packagePath, cargo }) =>
      programsOf(join(folder, packagePath), cargo).map((program) => ({ packagePath, cargo, program })),
    );
  if (found === undefined || more.length > 0) return null;
  const { packagePath, cargo, program } = found;
  const locked = textOf(join(folder, 'Cargo.lock')) === null ? [] : ['--locked'];
  const toolchain = ['rust-toolchain.toml', 'rust-toolchain'].some((name) => textOf(join(folder, name)) !== null);
  const rocket = cargo.dependencies?.rocket !== undefined;
  return {
    argv: [literal(`./target/release/${program}`)],
    env: rocket ? { ROCKET_ADDRESS: '127.0.0.1', ROCKET_PORT: '${port}' } : undefined,
    entry: null,
    build: [['cargo', 'build', '--release', ...locked, '--bin', program]],
    ignored: ['target'],
    sources: /\.rs$/,
    setUp: toolchain ? { rust: folder } : undefined, // GitHub's runners have a stable one
    why: `${packagePath === '.' ? '' : `${packagePath}/`}Cargo.toml has the program ${program}`,
  };
}

/** What is read of a Cargo.toml. */
type Cargo = {
  workspace?: { members?: unknown };
  dependencies?: Record<string, unknown>;
  bin?: { name?: unknown }[];
  package?: Record<string, unknown>;
};

/** @returns empty: there is none, or it cannot be read */
const cargoIn = (folder: string): Cargo => tableOf(tryParse(parse, textOf(join(folder, 'Cargo.toml')) ?? ''));

/** @returns the names of its programs */
function programsOf(folder: string, cargo: Cargo): string[] {
  const named = [cargo.bin ?? []].flat().map(({ name }) => String(name));
  const main = textOf(join(folder, 'src', 'main.rs')) !== null;
  const chosen = cargo.package?.['default-run'];
  if (chosen !== undefined) return [String(chosen)];
  if (named.length > 0) return named;
  return main && cargo.package?.name ? [String(cargo.package.name)] : [];
}

/** @param pattern as `crates/*` */
function placesOf(folder: string, pattern: string): string[] {
  if (!pattern.endsWith('/*')) return [pattern];
  const at = pattern.slice(0, -2);
  return entriesOf(join(folder, at)).map(({ name }) => `${at}/${name}`);
}
