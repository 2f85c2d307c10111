// What init sees of services in other languages: command, build, health check, another address, and what a workflow installs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { root } from '../support/cli.js';
import { init, passesCheck, repository, specOf } from '../support/init.js';

const venv = ['python3', '-m', 'venv', '.venv'];
const pip = ['.venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'];
const manage = 'os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")\n';
const pom = (/** @type {string} */ more = '', plugin = 'spring-boot-maven-plugin') =>
  `<?xml version="1.0"?>\n<project>\n<!-- <artifactId>no</artifactId> -->\n<parent><artifactId>spring-boot-starter-parent</artifactId><version>3.5.0</version></parent>
<artifactId>shop</artifactId><version>1.2-SNAPSHOT</version>${more}
<build><plugins><plugin><artifactId>${plugin}</artifactId></plugin></plugins></build></project>`;
const controller =
  '@RestController\n@RequestMapping("/api")\npublic class Items {\n  @PostMapping("/items")\n  public Item add(@RequestBody Item item) {\n  }\n' +
  '  @GetMapping("/search")\n  public List<Item> search(@RequestParam String q) {\n  }\n  @GetMapping(value = "/items", produces = "application/json")\n  public List<Item> all(@RequestParam(defaultValue = "0") int page) {\n  }\n}\n';
const alone = ['-nodeReuse:false', '-p:UseSharedCompilation=false'];
const csproj = (/** @type {string} */ more = '') =>
  `<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><TargetFramework>net9.0</TargetFramework>${more}</PropertyGroup></Project>`;

/**
 * sets: what the workflow installs.
 * @type {Record<string, { files: Record<string, string>, service: any, path: string, ready?: string, sets?: RegExp, says?: RegExp }>}
 */
