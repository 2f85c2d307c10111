# Everything here can also be done without make: the recipes are the commands.

bench := node src/bin.js
tests := node test/make/tests.js

.DEFAULT_GOAL := help
.PHONY: help setup demo test timed coverage quick native simulate merge-simulation lint format types unused imports site check systems smoke workflows elsewhere first docs pictures find kinds containers compose image image-test faults lighthouse bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: node_modules/.package-lock.json ## install the npm packages, find or build k6, Hugo and jq
	@$(bench) tools

node_modules/.package-lock.json: package-lock.json
	npm ci --no-audit --no-fund
	@touch $@

demo: node_modules/.package-lock.json ## measure the Express system for a minute and make its page
	@$(bench) tools express # no more than it uses
	@$(bench) run --quick --scenario hello --rounds 3; verdict=$$?; $(bench) site && exit $$verdict

test: setup lint ## lint and the tests (four minutes)
	$(if $(COVERAGE), rm -rf $(coverage))
	$(tests) --test-concurrency=4 --test-timeout=300000 $(filter-out $(timed) $(browsed), $(wildcard test/*/*.test.js))

timed: setup ## the tests that look at times and at CPU: beside others they would measure those (two minutes)
	$(tests) --test-concurrency=2 --test-timeout=300000 $(timed)

timed := $(wildcard test/services/*.test.js) test/process/usage.test.js test/k6/faults.test.js test/k6/load.test.js \
  $(addprefix test/measure/, calibrate.test.js duet.test.js faults-k6.test.js instances.test.js lanes.test.js parts.test.js)

coverage: ## what of src/ was run: after make test COVERAGE=1 and make timed COVERAGE=1
	npx c8 report --temp-directory=$(coverage) --reports-dir=$(coverage)/report --reporter=text-summary --reporter=html \
	  --all --src=src --include='src/**/*.js' --check-coverage --lines=95

coverage := .bench/coverage
test timed: export NODE_V8_COVERAGE := $(if $(COVERAGE),$(CURDIR)/$(coverage))

# A reduction is a short program of Go: collecting its garbage less often is a quarter of its CPU time.
test timed quick simulate: export GOGC := 400

quick: lint ## lint, and the tests of specs, checks and numbers: no k6, Hugo or browser (seconds)
	node --test --test-concurrency=4 --test-reporter=dot $(filter-out test/spec/k6.test.js, $(wildcard test/spec/*.test.js)) \
	  test/check/c*.test.js test/check/lints.test.js test/measure/ruler*.test.js test/process/redact.test.js \
	  test/reports/numbers.test.js test/reports/simulated.test.js test/reports/types.test.js test/site/numbers.test.js

native: setup ## vet, test and fuzz the native player (Go), compare it with the JavaScript player, try plain k6 (two minutes)
	CGO_ENABLED=0 go -C src/tools/k6 vet . benchfolio.dev/native/...
	CGO_ENABLED=0 go -C src/tools/k6 test benchfolio.dev/native/...
	cd k6/native && CGO_ENABLED=0 go test -run='^$$' -fuzz=FuzzResponse -fuzztime=20s -fuzzminimizetime=10x ./wire
	CGO_ENABLED=0 go -C src/tools/k6 build -trimpath -ldflags='-s -w' -o $(CURDIR)/.bench/native/k6 .
	CGO_ENABLED=0 go -C src/tools/k6 build -trimpath -ldflags='-s -w' -o $(CURDIR)/.bench/native/upstream-k6 go.k6.io/k6/v2
	PATH=$(CURDIR)/.bench/native:$$PATH UPSTREAM_K6=$(CURDIR)/.bench/native/upstream-k6 $(tests) --test-timeout=300000 test/k6/native/*.test.js

simulate: setup .bench/simulated ## the simulations whose sources changed (FORCE=1: all), and all that make test tries a part of (minutes)
	node test/make/simulate.js

merge-simulation: setup ## what it takes to merge an hour of 200 generators: time and memory (six minutes, a gigabyte of disk)
	node test/make/merge-simulation.js

# What these depend on is nearly everything, so no kept result stands for them.
simulated := test/reports/jq.test.js test/reports/records.test.js test/reports/odd-raw.test.js test/check/anything.test.js
.bench/simulated: $(shell find reports src/records src/check src/spec test/fixtures test/support specs/*.schema.json -type f) $(simulated)
	FULL=1 $(tests) --test-concurrency=3 --test-timeout=600000 $(simulated)
	@mkdir -p .bench && touch $@

lint: node_modules/.package-lock.json ## check format, rules, types, what is unused and what imports what (seconds)
	@$(MAKE) --no-print-directory --jobs=4 --output-sync=target format types unused imports

format:
	npx biome check --error-on-warnings .
types:
	npx tsc -p .
	node test/make/type-coverage.js
unused:
	npx knip
imports:
	node --test --test-reporter=dot test/cli/tree.test.js

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

workflows: setup ## run the workflows of .github/ on this machine, without Docker (a few minutes)
	node test/make/workflows.js

elsewhere: setup ## pack us, and go the whole way in other repositories (a few minutes)
	node test/make/elsewhere.js

first: setup ## from npm install to a page in an empty home: pack a release with its tools, install it (a minute; SOURCE=1: build them)
	node test/make/first.js $(if $(SOURCE),--source)

docs: setup ## do what the documentation says, in repositories of its own (ten minutes)
	node test/docs/run.js

pictures: setup ## take the pictures of README.md, from a real duet (a minute)
	node test/make/pictures.js

find: setup ## what find says of a service of known capacity (a few minutes)
	node test/make/find.js

kinds: setup ## what a duet says of ten kinds of changes, from a leak to a pool that is too small (a quarter of an hour)
	node test/make/kinds.js

containers: setup ## services in containers, with Docker: measured, disturbed, killed; compose files (five minutes; FULL=1: 20 kills)
	$(tests) --test-concurrency=1 --test-timeout=600000 test/services/containers/*.test.js

image: node_modules/.package-lock.json ## the image of Dockerfile, by Docker or Podman (half a minute; IMAGE=benchfolio BASE=node:20-slim PACKAGES=git)
	node test/make/image-tree.js
	$(or $(shell command -v docker),podman) build --tag $(or $(IMAGE),benchfolio) $(if $(BASE),--build-arg BASE=$(BASE)) \
	  $(if $(filter-out undefined,$(origin PACKAGES)),--build-arg PACKAGES="$(PACKAGES)") .

image-test: setup ## build the image, and do in it what its page says: another user, a root that is read-only (a minute; Docker)
	node test/make/image.js

compose: setup ## FastAPI with PostgreSQL by a compose file: init, run, duets of two branches (six minutes; root, debootstrap)
	node test/make/compose.js

faults: setup ## what we survive: kills, tokens, odd paths, records, each counted (half an hour; SHORT=1: two minutes)
	node test/make/faults/index.js $(if $(SHORT),--short)

lighthouse: setup test/lighthouse/node_modules/.package-lock.json ## hold the pages to axe at every look, to Lighthouse, their weight and their stillness (a few minutes)
	FULL=1 $(tests) --test-concurrency=2 $(browsed)
	node test/lighthouse/index.js

browsed := test/site/browser.test.js test/site/compare.test.js test/docs/site.test.js

test/lighthouse/node_modules/.package-lock.json: test/lighthouse/package-lock.json
	npm ci --no-audit --no-fund --prefix test/lighthouse
	@touch $@

bench: setup ## measure ourselves: driver, runner, check, reduction (prints ratios; minutes)
	node test/bench/all.js

clean: ## remove what was built and measured (not what was kept)
	rm -rf .bench .tools public node_modules test/lighthouse/node_modules
	git clean -fdXq specs
