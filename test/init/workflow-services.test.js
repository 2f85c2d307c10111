import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { init, passesCheck, repository, server, specOf } from '../support/init.js';

/**
 * What a workflow's services become. job: its text; beside: the services before the app; env: of the app, besides its port.
 * @type {Record<string, { job: string, beside: any[], env: Record<string, string>, says?: RegExp }>}
 */
const jobs = {
  'databases, and the variables that lead to them': {
    job: `
    env:
      DATABASE_URL: postgres://postgres:secret@localhost:5432/shop
      NODE_ENV: test
    services:
      postgres:
        image: postgres:16
        env: { POSTGRES_PASSWORD: secret }
        ports: ["5432:5432"]
        options: >-
          --health-cmd pg_isready
          --health-interval 10s
      redis: { image: "redis:7", ports: [16379:6379] }
    steps:
      - run: npm test
        env: { REDIS_URL: "redis://127.0.0.1:16379/0", TOKEN: "\${{ secrets.TOKEN }}" }
`,
    beside: [
      { name: 'postgres', container: { image: 'postgres:16', port: 5432 }, env: { POSTGRES_PASSWORD: 'secret' } },
      { name: 'redis', container: { image: 'redis:7', port: 6379 } },
    ],
    env: {
      DATABASE_URL: 'postgres://postgres:secret@127.0.0.1:${port.postgres}/shop',
      REDIS_URL: 'redis://127.0.0.1:${port.redis}/0',
    },
    says: /\.github\/workflows\/ci\.yml, job test has postgres and redis beside it/,
  },
  'a host and a port apart, with their kin': {
    job: `
    services: { db: { image: "mysql:8", ports: ["3306:3306"], env: { MYSQL_ROOT_PASSWORD: 1234 }, options: "--name x" } }
    steps: [{ env: { DB_HOST: localhost, DB_PORT: 3306, DB_USER: "a\${b}", OTHER: 3306 } }]
`,
    beside: [{ name: 'db', container: { image: 'mysql:8', port: 3306 }, env: { MYSQL_ROOT_PASSWORD: '1234' } }],
    env: { DB_HOST: '127.0.0.1', DB_PORT: '${port.db}', DB_USER: 'a$${b}' },
    says: /options of db are left out.*: --name x/,
  },
  'an address whose port is the usual one': {
    job: `
    services: { postgres: { image: "postgres", ports: ["5432:5432"] } }
    steps: [{ env: { DATABASE_URL: "postgresql+asyncpg://a:b@localhost/shop", SITE: "http://localhost/" } }]
`,
    beside: [{ name: 'postgres', container: { image: 'postgres', port: 5432 } }],
    env: { DATABASE_URL: 'postgresql+asyncpg://a:b@127.0.0.1:${port.postgres}/shop' },
  },
  'services by their names, of a job in a container': {
    job: `
    container: node:22
    services: { app: { image: redis } }
    env: { REDIS: "redis://app:6379", OTHER: "http://myapp:6379" }
`,
    beside: [{ name: 'app-service', container: { image: 'redis', port: 6379 } }],
    env: { REDIS: 'redis://127.0.0.1:${port.app-service}' },
  },
  'without what only GitHub knows': {
    job: `
    strategy: { matrix: { postgres: [15, 16] } }
    env:
      DATABASE_URL: "postgres://u:\${{ secrets.PASSWORD }}@localhost:5432/x"
      REDIS_PORT: "\${{ job.services.redis.ports[6379] }}"
    services:
      postgres: { image: "postgres:16", ports: ["5432:5432"], env: { POSTGRES_PASSWORD: "\${{ secrets.PASSWORD }}" } }
      other: { image: "postgres:\${{ matrix.postgres }}" }
      mine: { image: "ghcr.io/mine" }
`,
    beside: [{ name: 'postgres', container: { image: 'postgres:16', port: 5432 } }],
    env: {},
    says: /POSTGRES_PASSWORD of postgres is only known on GitHub.*\n.*other of the workflow is not started: its image is only known there\n.*mine of the workflow is not started: no port of it is known\n.*only GitHub knows DATABASE_URL, REDIS_PORT/,
  },
  'what no variable leads to': {
    job: '\n    services: { cache: { image: "memcached:1" } }\n',
    beside: [{ name: 'cache', container: { image: 'memcached:1', port: 11211 } }],
    env: {},
    says: /no variable leads to cache: write one into `env`, with \$\{port\.cache\} as the port/,
  },
  'names that are the same in a spec': {
    job: `
    services:
      db.a: { image: "postgres:16", ports: ["5432:5432"] }
      db-a: { image: "postgres:15", ports: ["5433:5432"] }
    env: { ONE: "postgres://localhost:5432/x", OTHER: "postgres://localhost:5433/x" }
`,
    beside: [
      { name: 'db-a', container: { image: 'postgres:16', port: 5432 } },
      { name: 'db-a-2', container: { image: 'postgres:15', port: 5432 } },
    ],
    env: { ONE: 'postgres://127.0.0.1:${port.db-a}/x', OTHER: 'postgres://127.0.0.1:${port.db-a-2}/x' },
  },
  'a host elsewhere, with the port of a service': {
    job: `
    services: { db: { image: "bitnami/postgresql", ports: ["5432:5432"] } }
    env: { DB_HOST: db.example.com, DB_PORT: 5432 }
`,
    beside: [{ name: 'db', container: { image: 'bitnami/postgresql', port: 5432 } }],
    env: {},
    says: /no variable leads to db/,
  },
};

