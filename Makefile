.DEFAULT_GOAL := help
export CGO_ENABLED ?= 0
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

help: ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

run: ## the gym, with the assistant in its pages, on http://127.0.0.1:8080
	go run ./cmd/steward demo gym

build: ## bin/steward, static and stripped
	go build -trimpath -ldflags '-s -w' -o bin/steward ./cmd/steward

test: ## set up what is missing, then every test: Go, both databases, TypeScript, browser
	./script/test

bench: ## speed and memory, side by side with a direct client and a bare proxy
	./script/bench

lint: ## golangci-lint and gofumpt
	go run $(GOLANGCI) run ./...

gen: ## what is generated from Go for TypeScript and the manual
	go run ./internal/event/gen
	cd web && npm run build

verify: ## lint, and that nothing generated is stale
	./script/verify

vendorsdk: ## the scripted model, driven by the vendor's own SDK
	cd test/vendorsdk && go test -count=1 ./...

.PHONY: help run build test bench lint gen verify vendorsdk
