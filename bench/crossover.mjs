// SPDX-License-Identifier: MIT

/**
 * Up to how many elements strict/typescript is faster than a call into the addon, for calls with all checks and for runs
 * of bound functions. Writes bench/crossover.json; lib/implementations/crossover.ts has what is concluded from it.
 *
 *     npm run build && node bench/crossover.mjs
 *
 * Both are measured in turn, in many short batches on the same data. Of each the least time of a call counts.
 */

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';

const require = createRequire(import.meta.url);
const poselane = require('../dist/index.js');
const { bindersOf } = require('../dist/implementations/binders.js');
const { nativeAddon } = require('../dist/implementations/registry.js');
const { strictKernels } = require('../dist/strict/index.js');

const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 64];
const BATCHES = 20;
const CALLS = 1500;
const T = 0.3;

const best = poselane.implementations().find(({ name, available }) => available && name.startsWith('strict/')).name;
const native = poselane.implementation(best);
const typescript = poselane.implementation('strict/typescript');
const nativeBinders = bindersOf({}, {}, nativeAddon.implementations.find(({ name }) => name === best).bind, 0);
const typescriptBinders = bindersOf(strictKernels, {}, {}, 0);

let state = 1;
const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
};

/** Lists for every routine, and what brings back those that are written in place. */
function dataOf(n) {
    const quats = () => Float32Array.from({ length: n * 4 }, () => random() - 0.5);
    const joints = () => Float32Array.from({ length: n * 8 }, () => random() - 0.5);
    const first = joints();
    const rotations = new Float32Array(n * 12);
    native.convertJointQuatsToJointMats(
        rotations,
        first.map((x, i) => (i % 8 < 4 ? (i % 4 === 3 ? 1 : 0) : x)),
    );
    const data = {
        joints: first.slice(),
        other: joints(),
        mats: rotations.slice(),
        otherMats: rotations.slice(),
        result: new Float32Array(n * 12),
        parents: Int32Array.from({ length: n }, (_, i) => i - 1),
        lerps: Float32Array.from({ length: n }, random),
        from: quats(),
        to: quats(),
        quats: new Float32Array(n * 4),
    };
    return {
        ...data,
        restore() {
            data.joints.set(first);
            data.mats.set(rotations);
        },
    };
}

/** The arguments of a call, and with `bound` those of a binding, which gets `T` later. */
const ARGUMENTS = {
    slerpJoints: (d, bound) => [d.joints, d.other, ...(bound ? [] : [T])],
    lerpJoints: (d, bound) => [d.joints, d.other, ...(bound ? [] : [T])],
    convertJointQuatsToJointMats: (d) => [d.result, d.joints],
    convertJointMatsToJointQuats: (d) => [d.joints, d.mats],
    transformSkeleton: (d) => [d.mats, d.parents],
    untransformSkeleton: (d) => [d.mats, d.parents],
    transformJoints: (d) => [d.result, d.mats, d.otherMats],
    slerpJointsPerJoint: (d) => [d.joints, d.other, d.lerps],
    normalizeJoints: (d) => [d.joints],
    slerpQuats: (d, bound) => [d.quats, d.from, d.to, ...(bound ? [] : [T])],
    lerpQuats: (d, bound) => [d.quats, d.from, d.to, ...(bound ? [] : [T])],
    slerpQuatsPerQuat: (d) => [d.quats, d.from, d.to, d.lerps],
};

/** Each with its number of arguments written out: a spread would cost more than what is measured. */
function caller(call, args) {
    const [a, b, c, d] = args;
    switch (args.length) {
        case 1:
            return (n) => {
                for (let i = 0; i < n; i++) call(a);
            };
        case 2:
            return (n) => {
                for (let i = 0; i < n; i++) call(a, b);
            };
        case 3:
            return (n) => {
                for (let i = 0; i < n; i++) call(a, b, c);
            };
        default:
            return (n) => {
                for (let i = 0; i < n; i++) call(a, b, c, d);
            };
    }
}

function runner({ run }) {
    return (n) => {
        for (let i = 0; i < n; i++) run(T);
    };
}

/** The least nanoseconds of a call of each of two, measured in turn. */
function compare(one, other, restore) {
    const least = [Infinity, Infinity];
    const median = [[], []];
    for (let batch = -5; batch < BATCHES; batch++) {
        for (const [which, loop] of [one, other].entries()) {
            restore();
            const start = process.hrtime.bigint();
            loop(CALLS);
            const ns = Number(process.hrtime.bigint() - start) / CALLS;
            if (batch < 0) continue;
            least[which] = Math.min(least[which], ns);
            median[which].push(ns);
        }
    }
    const middle = (list) => list.sort((a, b) => a - b)[list.length >> 1];
    return { least, median: median.map(middle) };
}

const round = (x) => Math.round(x * 10) / 10;

function measure(routine, form) {
    const rows = [];
    for (const n of COUNTS) {
        const data = dataOf(n);
        const name = `bind${routine[0].toUpperCase()}${routine.slice(1)}`;
        const args = ARGUMENTS[routine](data, form === 'bound');
        const [ts, addon] =
            form === 'call'
                ? [caller(typescript[routine], args), caller(native[routine], args)]
                : [runner(typescriptBinders[name](...args)), runner(nativeBinders[name](...args))];
        const { least, median } = compare(ts, addon, data.restore);
        rows.push({
            n,
            typescript: { least: round(least[0]), median: round(median[0]) },
            addon: { least: round(least[1]), median: round(median[1]) },
        });
    }
    // Up to the first that is not faster.
    const slower = rows.findIndex((row) => row.typescript.least >= row.addon.least);
    const crossover = slower < 0 ? COUNTS.at(-1) : slower === 0 ? 0 : rows[slower - 1].n;
    return { crossover, rows };
}

const results = {};
for (const routine of Object.keys(ARGUMENTS)) {
    results[routine] = { call: measure(routine, 'call'), bound: measure(routine, 'bound') };
    const { call, bound } = results[routine];
    const at = ({ rows }, n) => {
        const { typescript: ts, addon } = rows.find((row) => row.n === n);
        return `${ts.least}/${addon.least}`.padStart(12);
    };
    console.log(
        `${routine.padEnd(30)} call ≤ ${String(call.crossover).padStart(2)} bound ≤ ${String(bound.crossover).padStart(2)}` +
            `   call 1: ${at(call, 1)}  4: ${at(call, 4)}  bound 1: ${at(bound, 1)}  4: ${at(bound, 4)}`,
    );
}

const report = {
    what: 'nanoseconds of a call, strict/typescript and the addon; crossover: the most elements up to which TypeScript is faster',
    machine: { cpu: os.cpus()[0].model, node: process.version, platform: `${process.platform} ${process.arch}` },
    addon: best,
    results,
};
fs.writeFileSync(new URL('./crossover.json', import.meta.url), `${JSON.stringify(report, null, 1)}\n`);
