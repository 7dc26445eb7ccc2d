// SPDX-License-Identifier: MIT
'use strict';

/**
 * The cases of the sweep. The routine and a key, such as `lengths/2/117`, fix a case: all that the key does not say is
 * drawn from a source that the key seeds. So each case can be repeated by itself.
 */

const { createRandom } = require('./random.cjs');
const { ROUTINES } = require('./routines.cjs');
const { MAX_OFFSET } = require('./run.cjs');

/** The max number of elements at which every class of data is tested. */
const MAX_LENGTH = 300;
const LARGE = [1000, 1023, 1024, 1025, 2049];

/** Floats from an aligned place at which a list may start. */
const OFFSETS = MAX_OFFSET + 1;

/**
 * The case of a routine with a key.
 *
 * @param fixed Values that must not be drawn: `data`, `count`, `time`, `index`, `offsets` (of the first lists).
 */
function makeCase(routine, key, fixed = {}) {
    const random = createRandom(`${routine}/${key}`);
    const { classes, times, indices, aliases, conventions, make } = ROUTINES[routine];
    const drawn = {
        data: random.of(classes),
        count: random.below(MAX_LENGTH + 1),
        time: random.of(times),
        index: random.of(indices),
        // Mostly apart: in place is the exception.
        alias: random.below(2) ? random.of(aliases) : aliases[0],
        convention: random.of(conventions),
    };
    const offsets = Array.from({ length: 5 }, () => random.below(OFFSETS));
    const chosen = { ...drawn, ...fixed };
    (fixed.offsets ?? []).forEach((offset, k) => {
        offsets[k] = offset;
    });
    return { routine, key, ...chosen, ...make(random, chosen), offsets };
}

/** Every length with `rounds` classes each; all classes where there are at least as many rounds as classes. */
function* lengths(routine, rounds) {
    const { classes } = ROUTINES[routine];
    for (let round = 0; round < Math.min(rounds, classes.length); round++) {
        for (let count = 0; count <= MAX_LENGTH; count++) {
            yield makeCase(routine, `lengths/${round}/${count}`, {
                count,
                data: classes[(count + round) % classes.length],
            });
        }
    }
}

/** Every way for the first two lists to start, and for each other list by itself. */
function* offsets(routine, most) {
    for (let first = 0; first < OFFSETS; first++) {
        for (let second = 0; second < OFFSETS; second++) {
            const other = (first + second) % OFFSETS;
            const key = `offsets/${first}/${second}`;
            const count = createRandom(key).below(most + 1);
            yield makeCase(routine, key, { count, data: 'mixed', offsets: [first, second, other, second, first] });
        }
    }
}

/** Every t with every class. */
function* timesOfClasses(routine, most) {
    const { classes, times } = ROUTINES[routine];
    for (let k = 0; k < times.length; k++) {
        for (const data of classes) {
            const key = `times/${k}/${data}`;
            yield makeCase(routine, key, { count: 1 + createRandom(key).below(most), data, time: times[k] });
        }
    }
}

/** Every kind of index list or skeleton, every way of being in place, both conventions. */
function* kinds(routine, rounds, most) {
    const { indices, aliases, conventions } = ROUTINES[routine];
    for (const index of indices) {
        for (const alias of aliases) {
            for (const convention of conventions) {
                for (let round = 0; round < rounds; round++) {
                    const key = `kinds/${index}/${alias}/${convention}/${round}`;
                    const count = createRandom(key).below(most + 1);
                    yield makeCase(routine, key, { count, index, alias, convention });
                }
            }
        }
    }
}

/** Anything. */
function* anything(routine) {
    for (let k = 0; ; k++) {
        const large = k % 64 === 63 ? { count: LARGE[((k - 63) / 64) % LARGE.length] } : {};
        yield makeCase(routine, `any/${k}`, large);
    }
}

/** Sizes of the sweep. `joints` is the min total number of elements. */
const SIZES = {
    quick: { rounds: 3, offsets: 20, times: 20, kinds: 4, most: 100, joints: 200_000 },
    full: { rounds: Infinity, offsets: 70, times: 140, kinds: 40, most: 300, joints: 10_000_000 },
    golden: { rounds: 1, offsets: 12, times: 12, kinds: 2, most: 70, joints: 0 },
};

/** The cases of one routine. */
function* casesOf(routine, size) {
    const { rounds, offsets: mostOffset, times: mostTimes, kinds: kindRounds, most, joints } = SIZES[size];
    let done = 0;
    function* counted(cases) {
        for (const made of cases) {
            done += made.count;
            yield made;
        }
    }
    yield* counted(lengths(routine, rounds));
    yield* counted(offsets(routine, mostOffset));
    yield* counted(timesOfClasses(routine, mostTimes));
    yield* counted(kinds(routine, kindRounds, most));
    if (joints === 0) return;
    for (const made of anything(routine)) {
        if (done >= joints) return;
        done += made.count;
        yield made;
    }
}

/** A case in words. */
function describeCase({
    routine,
    key,
    data,
    count,
    time,
    index,
    alias,
    convention,
    offsets: starts,
    lists,
    first,
    last,
}) {
    const places = lists.map(({ name }, k) => `${name}+${starts[k]}`).join(' ');
    const range = first === undefined ? '' : ` (joints ${first} to ${last})`;
    return (
        `${routine} (case ${key}): data ${data}, N ${count}, t ${Object.is(time, -0) ? '-0' : time}, ` +
        `index or skeleton ${index}${range}, in place: ${alias}, convention ${convention}, lists start at ${places}`
    );
}

module.exports = { SIZES, casesOf, describeCase };
