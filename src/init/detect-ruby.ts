import { join } from 'node:path';
import type { Start } from './detect-node.js';
import { textOf } from './read-repository.js';

/** Ruby: Rails, or what a config.ru has, by Puma where that is asked for. */
export function rubyStart(folder: string): Start | null {
  const has = (name: string) => textOf(join(folder, name)) !== null;
  const gems = textOf(join(folder, 'Gemfile'));
  if (gems === null || !has('config.ru')) return null;
  const rails = has('config/application.rb') && asks(gems, 'rails|railties');
  if (!rails && !asks(gems, 'puma')) return null;
  const version = /^[ \t]*ruby\s+['"]~?>?=?\s*(\d+\.\d+(?:\.\d+)?)/m.exec(gems)?.[1] ?? '3.4';
  const local = ['127.0.0.1', '${port}'];
  return {
    argv: rails
      ? ['bundle', 'exec', 'rails', 'server', '-b', local[0], '-p', local[1]]
      : ['bundle', 'exec', 'puma', '-b', `tcp://${local.join(':')}`],
    entry: null,
    build: [['bundle', 'install', '--quiet']],
    sources: /\.rb$/,
    setUp: { ruby: folder, rubyVersion: has('.ruby-version') ? undefined : version },
    migrate: rails && has('config/database.yml') ? ['bundle', 'exec', 'rails', 'db:prepare'] : undefined,
    unsure: rails
      ? [
          'Rails runs for development, where it looks for changes: RAILS_ENV in `env`, with the secrets that production needs',
        ]
      : [],
    why: rails ? 'config/application.rb is of Rails' : 'config.ru has an application for Puma',
  };
}

const asks = (gems: string, names: string) => new RegExp(`^[ \\t]*gem\\s*\\(?\\s*['"](?:${names})['"]`, 'm').test(gems);