/** Databases of which no migration may be known to be the service's own: the job, and what is said. @type {Record<string, [string, RegExp]>} */
const unmigrated = {
  'none of SQL': [
    `
    services: { redis: { image: "redis:7", ports: ["6379:6379"] } }
    env:
      REDIS_URL: redis://localhost:6379/0
      DATABASE_URL: "\${{ secrets.STAGING_DATABASE_URL }}"
      DATABASE_USER: "\${{ secrets.STAGING_DATABASE_USER }}"
      TOKEN: "\${{ secrets.TOKEN }}"
`,
    /only GitHub knows DATABASE_URL, DATABASE_USER: write it into `env`, or the service gets what your own environment has\n.*its database is not migrated/,
  ],
  'one that no variable leads to': [
    `
    services: { db: { image: postgres, ports: ["5432:5432"] }, redis: { image: "redis", ports: ["6379:6379"] } }
    env: { REDIS_URL: "redis://localhost:6379/0" }
`,
    /its database is not migrated/,
  ],
  'one, and another that only GitHub knows': [
    `
    services: { db: { image: postgres, ports: ["5432:5432"] } }
    env: { TEST_DATABASE_URL: "postgres://localhost:5432", DATABASE_URL: "\${{ secrets.URL }}" }
`,
    /only GitHub knows DATABASE_URL: .*\n.*its database is not migrated/,
  ],
  'one whose host only GitHub knows': [
    `
    services: { db: { image: postgres, ports: ["5432:5432"] } }
    env: { SHOP_HOST: "\${{ secrets.HOST }}", SHOP_PORT: 5432 }
`,
    /only GitHub knows SHOP_HOST: .*\n.*its database is not migrated/,
  ],
};

const workflow = (/** @type {string} */ job) => `on: push\njobs:\n  lint: { steps: [] }\n  test:\n    runs-on: x${job}`;

