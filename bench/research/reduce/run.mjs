// SPDX-License-Identifier: MIT

/**
 * node bench/research/reduce/run.mjs [--bound 0.001] [--clips 0] [--methods 'a;b'] [--models fox,robot] [--between 1] [--json out.json]
 * Prints one line for each method and model. --clips n takes every clip's n-th alone (0: all). Needs npm run build.
 */

import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { evaluatorOf, reducedBytes, sourceBytes } from './encode.mjs';
import { METHODS } from './methods.mjs';
import { judge, loadModel } from './model.mjs';
import { MODELS } from './models.mjs';
import { reduceClip } from './reduce.mjs';

const { values: args } = parseArgs({
    options: {
        bound: { type: 'string', default: '0.001' },
        clips: { type: 'string', default: '0' },
        methods: { type: 'string' },
        models: { type: 'string' },
        between: { type: 'string', default: '1' },
        json: { type: 'string' },
    },
});
const rows = [];
for (const name of args.models?.split(',') ?? Object.keys(MODELS)) {
    if (!existsSync(MODELS[name])) {
        console.log(`${name}: no such file`);
        continue;
    }
    const model = await loadModel(MODELS[name]);
    const every = Number(args.clips);
    // A sample of clips is counted beside the same clips of the source.
    const chosen = every > 0 ? model.clips.filter(({ index }) => index % every === 0) : model.clips;
    const bound = Number(args.bound) * model.extent;
    const source = sourceBytes(model, new Set(chosen.map(({ index }) => index)));
    console.log(
        `${name}: extent ${model.extent.toPrecision(4)}, ${chosen.length} clips, ${source.keys} keys, ${source.raw} bytes, ${source.gzip} gzip`,
    );
    for (const method of args.methods?.split(';') ?? Object.keys(METHODS)) {
        const options = METHODS[method];
        const start = performance.now();
        const clips = chosen.map((clip) => reduceClip(model, clip, bound, options));
        const seconds = (performance.now() - start) / 1000;
        const bytes = reducedBytes(clips, options, options.order);
        const own = Math.max(...clips.map(({ error }) => error)) / bound;
        let exact = NaN;
        if (Number(args.between) > 0) {
            const reduced = evaluatorOf(model, clips, options);
            exact = Math.max(...chosen.map((clip) => judge(model, reduced, clip, Number(args.between)))) / bound;
        }
        const row = {
            model: name,
            method,
            keys: bytes.keys,
            keysLeft: bytes.keys / source.keys,
            raw: bytes.raw,
            gzip: bytes.gzip,
            left: bytes.gzip / source.gzip,
            times: bytes.gzipTimes,
            own,
            exact,
            seconds,
        };
        rows.push(row);
        const percent = (x) => `${(x * 100).toFixed(1)}%`;
        console.log(
            `  ${method.padEnd(30)} keys ${percent(row.keysLeft).padStart(6)}  gzip ${String(row.gzip).padStart(7)} ${percent(row.left).padStart(6)} (times ${row.times})  error/bound ${own.toFixed(3)} by points, ${exact.toFixed(3)} by vertices  ${seconds.toFixed(1)} s`,
        );
    }
}
if (args.json !== undefined) writeFileSync(args.json, JSON.stringify(rows, null, 1));
