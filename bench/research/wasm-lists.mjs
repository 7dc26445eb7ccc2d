// SPDX-License-Identifier: MIT

/**
 * What a call of slerpJoints takes in the addon and in WebAssembly: with lists that are copied, one of two that is, and lists in its memory;
 * plain and bound. In nanoseconds, the least and the median, interleaved in one process.
 *
 *     npm run build && node bench/research/wasm-lists.mjs
 */

import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const poselane = load('../../dist/index.js');
const { createData } = load('../../dist/bench/data.js');
const { interleave } = load('../../dist/bench/measure.js');
const { bind } = load('../../dist/lists/bind.js');
const { findImplementation } = load('../../dist/lists/implementations.js');
const { createFloats } = load('../../dist/webassembly/heap.js');
const { strictModule } = load('../../dist/webassembly/module.js');

const COUNTS = [1, 2, 4, 8, 16, 64, 1024];
const ROUNDS = 100;
/** So small that no pose reaches the other one. */
const T = 1e-4;

const best = poselane.implementations().find(({ name, available }) => available && name.startsWith('strict/')).name;

const copied = (list) => list;
const there = (list) => {
    const own = createFloats(strictModule(), list.length);
    own.set(list);
    return own;
};

for (const n of COUNTS) {
    const { joints, blendJoints } = createData(n, 'random');
    const calls = Math.ceil(60_000 / (50 + n * 5));
    const forms = Object.entries({
        addon: [best, copied, copied],
        copies: ['strict/wasm', copied, copied],
        mixed: ['strict/wasm', there, copied],
        own: ['strict/wasm', there, there],
    }).flatMap(([title, [name, ...make]]) => {
        const lists = () => [make[0](joints), make[1](blendJoints)];
        const { slerpJoints } = poselane.implementation(name);
        const [a, b] = lists();
        const bound = bind('slerpJoints', findImplementation(name, '').bindable('slerpJoints', 0), lists());
        return [
            [title, () => slerpJoints(a, b, T)],
            [`bound ${title}`, () => bound.run(T)],
        ];
    });
    const timed = forms.map(([, run]) => ({
        sample() {
            const start = process.hrtime.bigint();
            for (let i = 0; i < calls; i++) run();
            return [Number(process.hrtime.bigint() - start) / calls];
        },
    }));
    for (const one of timed) for (let warm = 0; warm < 10; warm++) one.sample();
    const samples = await interleave([timed], { rounds: ROUNDS, milliseconds: 0 });
    const texts = forms.map(([title], i) => {
        const sorted = samples
            .get(timed[i])
            .flat()
            .sort((x, y) => x - y);
        return `${title} ${sorted[0].toFixed(0)}/${sorted[sorted.length >> 1].toFixed(0)}`;
    });
    console.log(`${best} ${String(n).padStart(4)} joints: ${texts.join(', ')}`);
}
