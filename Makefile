# Everything here can also be done without make: the recipes are the commands.

bench := node src/bin.js

.DEFAULT_GOAL := help
.PHONY: help setup demo test quick native simulate lint site check systems smoke workflows elsewhere docs pictures find lighthouse bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: node_modules/.package-lock.json ## install the npm packages, find or build k6, Hugo and jq
	@$(bench) tools

node_modules/.package-lock.json: package-lock.json
	npm ci --no-audit --no-fund
	@touch $@

demo: setup ## measure the Express system for a minute and make its page
	@$(bench) run --quick --scenario hello --rounds 3; verdict=$$?; $(bench) site && exit $$verdict

test: setup lint ## lint and all tests (a few minutes)
	node --test --test-concurrency=2 --test-timeout=300000 $(filter-out $(alone), $(wildcard test/*/*.test.js))
	node --test --test-concurrency=1 --test-timeout=300000 $(alone)

# They look at times and at CPU: beside others they would measure those.
alone := $(wildcard test/services/*.test.js) test/measure/instances.test.js test/measure/faults-k6.test.js \
  test/process/usage.test.js test/k6/faults.test.js test/k6/load.test.js

quick: lint ## lint, and the tests of specs, checks and numbers: no k6, Hugo or browser (seconds)
	node --test --test-concurrency=4 --test-reporter=dot $(filter-out test/spec/k6.test.js, $(wildcard test/spec/*.test.js)) \
	  test/check/c*.test.js test/check/lints.test.js test/measure/ruler.test.js test/process/redact.test.js \
	  test/reports/numbers.test.js test/reports/types.test.js test/site/numbers.test.js

native: setup ## vet and test the native player (Go), and compare it with the JavaScript player (a minute)
	CGO_ENABLED=0 go -C src/tools/k6 vet . benchfolio.dev/native/...
	CGO_ENABLED=0 go -C src/tools/k6 test benchfolio.dev/native/...
	CGO_ENABLED=0 go -C src/tools/k6 build -trimpath -ldflags='-s -w' -o $(CURDIR)/.bench/native/k6 .
	PATH=$(CURDIR)/.bench/native:$$PATH node --test --test-timeout=300000 test/k6/native/*.test.js

simulate: .bench/simulated ## all that make test tries a part of, where its sources changed (minutes)

simulated := test/reports/*simulation.test.js test/reports/jq.test.js test/reports/records.test.js test/check/anything.test.js
.bench/simulated: $(shell find reports src/records src/check src/spec test/fixtures test/support specs/*.schema.json -type f) $(wildcard $(simulated))
	FULL=1 node --test --test-concurrency=3 --test-timeout=600000 $(simulated)
	@mkdir -p .bench && touch $@

lint: node_modules/.package-lock.json ## check format, rules, types, what is unused and what imports what (seconds)
	npx biome check --error-on-warnings .
	npx tsc -p .
	node test/make/type-coverage.js
	npx knip
	node --test --test-reporter=dot test/cli/tree.test.js

check: setup ## check bench.toml and every spec
	$(bench) check

site: setup ## build the pages into public/
	$(bench) site

systems: setup ## measure every system with its quick profile, and watch its processes (up to 25 minutes)
	node test/make/systems.js

smoke: setup ## one case of every system, the cheapest (a few minutes)
	node test/make/systems.js --smoke
	node --test test/make/adding-a-scenario.js

workflows: setup ## run the workflows of .github/ on this machine, without Docker (a few minutes)
	node test/make/workflows.js

elsewhere: setup ## pack us, and go the whole way in other repositories (a few minutes)
	node test/make/elsewhere.js

docs: setup ## do what the documentation says, in repositories of its own (ten minutes)
	node test/docs/run.js

pictures: setup ## take the pictures of README.md, from a real duet (a minute)
	node test/make/pictures.js

find: setup ## what find says of a service of known capacity (a few minutes)
	node test/make/find.js

lighthouse: setup test/lighthouse/node_modules/.package-lock.json ## hold the pages to axe at every look, to Lighthouse, their weight and their stillness (a few minutes)
	FULL=1 node --test --test-concurrency=2 test/site/browser.test.js test/site/compare.test.js test/docs/site.test.js
	node test/lighthouse/index.js

test/lighthouse/node_modules/.package-lock.json: test/lighthouse/package-lock.json
	npm ci --no-audit --no-fund --prefix test/lighthouse
	@touch $@

bench: setup ## measure ourselves: driver, runner, check, reduction (prints ratios; minutes)
	node test/bench/all.js

clean: ## remove what was built and measured (not what was kept)
	rm -rf .bench .tools public node_modules test/lighthouse/node_modules
	git clean -fdXq specs