describe('init starts of a workflow', () => {
  for (const [name, { job, beside, env, says = /^/ }] of Object.entries(jobs)) {
    test(name, async () => {
      const folder = await repository({ 'server.js': server, '.github/workflows/ci.yml': workflow(job) });
      assert.match(await init(folder, 'shop'), says);
      await passesCheck(folder);
      const { url, services } = specOf(folder, 'shop').environments.local;
      assert.equal(url, 'http://127.0.0.1:${port.app}');
      assert.deepEqual(services.slice(0, -1), beside);
      assert.deepEqual(services.at(-1).env, { PORT: '${port}', ...env });
    });
  }

  test('a database that is migrated before each start', async () => {
    const job =
      '\n    services: { db: { image: postgres, ports: ["5432:5432"] } }\n    env: { DATABASE_URL: "postgres://localhost:5432" }\n';
    const folder = await repository({
      'manage.py': 'setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")',
      '.github/workflows/ci.yml': workflow(job),
    });
    await init(folder, 'shop');
    await passesCheck(folder);
    assert.deepEqual(specOf(folder, 'shop').environments.local.services[1].setup, [
      'python3',
      'manage.py',
      'migrate',
      '--noinput',
    ]);
  });

  test('what the steps of the job migrate and seed it with', async () => {
    const job = `
    services: { db: { image: postgres, ports: ["5432:5432"] } }
    env: { DATABASE_URL: "postgres://localhost:5432/shop" }
    steps:
      - run: cargo install sqlx-cli
      - run: |
          sqlx database create
          sqlx migrate run
      - run: psql "$DATABASE_URL" -f seed.sql
      - { run: make seed, working-directory: tools }
      - run: cargo test
`;
    const folder = await repository({ 'server.js': server, '.github/workflows/ci.yml': workflow(job) });
    const stdout = await init(folder, 'shop');
    assert.match(stdout, /before each start it does what \.github\/workflows\/ci\.yml, job test says/);
    await passesCheck(folder);
    assert.deepEqual(specOf(folder, 'shop').environments.local.services[1].setup, [
      ['sqlx', 'database', 'create'],
      ['sqlx', 'migrate', 'run'],
      ['sh', '-c', 'psql "$DATABASE_URL" -f seed.sql'],
    ]);
  });

  test('nothing that files only let guess: it stands as a comment', async () => {
    const folder = await repository({
      'server.js': server,
      'migrations/001_init.sql': '',
      'migrations/001_init.down.sql': '',
      'package.json': '{"scripts":{"seed":"node seed.js"}}',
    });
    assert.match(
      await init(folder, 'shop'),
      /its database is not migrated: .*what migrations\/001_init\.sql and the script "seed"/,
    );
    await passesCheck(folder);
    const text = readFileSync(join(folder, 'specs/shop/spec.toml'), 'utf8');
    assert.ok(
      text.includes(
        '# setup = [["sh", "-c", "psql \\"$DATABASE_URL\\" -f migrations/001_init.sql"], ["npm", "run", "seed"]] # before',
      ),
      text,
    );
  });

  for (const [name, [job, says]] of Object.entries(unmigrated)) {
    test(`no migration: ${name}`, async () => {
      const folder = await repository({
        'manage.py': 'setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")',
        '.github/workflows/ci.yml': workflow(job),
      });
      assert.match(await init(folder, 'shop'), says);
      await passesCheck(folder);
      assert.equal(specOf(folder, 'shop').environments.local.services.at(-1).setup, undefined);
    });
  }

  test('nothing of a file that is none, and of jobs without services', async () => {
    const folder = await repository({
      'server.js': 'app.get("/metrics", f); app.get("/a", f); app.listen(process.env.PORT)',
      '.github/workflows/a.yml': 'jobs: [',
      '.github/workflows/b.yml': workflow(''),
      '.github/workflows/c.yml': 'jobs: { a: { services: { x: } } }',
    });
    await init(folder, 'shop');
    await passesCheck(folder);
    assert.equal(specOf(folder, 'shop').environments.local.services.length, 1);
    const spec = readFileSync(join(folder, 'specs/shop/spec.toml'), 'utf8');
    assert.match(spec, /^# metrics = "http:\/\/127\.0\.0\.1:\$\{port\}\/metrics" # .*Prometheus/m);
    const written = spec.replace('# metrics = ', 'metrics = ');
    assert.ok(written.includes('\nmetrics = '));
  });
});
