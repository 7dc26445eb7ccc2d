// SPDX-License-Identifier: MIT
'use strict';

/**
 * Runs cases of the sweep. Each list has its own misalignment, and guards that detect writes outside it. Lists that are
 * only read must stay unchanged.
 */

const { bitsOf } = require('./bits.cjs');
const { ROUTINES } = require('./routines.cjs');

const GUARD = 16;
/** A NaN as a float, so that results of numbers read from a guard are NaN, too. */
const GUARD_BITS = 0x7fc0dead;
const MAX_OFFSET = 15;

/** Memory for the lists of all cases, in which all offsets have known distances. */
const arenas = [];

function arena(number, length) {
    if (!arenas[number] || arenas[number].length < length) {
        arenas[number] = new Int32Array(new ArrayBuffer(4 * Math.max(2 * length, 1 << 16)));
    }
    return arenas[number];
}

function place(number, values, offset) {
    const words = arena(number, values.length + 2 * GUARD + MAX_OFFSET);
    const start = GUARD + offset;
    const end = start + values.length;
    words.fill(GUARD_BITS, start - GUARD, start);
    words.fill(GUARD_BITS, end, end + GUARD);
    const List = values.constructor;
    const view = new List(words.buffer, start * 4, values.length);
    view.set(values);
    return { words, start, end, view };
}

function checkGuards(name, { words, start, end }) {
    for (let i = 1; i <= GUARD; i++) {
        if (words[start - i] !== GUARD_BITS) throw new Error(`word ${i} before ${name} was written`);
        if (words[end + i - 1] !== GUARD_BITS) throw new Error(`word ${i - 1} after ${name} was written`);
    }
}

function checkUnchanged(name, view, values) {
    const now = bitsOf(view);
    const before = bitsOf(values);
    for (let i = 0; i < before.length; i++) {
        if (now[i] !== before[i]) throw new Error(`${name}[${i}] was written`);
    }
}

const same = (a, b) => a.buffer === b.buffer;

/**
 * Runs one case on the functions of one implementation.
 *
 * @returns The bits of the written list, valid until the next run.
 * @throws Error Something else was written, or the call failed.
 */
function runCase(made, kernels) {
    const placed = [];
    made.lists.forEach(({ values, at }, k) => {
        if (at === undefined) {
            placed.push(place(k, values, made.offsets[k]));
            return;
        }
        // In place: these values replace part of another list.
        const host = placed[at.of].view;
        const view = host.subarray(at.float, at.float + values.length);
        view.set(values);
        placed.push({ ...placed[at.of], view });
    });
    const count = made.lists.length;
    let integers = null;
    if (made.integers !== null) {
        integers = place(count, made.integers, made.offsets[count]);
    }
    const views = placed.map(({ view }) => view);
    ROUTINES[made.routine].call(kernels, views, integers === null ? made : { ...made, integers: integers.view });

    placed.forEach((region, k) => {
        const { name, at, values } = made.lists[k];
        if (at === undefined) checkGuards(name, region);
        const overwritten = made.lists.some((other, j) => j > k && other.at?.of === k);
        if (!same(region.view, views[0]) && !overwritten) checkUnchanged(name, region.view, values);
    });
    if (integers !== null) {
        checkGuards('the integers', integers);
        checkUnchanged('the integers', integers.view, made.integers);
    }
    return bitsOf(views[0]);
}

module.exports = { MAX_OFFSET, runCase };
