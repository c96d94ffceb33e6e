# Each command runs in scripts/with, which sets up what is missing first.
with := scripts/with
wasm := --target wasm32-unknown-unknown

export CALLSHEET_DIST ?= $(CURDIR)/dist

.PHONY: serve build test check bench screenshot clean
.NOTPARALLEL:

# Builds the page and serves it on http://127.0.0.1:8080. CALLSHEET_PROXY names the proxy; OPEN=1 opens the browser.
serve: build
	@$(with) rust cargo run --quiet --no-default-features --example serve

# Builds the page into dist/ and says what it weighs.
build:
	@$(with) build trunk build --release
	@scripts/sizes

# Native tests, component tests in a browser, then the whole page in a browser.
test: build
	$(with) rust cargo test --lib --bins --examples --test house --test stand_in
	$(with) rust cargo test --doc
	$(with) test cargo test $(wasm) --test browser
	$(with) browser cargo test --test e2e

check:
	$(with) rust cargo fmt --check
	$(with) rust cargo clippy --all-targets -- -D warnings
	$(with) rust cargo clippy --no-default-features --all-targets -- -D warnings
	@$(with) wasm scripts/clippy-wasm
	RUSTDOCFLAGS='-D warnings' $(with) rust cargo doc --no-deps --document-private-items

# Prints what the page weighs, the one figure that is measured so far; speed joins it with the list that it measures.
bench: build

# Takes the picture in the README from the page's own demo.
screenshot: build
	$(with) browser scripts/screenshot

clean:
	cargo clean
	rm -rf dist
