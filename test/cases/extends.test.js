import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseToml, resolveExtends } from '../../dist/suite/cases/cases.js';
import { writtenAt } from '../../dist/suite/cases/extends.js';
import { cases, get } from '../support/specs.js';

describe('an environment like another', () => {
  const environments = parseToml(`
    [old]
    title = "The old one"
    url = "http://127.0.0.1:\${port.app}"
    parameters = { a = 1, b = 1 }
    setup = ["make"]
    services = [
      { name = "app", command = ["node", "\${port}"], env = { PORT = "\${port}", V = "1" }, ready = "log:ok" },
      { name = "db", command = ["db"] },
    ]
    [new]
    extends = "old"
    parameters = { b = 2 }
    services = [{ name = "cache", command = ["cache"] }, { name = "app", env = { V = "2" } }]
    [newest]
    extends = "new"
    title = "The newest"
    setup = []`);
  const never = () => assert.fail('reported');
  it('is a copy with its own merged over it, services by name', () => {
    const resolved = resolveExtends(environments, never);
    assert.deepEqual(resolved.new, {
      url: 'http://127.0.0.1:${port.app}',
      parameters: { a: 1, b: 2 },
      setup: ['make'],
      services: [
        { name: 'app', command: ['node', '${port}'], env: { PORT: '${port}', V: '2' }, ready: 'log:ok' },
        { name: 'db', command: ['db'] },
        { name: 'cache', command: ['cache'] },
      ],
    });
    assert.deepEqual(
      [resolved.newest.title, resolved.newest.setup, resolved.newest.services],
      ['The newest', [], resolved.new.services],
    );
  });
  it('does not change what it extends, and costs nothing where there is none', () => {
    const before = JSON.stringify(environments);
    resolveExtends(environments, never);
    assert.equal(JSON.stringify(environments), before);
    const alone = { old: environments.old };
    assert.equal(resolveExtends(alone, never), alone);
  });
  it('knows where each of its keys is written', () => {
    const at = (/** @type {(string | number)[]} */ ...path) =>
      writtenAt(environments, ['environments', 'newest', ...path]).slice(1);
    assert.deepEqual(at('title'), ['newest', 'title']);
    assert.deepEqual(at('url'), ['old', 'url']);
    assert.deepEqual(at('services', 0, 'env', 'V'), ['new', 'services', 1, 'env', 'V']);
    assert.deepEqual(at('services', 0, 'ready'), ['old', 'services', 0, 'ready']);
    assert.deepEqual(at('services', 2, 'command', 0), ['new', 'services', 0, 'command', 0]);
    assert.deepEqual(at('nowhere'), ['newest', 'nowhere']);
    assert.deepEqual(writtenAt(environments, ['scenarios', 's']), ['scenarios', 's']);
  });
  it('says in plain k6 too where what is wrong is written', () => {
    const rest =
      'environments.a = { url = "http://x", services = [{ name = "app", command = ["x"], ready_timeout = "9" }] }\nenvironments.b.extends = "a"';
    assert.throws(() => cases(`environments = ["b"]${get}`, { rest }), {
      message: /^environments\.a\.services\[0\]\.ready_timeout: the duration 9 has no unit/,
    });
  });
  it('takes what a profile changes in that', () => {
    const rest =
      'parameters.n = 1\nenvironments.a.url = "http://x/${n}"\nenvironments.b.extends = "a"\nprofiles.quick.environments.a.parameters.n = 5';
    assert.deepEqual(
      cases(get, { rest, profile: 'quick' }).map(({ url }) => url),
      ['http://x/5', 'http://x/5'],
    );
  });
});
