# Thin: each target says what it does, scripts/ and CMake do it.
.PHONY: setup build demo test quality format lint clean

setup:            # Debian packages that are missing
	@scripts/setup

build: setup      # build/scfe and build/libscfe.a
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target scfe scfe_cli

demo: build       # explain built-in data
	@build/scfe demo

test: setup       # everything, sanitizers included
	@scripts/test

quality: build    # answers against exhaustive optima and the public code's (needs ../shared/reference)
	@cmake --build --preset release --target bench_quality
	@build/bench/bench_quality

format:           # rewrite sources in the house style
	@scripts/setup lint
	@git ls-files '*.cpp' '*.h' | xargs clang-format -i

lint:             # format and clang-tidy must be clean
	@scripts/setup lint
	@scripts/lint

clean:
	@rm -rf build
