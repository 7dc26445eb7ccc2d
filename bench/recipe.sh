#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The steps of the GitHub Actions recipe in docs/benchmarks.md, for trying them on this machine. The parts between
# '# >>> name' and '# <<< name' are the recipe's own: a test compares the two.
#
#     bench/recipe.sh                      in the folder of a project that depends on poselane
#     POSELANE='node …/main.js' BENCH_OPTIONS='--kernels slerpJoints' CACHE=some/folder bench/recipe.sh
#
# Ends with 4 when a kernel is slower than the baseline allows; the baseline is what the first run on this CPU model
# measured with this Node, until its file in CACHE is removed.
set -eu
: "${BENCH_OPTIONS:=}" "${CACHE:=.bench-cache}" "${GITHUB_OUTPUT:=$(mktemp)}"

if [ -z "${POSELANE:-}" ]; then
    POSELANE='npx poselane'
    npm ci
fi

# >>> cpu
key=$(node -p "[os.cpus()[0].model, process.version].join('-').replace(/\W+/g, '-')")
echo "key=$key" >> "$GITHUB_OUTPUT"
# <<< cpu

# actions/cache: gives back what it has for this key, and on the default branch keeps what there is.
kept="$CACHE/poselane-bench-v1-$key.json"
rm -f bench-base.json
if [ -f "$kept" ]; then cp "$kept" bench-base.json; fi

# >>> measure
if [ -f bench-base.json ]; then
    $POSELANE bench $BENCH_OPTIONS --json bench.json --compare bench-base.json --max-regression 10%
else
    $POSELANE bench $BENCH_OPTIONS --json bench.json
    cp bench.json bench-base.json
fi
# <<< measure

if [ ! -f "$kept" ]; then
    mkdir -p "$CACHE"
    cp bench-base.json "$kept"
fi