const services = {
  'Spring Boot with Maven': {
    files: {
      'pom.xml': pom(
        '<properties><java.version>17</java.version></properties><dependencies><dependency><artifactId>spring-boot-starter-actuator</artifactId></dependency></dependencies>',
      ),
      'src/main/java/com/example/shop/items/Items.java': controller,
      'src/test/java/com/example/ItemsTest.java': '@GetMapping("/no")',
    },
    service: {
      command: ['java', '-jar', 'target/shop-1.2-SNAPSHOT.jar'],
      env: { SERVER_PORT: '${port}' },
      build: ['mvn', '-q', '-B', '-DskipTests', 'package'],
    },
    path: '/api/items',
    ready: '/actuator/health',
    sets: /setup-java@[0-9a-f]{40}, with: \{ distribution: temurin, java-version: "17" \}/,
    says: /Not loaded:\n {2}GET \/api\/search\?… +it has a parameter/,
  },
  'Spring Boot in a module, by the wrapper, under a path': {
    files: {
      'pom.xml':
        '<project><packaging>pom</packaging><modules><module>lib</module><module>web</module></modules><properties><revision>7</revision></properties></project>',
      mvnw: '#!/bin/sh\n',
      'lib/pom.xml': pom('', 'maven-jar-plugin'),
      'web/pom.xml':
        '<project><artifactId>web</artifactId><version>${revision}</version><build><finalName>${project.artifactId}-${project.version}-app</finalName><plugins><plugin><artifactId>spring-boot-maven-plugin</artifactId></plugin></plugins></build></project>',
      'web/src/main/resources/application.yml':
        'server:\n  servlet:\n    context-path: /shop\n---\nserver: { port: 1 }\n',
      'web/src/main/kotlin/Items.kt':
        '@RestController\nclass Items {\n  @GetMapping("/items")\n  fun all(): List<Item> = items\n}\n',
    },
    service: {
      command: ['java', '-jar', 'web/target/web-7-app.jar'],
      env: { SERVER_PORT: '${port}' },
      build: ['sh', 'mvnw', '-q', '-B', '-DskipTests', '-pl', 'web', '-am', 'package'],
    },
    path: '/shop/items',
    sets: /java-version: "21"/,
  },
  'Spring Boot with Gradle': {
    files: {
      'build.gradle.kts':
        'plugins {\n  id("org.springframework.boot") version "3.5.0"\n}\nversion = "0.0.1"\njava { toolchain { languageVersion = JavaLanguageVersion.of(25) } }\n',
      'settings.gradle.kts': 'rootProject.name = "shop"\n',
      gradlew: '',
      'src/main/java/Items.java': controller,
    },
    service: {
      command: ['java', '-jar', 'build/libs/shop-0.0.1.jar'],
      env: { SERVER_PORT: '${port}' },
      build: ['sh', 'gradlew', '--no-daemon', '-q', 'bootJar'],
    },
    path: '/api/items',
    sets: /java-version: "25"/,
  },
  'Spring Boot in the only such project of Gradle': {
    files: {
      'build.gradle': "plugins {\n  id 'org.springframework.boot' version '3.5.0' apply false\n}\nversion = '9'\n",
      'settings.gradle': "include 'web', 'lib'\n",
      'web/build.gradle':
        "plugins { id 'org.springframework.boot' }\nsourceCompatibility = JavaVersion.VERSION_17\nimplementation 'org.springframework.boot:spring-boot-starter-actuator'\n",
      'lib/build.gradle': "implementation 'org.springframework.boot:spring-boot-starter'\n",
      'web/src/main/java/Items.java': controller,
    },
    service: {
      command: ['java', '-jar', 'web/build/libs/web.jar'],
      env: { SERVER_PORT: '${port}' },
      build: ['gradle', '--no-daemon', '-q', ':web:bootJar'],
    },
    path: '/api/items',
    ready: '/actuator/health',
    sets: /java-version: "17"/,
  },
  'the minimal API of .NET': {
    files: {
      'Shop.sln': '',
      'src/Shop.Api/Shop.Api.csproj': csproj('<AssemblyName>shop</AssemblyName>'),
      'src/Shop.Api/Program.cs':
        'var app = builder.Build();\napp.MapHealthChecks("/hc");\nvar api = app.MapGroup("/api");\nvar v1 = api.MapGroup("v1");\nv1.MapGet("/items/{id}", Get);\nv1.MapGet("/items", All);\napp.Run();\n',
      'tests/Shop.Tests/Shop.Tests.csproj': csproj('<IsTestProject>true</IsTestProject>'),
    },
    service: {
      cwd: '../../src/Shop.Api',
      command: ['dotnet', 'bin/bench/shop.dll'],
      env: { ASPNETCORE_URLS: 'http://127.0.0.1:${port}' },
      build: ['dotnet', 'publish', 'Shop.Api.csproj', '-c', 'Release', '-o', 'bin/bench', ...alone],
    },
    path: '/api/v1/items',
    ready: '/hc',
    sets: /setup-dotnet@[0-9a-f]{40}, with: \{ dotnet-version: "9\.0\.x" \}/,
  },
  'controllers of .NET': {
    files: {
      'global.json': '{"sdk":{"version":"8.0.100"}}',
      'Shop.csproj': csproj(),
      'Controllers/ItemsController.cs':
        '[ApiController]\n[Route("api/[controller]")]\npublic class ItemsController : ControllerBase {\n  [HttpGet("{id}")]\n  public Item One(int id) => x;\n  [HttpGet(Name = "All")]\n  public Item[] All() => x;\n}\n',
    },
    service: {
      command: ['dotnet', 'bin/bench/Shop.dll'],
      env: { ASPNETCORE_URLS: 'http://127.0.0.1:${port}' },
      build: ['dotnet', 'publish', 'Shop.csproj', '-c', 'Release', '-o', 'bin/bench', ...alone],
    },
    path: '/api/Items',
    sets: /global-json-file: "global\.json"/,
  },
  axum: {
    files: {
      'Cargo.toml': '[package]\nname = "shop"\n[dependencies]\naxum = "0.8"\n',
      'Cargo.lock': '',
      'rust-toolchain.toml': '[toolchain]\nchannel = "1.90"\n',
      'src/main.rs':
        'fn main() { let app = Router::new().route("/health", get(health)).route("/orders", post(add)).route("/items", get(items)); let port = env::var("PORT"); }\n',
    },
    service: {
      command: ['./target/release/shop'],
      env: { PORT: '${port}' },
      build: ['cargo', 'build', '--release', '--locked', '--bin', 'shop'],
    },
    path: '/items',
    ready: '/health',
    sets: /\{ run: rustup toolchain install, working-directory: "\." \}/,
    says: /POST \/orders +it may change data/,
  },
  'axum with routers that are nested': {
    files: {
      'Cargo.toml': '[package]\nname = "shop"\n[dependencies]\naxum = "0.8"\n',
      'src/main.rs':
        'mod orders;\nasync fn main() {\n  let users = Router::new()\n    .route("/list", get(all).post(add))\n    .route("/{id}", get(one));\n  let api = Router::new().nest("/users", users).nest("/orders", orders::routes());\n  let app = Router::new().nest("/api/v1", api).nest("/deep", Router::new().nest("/er", Router::new().route("/x", get(x))));\n  let port = env::var("PORT");\n}\n',
      'src/orders.rs': 'pub fn routes() -> Router<AppState> {\n  Router::new().route("/open", get(open))\n}\n',
    },
    service: {
      command: ['./target/release/shop'],
      env: { PORT: '${port}' },
      build: ['cargo', 'build', '--release', '--bin', 'shop'],
    },
    path: '/api/v1/users/list',
    says: /GET \/deep\/er\/x .*\n {2}GET \/api\/v1\/orders\/open .*\n {2}GET \/api\/v1\/users\/\{id\} .*\n {2}POST \/api\/v1\/users\/list /,
  },
  'Rocket in a workspace': {
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n',
      'crates/lib/Cargo.toml': '[package]\nname = "lib"\n',
      'crates/web/Cargo.toml': '[package]\nname = "web"\n[[bin]]\nname = "shop"\n[dependencies]\nrocket = "0.5"\n',
      'crates/web/src/main.rs':
        '#[get("/items")]\nasync fn items() {}\n#[launch]\nfn rocket() -> _ { rocket::build().mount("/api", routes![items]) }\n',
    },
    service: {
      command: ['./target/release/shop'],
      env: { ROCKET_ADDRESS: '127.0.0.1', ROCKET_PORT: '${port}' },
      build: ['cargo', 'build', '--release', '--bin', 'shop'],
    },
    path: '/api/items',
  },
  Rails: {
    files: {
      Gemfile: 'source "https://rubygems.org"\nruby "3.3.6"\ngem "rails", "~> 8.0"\n',
      'config.ru': 'run Rails.application\n',
      'config/application.rb': 'module Shop\nend\n',
      'config/routes.rb':
        'Rails.application.routes.draw do\n  get "up" => "rails/health#show", as: :rails_health_check\n  namespace :api do\n    resources :items, only: [:index, :show] do\n      get :price\n    end\n  end\nend\n',
      'app/javascript/items.js': 'axios.get("/no")',
    },
    service: {
      command: ['bundle', 'exec', 'rails', 'server', '-b', '127.0.0.1', '-p', '${port}'],
      build: ['bundle', 'install', '--quiet'],
    },
    path: '/api/items',
    ready: '/up',
    sets: /setup-ruby@[0-9a-f]{40}, with: \{ bundler-cache: true, working-directory: "\.", ruby-version: "3\.3\.6" \}/,
    says: /Rails runs for development/,
  },
  'Sinatra by Puma': {
    files: {
      Gemfile: 'gem "sinatra"\ngem "puma"\n',
      '.ruby-version': '3.4.1\n',
      'config.ru': 'run Shop\n',
      'app.rb': "class Shop < Sinatra::Base\n  get '/items' do\n  end\nend\n",
    },
    service: {
      command: ['bundle', 'exec', 'puma', '-b', 'tcp://127.0.0.1:${port}'],
      build: ['bundle', 'install', '--quiet'],
    },
    path: '/items',
    sets: /bundler-cache: true, working-directory: "\." \}/,
  },
  Django: {
    files: {
      'manage.py': manage,
      'requirements.txt': 'django\n',
      'shop/wsgi.py': '',
      'shop/urls.py':
        'urlpatterns = [path("admin/", admin.site.urls), path("healthz/", ok), path("api/", include("items.urls"))]\n',
      'items/urls.py':
        'router.register(r"items", Items)\nurlpatterns = [path("items/<int:id>/", one), path("v1/", include(router.urls))]\n',
    },
    service: {
      command: ['.venv/bin/python3', 'manage.py', 'runserver', '--noreload', '127.0.0.1:${port}'],
      build: [venv, pip],
    },
    path: '/api/v1/items/',
    ready: '/healthz/',
    sets: /setup-python@/,
    says: /its database is not migrated: without the # in front, `setup` of the spec does what manage\.py is of Django says/,
  },
  'Django by Gunicorn': {
    files: {
      'manage.py': manage,
      'requirements.txt': 'django\ngunicorn==23\n',
      'shop/wsgi.py': '',
      'shop/urls.py': 'path("", home)',
    },
    service: { command: ['.venv/bin/gunicorn', 'shop.wsgi', '--bind', '127.0.0.1:${port}'], build: [venv, pip] },
    path: '/',
  },
  Flask: {
    files: {
      'requirements.txt': 'flask\n',
      'app.py':
        'app = Flask(__name__)\n@app.route("/orders", methods=["POST"])\n@app.route("/items")\n@app.route("/up")\nif __name__ == "__main__":\n    app.run(port=5000)\n',
    },
    service: { command: ['.venv/bin/flask', '--app', 'app:app', 'run', '--port', '${port}'], build: [venv, pip] },
    path: '/items',
    ready: '/up',
  },
  'Flask of a package by Waitress': {
    files: {
      'requirements.txt': 'flask\nwaitress\n',
      'shop/__init__.py': 'def create_app():\n    app = Flask(__name__)\n    return app\n',
      'shop/views.py': '@views.get("/items")\ndef items(): ...\n',
    },
    service: {
      command: ['.venv/bin/waitress-serve', '--listen=127.0.0.1:${port}', '--call', 'shop:create_app'],
      build: [venv, pip],
    },
    path: '/items',
  },
  'Flask by Gunicorn': {
    files: { 'requirements.txt': 'flask\ngunicorn\n', 'wsgi.py': 'application = Flask("shop")\n' },
    service: { command: ['.venv/bin/gunicorn', 'wsgi:application', '--bind', '127.0.0.1:${port}'], build: [venv, pip] },
    path: '/',
  },
  'a Procfile, in the language of its repository': {
    files: { Procfile: 'web: bundle exec puma -p $PORT\n', Gemfile: 'gem "puma"\n', 'config.ru': '' },
    service: {
      command: ['bundle', 'exec', 'puma', '-p', '${port}'],
      env: { PORT: '${port}' },
      build: ['bundle', 'install', '--quiet'],
    },
    path: '/',
    sets: /setup-ruby@.*ruby-version: "3\.4"/,
  },
};

