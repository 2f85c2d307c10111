// The native player. Which versions it is built with stands in src/base/tools/k6/go.mod, and there only: build and test it
// from that folder (go -C src/base/tools/k6 test benchfolio.dev/native/...).
module benchfolio.dev/native

go 1.25.0
