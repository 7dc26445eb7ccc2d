// SPDX-License-Identifier: MIT

/**
 * Writes docs/benchmarks.md and the charts in docs/benchmarks/ from what a run of the benchmarks measured:
 *
 *     npx poselane bench --papers --peers --kernels slerpJoints,convertJointMatsToJointQuats --n 100000 --json run.json
 *     node scripts/benchmarks-doc.mjs run.json            writes the document
 *     node scripts/benchmarks-doc.mjs run.json --check    fails if it is not what would be written
 *
 * The run behind the document in the repository is docs/benchmarks/run.json, the default. The targets of the strict
 * kernels come from docs/benchmarks/targets.json beside it, of another run:
 *
 *     node bench/lists/run.mjs --targets --json > docs/benchmarks/targets.json
 *
 * docs/benchmarks/missed.json says why a target is missed; each one that is has to be there.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { chartsOf } from './benchmarks-doc/charts.mjs';
import { markdown, papersFragment } from './benchmarks-doc/markdown.mjs';
import { root } from './lib.mjs';

const RUN = 'docs/benchmarks/run.json';
const TARGETS = 'docs/benchmarks/targets.json';
const MISSED = 'docs/benchmarks/missed.json';

const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean' } },
});
const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
const run = read(positionals[0] ?? path.join(root, RUN));
if (run.format !== 'poselane-bench' || run.version !== 1 || !run.papers) {
    throw new Error("needs what 'poselane bench --papers --json' wrote");
}
const goals = { ...read(path.join(root, TARGETS)), explanations: read(path.join(root, MISSED)) };

const charts = chartsOf(run);
const files = new Map([
    ['docs/benchmarks.md', markdown(run, goals, charts)],
    ['docs/papers/bench-papers.md', papersFragment(run)],
]);
for (const [name, { svg }] of charts) files.set(`docs/benchmarks/${name}`, svg);
for (const [name, content] of files) {
    const file = path.join(root, name);
    if (options.check) {
        const current = fs.existsSync(file) && fs.readFileSync(file, 'utf8') === content;
        if (!current) process.exitCode = 1;
        console.log(`${name}: ${current ? 'current' : 'differs, run node scripts/benchmarks-doc.mjs'}`);
    } else {
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, content);
        console.log(`${name}: written`);
    }
}
