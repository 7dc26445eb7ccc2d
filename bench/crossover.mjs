// SPDX-License-Identifier: MIT

/**
 * Up to how many elements strict/typescript is faster than a call into the addon, for calls with all checks and for runs
 * of bound functions. `typescriptUpTo` in lib/lists/routines.ts is what is
 * concluded from it.
 *
 *     npm run build && node bench/crossover.mjs
 *
 * Both are measured in turn, in many short batches on the same data. Of each the least time of a call counts.
 */

import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const poselane = require('../dist/index.js');
const { addon } = require('../dist/addon/load.js');
const { bind } = require('../dist/lists/bind.js');
const { ROUTINES, STRICT_ROUTINES, strictKernels } = require('../dist/lists/routines.js');

const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 64];
const BATCHES = 20;
const CALLS = 1500;
const T = 0.3;

const best = poselane.implementations().find(({ name, available }) => available && name.startsWith('strict/')).name;
const native = poselane.implementation(best);
const typescript = poselane.implementation('strict/typescript');
const inAddon = addon.implementations.find(({ name }) => name === best).bind;

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
        jointQuat: [first.slice(), joints()],
        jointMat: [rotations.slice(), rotations.slice(), rotations.slice()],
        quat: [new Float32Array(n * 4), quats(), quats()],
        float: [Float32Array.from({ length: n }, random)],
        parents: Int32Array.from({ length: n }, (_, i) => i - 1),
    };
    return {
        ...data,
        restore() {
            data.jointQuat[0].set(first);
            data.jointMat[0].set(rotations);
        },
    };
}

/** The arguments of a call, and with `bound` those of a binding, which gets `T` later. */
function argumentsOf(routine, data, bound) {
    const { lists, parameter, selection } = ROUTINES[routine];
    const taken = { jointQuat: 0, jointMat: 0, quat: 0, float: 0 };
    const args = lists.map(({ element }) => data[element][taken[element]++]);
    if (parameter && !bound) args.push(T);
    if (selection === 'parents') args.push(data.parents);
    return args;
}

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
    for (let batch = -5; batch < BATCHES; batch++) {
        for (const [which, loop] of [one, other].entries()) {
            restore();
            const start = process.hrtime.bigint();
            loop(CALLS);
            const ns = Number(process.hrtime.bigint() - start) / CALLS;
            if (batch >= 0) least[which] = Math.min(least[which], ns);
        }
    }
    return least;
}

const round = (x) => Math.round(x * 10) / 10;

function measure(routine, form) {
    const rows = [];
    for (const n of COUNTS) {
        const data = dataOf(n);
        const args = argumentsOf(routine, data, form === 'bound');
        const [ts, addon] =
            form === 'call'
                ? [caller(typescript[routine], args), caller(native[routine], args)]
                : [
                      runner(bind(routine, { kernel: strictKernels[routine], terms: 0 }, args)),
                      runner(bind(routine, { native: inAddon[routine], terms: 0 }, args)),
                  ];
        const least = compare(ts, addon, data.restore);
        rows.push({
            n,
            typescript: round(least[0]),
            addon: round(least[1]),
        });
    }
    // Up to the first that is not faster.
    const slower = rows.findIndex((row) => row.typescript >= row.addon);
    const crossover = slower < 0 ? COUNTS.at(-1) : slower === 0 ? 0 : rows[slower - 1].n;
    return { crossover, rows };
}

const results = {};
// One pair at several times is as slow as one pair.
for (const routine of STRICT_ROUTINES.filter((name) => name !== 'slerpQuatTimes')) {
    results[routine] = { call: measure(routine, 'call'), bound: measure(routine, 'bound') };
    const { call, bound } = results[routine];
    const at = ({ rows }, n) => {
        const { typescript: ts, addon } = rows.find((row) => row.n === n);
        return `${ts}/${addon}`.padStart(12);
    };
    console.log(
        `${routine.padEnd(30)} call ≤ ${String(call.crossover).padStart(2)} bound ≤ ${String(bound.crossover).padStart(2)}` +
            `   call 1: ${at(call, 1)}  4: ${at(call, 4)}  bound 1: ${at(bound, 1)}  4: ${at(bound, 4)}`,
    );
}
