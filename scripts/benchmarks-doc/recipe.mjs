// SPDX-License-Identifier: MIT

/** What a project that depends on poselane does on GitHub Actions. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { root } from '../lib.mjs';

/** A part of scripts/bench-recipe.sh, indented for a YAML block. */
function step(name, indent) {
    const script = fs.readFileSync(path.join(root, 'scripts/bench-recipe.sh'), 'utf8');
    const [, lines] = new RegExp(`^# >>> ${name}\\n([\\s\\S]*?)^# <<< ${name}$`, 'm').exec(script);
    return lines
        .trimEnd()
        .split('\n')
        .map((line) => ' '.repeat(indent) + line)
        .join('\n');
}

export function recipe() {
    return `name: benchmarks
on: [push, pull_request]
jobs:
  poselane:
    runs-on: ubuntu-latest
    env:
      POSELANE: npx poselane
      BENCH_OPTIONS: '' # e.g. --kernels slerpJoints,transformSkeleton --n 1024
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 20
          cache: npm
      - run: npm ci
      - id: cpu
        run: |
${step('cpu', 10)}
      # The baseline is the default branch's: pull requests are held against it and never become it.
      - uses: actions/cache/restore@v4
        with:
          path: bench-base.json
          key: poselane-bench-v1-\${{ steps.cpu.outputs.key }}
      - name: Measure, and compare with the baseline where there is one
        run: |
${step('measure', 10)}
      - uses: actions/cache/save@v4
        if: github.ref_name == github.event.repository.default_branch
        with:
          path: bench-base.json
          key: poselane-bench-v1-\${{ steps.cpu.outputs.key }}
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: bench
          path: bench.json`;
}
