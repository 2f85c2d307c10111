# Everything here can also be done without make: the recipes are the commands.

bench := node dist/cli/bin.js
tests := node test/make/tests.js

.DEFAULT_GOAL := help
.PHONY: help setup build demo busy test tests load-tests live loads coverage quick go players records native fuzz simulate merge-simulation lint small-tests format types compile unused imports prose site check systems smoke workflows elsewhere calibration version-duets first docs docs-dry pictures find kinds containers bare compose image image-test cluster faults pages lighthouse bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: build ## install the npm packages, compile src/, find or build k6, Hugo and jq
	@$(bench) tools

node_modules/.package-lock.json: package-lock.json
	npm ci --no-audit --no-fund
	@touch $@

build: node_modules/.package-lock.json ## compile src/ to dist/: what did not change is not compiled again
	@npx tsc -b src && chmod +x dist/cli/bin.js

demo: build ## measure the Express system for a minute and make its page
	@$(bench) tools express # no more than it uses
	@$(bench) run --quick --scenario hello --rounds 3; verdict=$$?; $(bench) site && exit $$verdict

busy: setup ## ten demos beside a program that keeps a core busy: nine must pass (minutes)
	node test/make/busy-demo.js

test: setup lint tests ## lint, and the tests that send no load (minutes)

# Tests that start services and send load to them, whatever time they need.
loading := $(wildcard test/measure/*.test.js test/services/*.test.js) test/init/samples.test.js

tests: setup ## the tests, without lint: all but load-tests, simulations and those that need the machine's real speed
	$(tests) --test-concurrency=4 --test-timeout=600000 $(filter-out %.live.test.js %-simulation.test.js $(loading) $(browsed), $(wildcard test/*/*.test.js))

load-tests: setup ## the tests that start services and send load to them, as fast as it may be (minutes)
	$(tests) --test-concurrency=4 --test-timeout=600000 $(filter-out %.live.test.js, $(loading))