/** What several programs would be, or none that has a name. @type {Record<string, Record<string, string>>} */
const nothing = {
  'two projects of .NET': { 'a/a.csproj': csproj(), 'b/b.csproj': csproj() },
  'a project of Gradle that is named as its folder': { 'build.gradle': "plugins { id 'org.springframework.boot' }\n" },
  'a version that only a build knows': { 'pom.xml': pom().replace('1.2-SNAPSHOT', '${revision}') },
  'a program in Rust that serves nothing': { 'Cargo.toml': '[package]\nname = "x"\n', 'src/main.rs': '' },
  'a Cargo.toml that is none': { 'Cargo.toml': '[package', 'src/main.rs': '' },
};

describe('init', () => {
  /** @type {string[]} */
  const workflows = [];
  for (const [name, { files, service, path, ready = path, sets = /^/, says = /^/ }] of Object.entries(services)) {
    test(`sees ${name}`, async () => {
      const folder = await repository(files);
      const stdout = await init(folder, 'shop');
      assert.match(stdout, says);
      await passesCheck(folder);
      const { environments, scenarios } = specOf(folder, 'shop');
      assert.deepEqual(environments.local.services, [
        { name: 'app', cwd: '../..', ready: `http://127.0.0.1:\${port}${ready}`, ...service },
      ]);
      assert.deepEqual(scenarios.steady.requests, [{ get: path, expect: { status: 200 } }]);
      const workflow = join(folder, '.github/workflows/benchmark.yml');
      assert.match(readFileSync(workflow, 'utf8'), sets);
      workflows.push(workflow);
    });
  }

  for (const [name, files] of Object.entries(nothing)) {
    test(`sees no service in ${name}`, async () => {
      assert.match(await init(await repository(files), 'shop'), /no start command was found/);
    });
  }

  after(() => {
    const actionlint = ['-C', join(root, 'test', 'tools', 'actionlint'), 'tool', 'actionlint'];
    execFileSync('go', [...actionlint, ...workflows], { stdio: 'inherit' });
  });
});
