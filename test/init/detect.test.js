import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { init, passesCheck, repository, server, specOf } from '../support/init.js';

/** What gives Python what requirements.txt asks for. */
const venv = [
  ['python3', '-m', 'venv', '.venv'],
  ['.venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'],
];

/**
 * What init sees of a repository: of its only service the command, its environment, its build, and the path.
 * @type {Record<string, { files: Record<string, string>, args?: string[], service?: any, contained?: any, compose?: string, url?: string, path?: string, says?: RegExp }>}
 */
const repositories = {
  'a server in Node.js, without package.json': {
    files: { 'server.js': server },
    service: { command: ['node', 'server.js'], env: { PORT: '${port}' } },
  },
  'a start script that is only node': {
    files: {
      'package.json':
        '{"name":"@acme/shop","scripts":{"start":"NODE_ENV=production node --enable-source-maps lib/start"},"dependencies":{"x":"1"}}',
      'lib/start.js': 'require("./app").go();',
      'lib/app.js': 'const { PORT = 80 } = process.env; app.get("/items", f); app.listen(PORT)',
      'package-lock.json': '{}',
    },
    service: {
      command: ['node', '--enable-source-maps', 'lib/start'],
      env: { NODE_ENV: 'production', PORT: '${port}' },
      build: ['npm', 'install', '--no-audit', '--no-fund', '--include=dev'],
    },
    path: '/items',
  },
  'a start script that needs a shell, and a build': {
    files: {
      'package.json': '{"scripts":{"build":"tsc","start":"npm run migrate && node dist/main.js"}}',
      'pnpm-lock.yaml': '',
      'src/main.ts': 'serve({ fetch, port: 8787 })',
    },
    service: {
      command: ['pnpm', 'start'],
      build: [
        ['pnpm', 'install', '--frozen-lockfile'],
        ['pnpm', 'run', 'build'],
      ],
    },
    url: 'http://127.0.0.1:8787',
  },
  'a port that stands in the source': {
    files: { 'index.js': '// was process.env.PORT\nhttp.createServer(f).listen(8081);' },
    service: { command: ['node', 'index.js'] },
    url: 'http://127.0.0.1:8081',
    says: /index\.js listens on port 8081/,
  },
  'a framework that says nothing of a port': {
    files: { 'package.json': '{"scripts":{"start":"next start"},"dependencies":{"next":"16"}}' },
    service: {
      command: ['npm', 'start'],
      env: { PORT: '${port}' },
      build: ['npm', 'install', '--no-audit', '--no-fund', '--no-package-lock'],
    },
    says: /To fill in:\n {2}its port was not found/,
  },
  'a Procfile': {
    files: { Procfile: 'worker: x\nweb: gunicorn -b 0.0.0.0:${PORT:-8000} "my app":app\n' },
    service: { command: ['gunicorn', '-b', '0.0.0.0:${port}', 'my app:app'], env: { PORT: '${port}' } },
  },
  'a Procfile of Python': {
    files: {
      Procfile: 'web: gunicorn shop.wsgi --bind :$PORT\n',
      'requirements.txt': 'gunicorn\n',
      'shop/wsgi.py': '',
    },
    service: {
      command: ['.venv/bin/gunicorn', 'shop.wsgi', '--bind', ':${port}'],
      env: { PORT: '${port}' },
      build: venv,
    },
  },
  'a Procfile of Node.js': {
    files: {
      Procfile: 'web: node web/start.js\n',
      'package.json': '{"scripts":{"build":"tsc"},"dependencies":{"x":"1"}}',
      'package-lock.json': '{}',
      'web/start.js': 'app.get("/items", f); app.listen(process.env.PORT)',
    },
    service: {
      command: ['node', 'web/start.js'],
      env: { PORT: '${port}' },
      build: [
        ['npm', 'install', '--no-audit', '--no-fund'],
        ['npm', 'run', 'build'],
      ],
    },
    path: '/items',
  },
  'a Procfile of Go': {
    files: {
      Procfile: 'web: bin/shop -verbose\n',
      'go.mod': 'module x',
      'cmd/import/main.go': 'package main\n',
      'cmd/shop/main.go':
        'package main\n\nfunc main() { http.HandleFunc("/hello", f); http.ListenAndServe(":"+os.Getenv("PORT"), nil) }\n',
    },
    service: {
      command: ['bin/shop', '-verbose'],
      env: { PORT: '${port}' },
      build: ['go', 'build', '-o', 'bin/shop', './cmd/shop'],
    },
    path: '/hello',
  },
  'a Procfile that calls a program of its virtual environment': {
    files: { Procfile: 'web: .venv/bin/gunicorn shop:app\n', 'requirements.txt': 'gunicorn\n' },
    service: { command: ['.venv/bin/gunicorn', 'shop:app'], env: { PORT: '${port}' }, build: venv },
  },
  'a Procfile whose program is a script that is there': {
    files: { Procfile: 'web: bin/web\n', 'bin/web': '#!/bin/sh\n', 'go.mod': 'module x', 'main.go': 'package main\n' },
    service: { command: ['bin/web'], env: { PORT: '${port}' } },
  },
  Go: {
    files: {
      'go.mod': 'module x',
      'main.go':
        'package main\n\nfunc main() { http.HandleFunc("/hello", f); http.ListenAndServe(":"+os.Getenv("HTTP_PORT"), nil) }\n',
    },
    service: {
      command: ['./bench-app'],
      env: { HTTP_PORT: '${port}' },
      build: ['go', 'build', '-o', 'bench-app', '.'],
    },
    path: '/hello',
  },
  'an ASGI application': {
    files: {
      'pyproject.toml': 'dependencies = ["fastapi", "uvicorn"]',
      'app/main.py': 'app = FastAPI()\n\n@app.get("/items")\ndef items(): ...\n',
    },
    service: {
      command: ['.venv/bin/uvicorn', 'app.main:app', '--host', '127.0.0.1', '--port', '${port}'],
      build: [
        ['python3', '-m', 'venv', '.venv'],
        ['.venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '.'],
      ],
    },
    path: '/items',
  },
  'an application of uv, with what is not loaded': {
    files: {
      'pyproject.toml': 'dependencies = ["fastapi", "uvicorn"]',
      'uv.lock': '',
      'compose.yaml': 'services: { db: { image: postgres } }',
      'main.py':
        'app = FastAPI()\n\n@app.get("/health")\n@app.get("/metrics")\n@app.get("/orders")\n@app.get("/orders/{id}")\n',
    },
    service: {
      command: ['uv', 'run', 'uvicorn', 'main:app', '--host', '127.0.0.1', '--port', '${port}'],
      build: ['uv', 'sync', '--frozen'],
      ready: 'http://127.0.0.1:${port}/health',
    },
    path: '/orders',
    says: /Not loaded:\n {2}GET \/orders\/\{id\} +it has a parameter[\s\S]*metrics at \/metrics are not read.*\n.*compose\.yaml is not read/,
  },
  'routers of FastAPI, under the prefixes that they are included with': {
    files: {
      'requirements.txt': 'fastapi\nuvicorn\n',
      'main.py':
        'from app.api import items, users as people\nfrom app.admin import router as admin\napp = FastAPI()\n' +
        'api = APIRouter(prefix="/v1")\napi.include_router(items.router)\napi.include_router(people.router, prefix="/people")\n' +
        'app.include_router(api, prefix="/api")\napp.include_router(\n    admin,\n    prefix="/admin",\n)\n',
      'app/api/__init__.py': '',
      'app/api/items.py':
        'router = APIRouter(prefix="/items", tags=["items"])\n@router.get("")\ndef all(): ...\n@router.post("")\ndef add(): ...\n@router.get("/{id}")\ndef one(): ...\n',
      'app/api/users.py': 'router = APIRouter()\n@router.get("/")\ndef all(): ...\n',
      'app/admin.py': 'router = APIRouter()\n@router.get("/jobs")\ndef all(): ...\n',
    },
    service: {
      command: ['.venv/bin/uvicorn', 'main:app', '--host', '127.0.0.1', '--port', '${port}'],
      build: venv,
    },
    path: '/admin/jobs',
    says: /GET \/api\/v1\/items +it stands in the spec as a comment\n {2}GET \/api\/v1\/people\/ +it stands in the spec as a comment\n {2}GET \/api\/v1\/items\/\{id\} +it has a parameter, .*\n {2}POST \/api\/v1\/items +it may change data/,
  },
  'blueprints of Flask, with the prefix of the registration or their own': {
    files: {
      'requirements.txt': 'flask\n',
      'app.py':
        'from flask import Flask\nfrom books import bp\nfrom .shops import bp as shops\napp = Flask(__name__)\napp.register_blueprint(bp)\napp.register_blueprint(shops, url_prefix="/s")\n',
      'books.py':
        'from flask import Blueprint\nbp = Blueprint("books", __name__, url_prefix="/books")\n@bp.route("/list", methods=["GET", "POST"])\ndef list(): ...\n@bp.delete("/<id>")\ndef one(): ...\n',
      'shops.py': 'bp = Blueprint("shops", __name__, url_prefix="/no")\n@bp.get("/near")\ndef near(): ...\n',
    },
    service: {
      command: ['.venv/bin/flask', '--app', 'app:app', 'run', '--port', '${port}'],
      build: venv,
    },
    path: '/books/list',
    says: /GET \/s\/near .*\n {2}DELETE \/books\/<id> +it may change data/,
  },
  'routers of Express, used under a path': {
    files: {
      'server.js':
        "import express from 'express';\nimport items from './routes/items.js';\nconst app = express();\nconst own = express.Router();\nown.get('/me', f);\napp.use(express.json());\napp.use('/api/items', auth, items);\napp.use('/own', own);\napp.use('/late', require('./routes/late'));\napp.listen(process.env.PORT);\n",
      'routes/items.js':
        "const router = Router();\nrouter.get('/list', f);\nrouter.get('/:id', f);\nrouter.put('/:id', f);\nexport default router;\n",
      'routes/late.js': "const { Router } = require('express');\nmodule.exports = new Router().get('/er', f);\n",
    },
    service: { command: ['node', 'server.js'], env: { PORT: '${port}' } },
    path: '/own/me',
    says: /GET \/api\/items\/list .*\n {2}GET \/late\/er .*\n {2}GET \/api\/items\/:id +it has a parameter.*\n {2}PUT \/api\/items\/:id +it may/,
  },
  'a health check and nothing else': {
    files: { 'server.js': 'app.get("/healthz", f); app.listen(process.env.PORT)' },
    service: { command: ['node', 'server.js'], env: { PORT: '${port}' } },
    path: '/healthz',
    says: /To fill in:\n {2}no address was found but \/healthz/,
  },
  'only an image': {
    files: { Dockerfile: 'FROM scratch\nEXPOSE 9000/tcp\n' },
    contained: { name: 'app', container: { build: '../..', port: 9000 }, ready: 'http://127.0.0.1:${port}/' },
    says: /Found:\n {2}Dockerfile builds an image that listens on port 9000/,
  },
  'a compose file with what the service needs': {
    files: {
      'compose.yaml':
        'services:\n  db: { image: "postgres:16", ports: ["5432:5432"] }\n  admin: { image: adminer, ports: ["8080:8080"] }\n  api: { build: ., ports: ["3000:3000"], depends_on: [db] }\n',
      Dockerfile: 'FROM node\n',
      'server.js': 'app.get("/orders", f); app.get("/healthz", f); app.listen(3000)',
    },
    contained: { name: 'api', ready: 'http://127.0.0.1:${port}/healthz' },
    compose: '../../compose.yaml',
    url: 'http://127.0.0.1:${port.api}',
    path: '/orders',
    says: /Found:\n {2}compose\.yaml runs api beside db, admin[\s\S]*To fill in:\n {2}it could run without containers too, .*--command 'node server\.js'/,
  },
  'a compose file that only has the database': {
    files: { 'docker-compose.yml': 'services: { db: { image: redis, ports: [6379] } }', 'server.js': server },
    service: { command: ['node', 'server.js'], env: { PORT: '${port}' } },
    says: /docker-compose\.yml is not read: the key `compose`/,
  },
  'a compose file that is none': {
    files: { 'compose.yaml': 'services: [', 'server.js': server },
    service: { command: ['node', 'server.js'], env: { PORT: '${port}' } },
  },
  'a library': {
    files: { 'package.json': '{"main":"index.js"}', 'index.js': 'exports.add = (a, b) => a + b;' },
    url: 'http://127.0.0.1:8080',
  },
  'an address that is given': {
    files: { 'server.js': server },
    args: ['--url', 'https://example.com/a?b=${c}'],
    url: 'https://example.com',
    path: '/a?b=$${c}',
  },
  'a command that is given': {
    files: {},
    args: ['--command', 'my-server --listen "127.0.0.1:$PORT"'],
    service: { command: ['my-server', '--listen', '127.0.0.1:${port}'] },
  },
  'a command and its port': {
    files: { 'server.js': server },
    args: ['--command', 'node server.js', '--port', '8082'],
    service: { command: ['node', 'server.js'] },
    url: 'http://127.0.0.1:8082',
  },
  'a port for a command that takes one': {
    files: { 'main.py': 'app = Flask(__name__)\n' },
    args: ['--port', '8082'],
    service: { command: ['flask', '--app', 'main:app', 'run', '--port', '8082'] },
    url: 'http://127.0.0.1:8082',
  },
  'a workspace with one service': {
    files: {
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/lib/index.js': '',
      'packages/api/package.json': '{"name":"@acme/api","scripts":{"start":"node ."}}',
      'packages/api/index.js': server,
    },
    service: { cwd: '../../packages/api', command: ['node', '.'], env: { PORT: '${port}' } },
  },
};

describe('init', () => {
  for (const [name, { files, args = [], service, contained, compose, url, path = '/', says = /^/ }] of Object.entries(
    repositories,
  )) {
    test(`sees ${name}`, async () => {
      const folder = await repository(files);
      const stdout = await init(folder, 'shop', ...args);
      assert.match(stdout, says);
      await passesCheck(folder);
      const {
        environments: { local },
        scenarios,
      } = specOf(folder, 'shop');
      const address = url ?? 'http://127.0.0.1:${port}';
      assert.deepEqual([local.url, scenarios.steady.requests[0].get], [address, path]);
      const expected = contained ?? (service && { name: 'app', cwd: '../..', ready: `${address}${path}`, ...service });
      assert.equal(local.compose, compose);
      assert.deepEqual(local.services, expected ? [expected] : undefined);
      assert.deepEqual(
        local.duet?.concurrent,
        service && url ? false : undefined,
        'two copies cannot listen on one port',
      );
      assert.equal(existsSync(join(folder, '.github')), expected !== undefined, 'an address has no commits to compare');
    });
  }
});