live: setup ## the tests that need the machine's real speed (*.live.test.js): alone, nothing else runs meanwhile (minutes)
	$(tests) --test-concurrency=1 --test-timeout=300000 $(wildcard test/*/*.live.test.js)

coverage: export NODE_V8_COVERAGE := $(CURDIR)/.bench/coverage
coverage: setup ## what of src/ the tests run, the live ones too
	rm -rf $(NODE_V8_COVERAGE)
	$(MAKE) --no-print-directory tests load-tests live
	npx c8 report --temp-directory=$(NODE_V8_COVERAGE) --reports-dir=$(NODE_V8_COVERAGE)/report --reporter=text-summary --reporter=html \
	  --exclude-after-remap --all --src=dist --include='src/**' --include='dist/**/*.js' --check-coverage --lines=95

# A reduction is a short program of Go: collecting its garbage less often is a quarter of its CPU time.
tests load-tests live quick simulate: export GOGC := 400

# One core lints meanwhile, so these take one process.
small := $(filter-out test/cases/k6.test.js, $(wildcard test/cases/*.test.js)) test/check/check.test.js test/check/lints.test.js \
  test/measure/ruler.test.js test/reports/numbers.test.js test/reports/simulated.test.js test/reports/types.test.js \
  test/site/numbers.test.js

quick: build ## lint, and the tests of specs, checks and numbers: no k6, Hugo, Git or browser (15 s)
	@$(MAKE) --no-print-directory --jobs=5 --output-sync=target small-tests format compile unused imports

small-tests:
	node --test-reporter=dot test/make/together.js $(small)

# The packages that do not import k6 run under the race detector, which needs cgo; all of them do in make native.
apart := $(addprefix benchfolio.dev/native/, client hist player random rows tally template wire)

go: export GOFLAGS := -trimpath # what the tools were built with is not compiled again
go: setup ## vet and test the native player (Go), with the race detector and the seeds of its fuzz tests (a minute)
	CGO_ENABLED=0 go -C src/base/tools/k6 vet . benchfolio.dev/native/...
	CGO_ENABLED=0 go -C test/bench/recording-server vet .
	CGO_ENABLED=0 go -C src/base/tools/k6 test benchfolio.dev/native/...
	CGO_ENABLED=1 go -C src/base/tools/k6 test -race $(apart)

players: setup ## compare the native player with the JavaScript player, and run its tests with the native one (two minutes)
	$(tests) --test-concurrency=2 --test-timeout=300000 $(filter-out %.live.test.js, $(wildcard test/k6/native/*.test.js))
	PLAYER=native $(tests) --test-concurrency=2 --test-timeout=300000 $(filter-out %.live.test.js, $(wildcard test/k6/*.test.js))

native: setup ## both players in time, plain k6, the race detector over the whole extension (minutes)
	CGO_ENABLED=1 go -C src/base/tools/k6 test -race benchfolio.dev/native/...
	CGO_ENABLED=0 go -C src/base/tools/k6 build -trimpath -ldflags='-s -w' -o $(CURDIR)/.bench/native/k6 .
	CGO_ENABLED=0 go -C src/base/tools/k6 build -trimpath -ldflags='-s -w' -o $(CURDIR)/.bench/native/upstream-k6 go.k6.io/k6/v2
	PATH=$(CURDIR)/.bench/native:$$PATH UPSTREAM_K6=$(CURDIR)/.bench/native/upstream-k6 \
	  $(tests) --test-concurrency=1 --test-timeout=300000 $(wildcard test/k6/native/*.test.js)

fuzz: FUZZ := 2500000
fuzz: export GOWORK := $(CURDIR)/.bench/go.work # what is fuzzed must be of a main module, and is built with what that of the tools has
fuzz: ## fuzz the parser of responses FUZZ times: by count, since by time it may fail without a finding (golang/go#75804; minutes)
	mkdir -p .bench && rm -f $(GOWORK) && go work init ./k6/native ./src/base/tools/k6
	go -C k6/native test -run='^$$' -fuzz=FuzzResponse -fuzztime=$(FUZZ)x -fuzzminimizetime=10x ./wire

simulate: setup .bench/simulated ## the simulations whose sources changed (FORCE=1: all), and all that make test tries a part of (minutes)
	node test/make/simulate.js

merge-simulation: setup ## what it takes to merge an hour of 200 generators: time and memory (six minutes, a gigabyte of disk)
	node test/make/merge-simulation.js

# What these depend on is nearly everything, so no kept result stands for them.
simulated := test/reports/jq.test.js test/reports/records.test.js test/reports/odd-raw.test.js test/check/anything.test.js \
  test/tools/jq-bundle.test.js
.bench/simulated: $(shell find reports src/records src/suite/check src/suite/cases test/fixtures test/support specs/*.schema.json -type f) $(simulated)
	FULL=1 $(tests) --test-concurrency=3 --test-timeout=600000 $(simulated)
	@mkdir -p .bench && touch $@

lint: build ## check format, rules, types, unused code, imports and prose (seconds; two minutes the first time)
	@$(MAKE) --no-print-directory --jobs=4 --output-sync=target format types unused imports prose

format:
	npx biome check --error-on-warnings .
types: compile
	node test/make/type-coverage.js
compile: # what did not change is not checked again
	npx tsc -b
unused:
	npx knip
imports:
	node --test --test-reporter=dot test/cli/tree.test.js
prose: # English that nobody speaks
	node test/make/prose.js

check: setup ## check bench.toml and every spec
	$(bench) check

site: setup ## build the pages into public/
	$(bench) site

systems: setup ## measure every system with its quick profile, and watch its processes; two of them in containers too (up to 25 minutes)
	node test/make/systems.js
	node test/make/in-containers.js

smoke: setup ## one case of every system, the cheapest (a few minutes)
	node test/make/systems.js --smoke
	node --test test/make/adding-a-scenario.js

records: setup ## one case of every system, the cheapest, for its record: what the numbers are does not count (minutes)
	node test/make/systems.js --smoke --unjudged

workflows: setup ## run our workflows, and those of init on a hostile pull request, on this machine, without Docker (a few minutes)
	node test/make/workflows.js
	node test/make/hostile-workflows.js

elsewhere: setup ## pack us, and go the whole way in other repositories (a few minutes)
	node test/make/elsewhere.js

first: setup ## from npm install to a page in an empty home: pack a release with its tools, install it (a minute; SOURCE=1: build them; LIMITS=1: in time)
	node test/make/first.js $(if $(SOURCE),--source) $(if $(LIMITS),--limits)

docs: setup ## do what the documentation says, in repositories of its own (ten minutes)
	node test/docs/run.js

docs-dry: setup ## read all of the documentation, and do of it what measures nothing (a minute)
	node test/docs/run.js --unmeasured

pictures: setup ## take the pictures of README.md, from a real duet (a minute)
	node test/make/pictures.js

find: setup ## what find says of a service of known capacity (a few minutes)
	node test/make/find.js

calibration: setup ## measure how often a duet is wrong, and keep and commit each trial when it ends (hours; goes on where it was; BUDGET=3h)
	node test/make/calibration.js $(or $(BUDGET),3h)

loads: setup ## measure the write-ups' loads on two cores, and keep and commit each scenario when it ends (hours; goes on where it was; VERSION=2026-11 BUDGET=3h SYSTEMS="express nginx")
	node test/make/loads.js $(or $(VERSION),2026-11) $(or $(BUDGET),3h) $(SYSTEMS)
version-duets: setup ## duets of Express 4 and 5 and of s3proxy 2 and 4, and keep and commit each when it ends (minutes; SYSTEMS="express")
	node test/make/version-duets.js $(SYSTEMS)

kinds: setup ## what a duet says of fourteen kinds of changes, from a leak to a pool that is too small (half an hour)
	node test/make/kinds.js

containers: setup ## services in containers, with Docker: measured, disturbed, killed; compose files (five minutes; FULL=1: live ones too, 20 kills, two systems whole)
	$(tests) --test-concurrency=1 --test-timeout=600000 $(filter-out $(if $(FULL),,%.live.test.js), $(wildcard test/services/containers/*.test.js))
	$(if $(FULL),node test/make/in-containers.js)

image: build ## the image of Dockerfile, by Docker or Podman (half a minute; IMAGE=benchfolio BASE=node:20-slim PACKAGES=git)
	node test/make/image-tree.js
	$(or $(shell command -v docker),podman) build --tag $(or $(IMAGE),benchfolio) $(if $(BASE),--build-arg BASE=$(BASE)) \
	  $(if $(filter-out undefined,$(origin PACKAGES)),--build-arg PACKAGES="$(PACKAGES)") .

image-test: setup ## build the image, and do in it what its page says: another user, a root that is read-only (a minute; Docker)
	node test/make/image.js

cluster: setup ## load by pods of a real cluster: API server, scheduler and kubelet built once (a quarter of an hour), then four minutes (root, Docker, containerd)
	node test/make/cluster.js

bare: setup ## make demo and make test on a machine with Node.js, Go, git and make alone, and an empty home (twenty minutes; root, debootstrap)
	node test/make/bare.js

compose: setup ## FastAPI with PostgreSQL by a compose file: init, run, duets of two branches (six minutes; root, debootstrap)
	node test/make/compose.js

faults: setup ## what we survive: kills, tokens, odd paths, records, each counted (half an hour; SHORT=1: two minutes)
	node test/make/faults/run-faults.js $(if $(SHORT),--short)

pages: setup ## hold the pages to axe at one look, their overflow and their weight (a minute)
	$(tests) --test-concurrency=2 $(browsed)

lighthouse: setup test/lighthouse/node_modules/.package-lock.json ## hold the pages to axe at every look, to Lighthouse, their weight and their stillness (a few minutes)
	FULL=1 $(tests) --test-concurrency=2 $(browsed)
	node test/lighthouse/lighthouse.js

browsed := test/docs/site.test.js $(addprefix test/site/, browser.test.js compare.test.js compare-record.test.js weight.test.js)

test/lighthouse/node_modules/.package-lock.json: test/lighthouse/package-lock.json
	npm ci --no-audit --no-fund --prefix test/lighthouse
	@touch $@

bench: setup ## measure ourselves: driver, runner, check, reduction (prints ratios; minutes; SHORT=1: each once, seconds)
	node test/bench/all.js $(if $(SHORT),--short)

clean: ## remove what was built and measured (not what was kept)
	rm -rf .bench .tools dist public node_modules test/lighthouse/node_modules
	git clean -fdXq specs
