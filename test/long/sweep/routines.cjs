// SPDX-License-Identifier: MIT
'use strict';

/**
 * The routines that the sweep covers, made from their descriptions: the cases of each, and how to make and call one.
 *
 * A case is data: `count` elements, `lists` of floats with their first values (the call writes the first list); `at` is the
 * place of a list in another, for calls in place. Its `integers` are index lists or parents.
 */

const { ROUTINES: DESCRIPTIONS, STRICT_ROUTINES } = require('../../../dist/lists/routines.js');
const { PAIR_CLASSES, MATRIX_CLASSES, TIMES, anyBits, matrices, quaternionPairs, times } = require('./classes.cjs');
const { INDEX_LISTS, SKELETONS, indexList, parents } = require('./lists.cjs');

const ANY = 'any';

/** The first contents of a result list, which must not affect the results. */
function garbage(random, length) {
    const list = new Float32Array(length);
    for (let i = 0; i < length; i++) list[i] = anyBits(random);
    return list;
}

const isQuat = ({ element }) => element === 'quat' || element === 'jointQuat';

/** Descriptions of the lists that share memory: `from = to = result`. */
function aliasesOf({ lists, selection }) {
    if (selection === 'parents') return ['all', 'from joint 0', 'a part'];
    const to = lists[0].argument;
    const [a, b] = lists.filter(({ sharing, single }) => sharing === 'same start' || single);
    if (a === undefined) return ['none'];
    if (a.single) return ['none', `${a.argument} and ${b.argument} in ${to}`, `${a.argument} = ${b.argument}`];
    const inResult = `${a.argument} = ${to}`;
    if (b === undefined) return ['none', inResult];
    const same = `${a.argument} = ${b.argument}`;
    return ['none', inResult, `${b.argument} = ${to}`, same, `${same} = ${to}`];
}

/** The place of a list by such a description: `float` floats into list `of`; undefined: its own memory. */
function placeOf(list, alias, lists, random, count) {
    const words = alias.split(/ (?:=|and|in) /);
    const place = words.indexOf(list.argument);
    if (place < 0) return undefined;
    if (alias.includes(' in ')) return count > 1 ? { of: 0, float: list.floats * random.below(count) } : undefined;
    // `a = b = result`: b is in a, and a in the result. `a = b`: b is in a.
    const of = lists.findIndex(({ argument }) => argument === (place > 0 ? words[0] : words.at(-1)));
    return lists[of] !== list && (place > 0 || of === 0) ? { of, float: 0 } : undefined;
}

/** Draws from the source in an order that the golden inputs have fixed. */
function make(description, random, { data, count, time, index: kind, alias }) {
    const { lists, selection } = description;
    const { index = null, joints = count } = selection === 'index' ? indexList(kind, random, count) : {};
    const quats = lists.filter((list, k) => isQuat(list) && (k > 0 || list.inPlace));
    const pair =
        quats.length > 0 ? quaternionPairs(data, random, quats[0].single ? 1 : joints, quats[0].floats) : undefined;
    // A single list that is written gets the second of each pair.
    if (quats.length === 1 && quats[0].inPlace) pair.shift();

    const valuesOf = (list, k) => {
        if (k === 0 && !list.inPlace) return garbage(random, count * list.floats);
        if (isQuat(list)) return pair.shift();
        return list.element === 'float' ? times(random, joints) : matrices(data, random, joints);
    };
    const made = lists.map(() => undefined);
    // Conversions take their source first.
    const order = selection === 'options' ? [1, 0] : lists.keys();
    for (const k of order) {
        const list = lists[k];
        made[k] = {
            name: list.argument,
            values: valuesOf(list, k),
            at: k === 0 ? undefined : placeOf(list, alias, lists, random, count),
        };
    }
    if (selection !== 'parents') return { lists: made, integers: index, time };

    let first = alias === 'from joint 0' ? 0 : 1;
    let last = count - 1;
    if (alias === 'a part' && count > 0) {
        first = random.below(count);
        last = first - 1 + random.below(count - first + 1);
    }
    return { lists: made, integers: parents(kind, random, count), first, last };
}

/** The arguments of the public function after its lists and its parameter. */
const SELECTED = {
    index: (c) => [c.integers, c.count],
    parents: (c) => [c.integers, c.first, c.last],
    options: (c) => [{ numJoints: c.count, convention: c.convention }],
    count: (c) => [c.count],
    lengths: () => [],
};

function routineOf(name) {
    const description = DESCRIPTIONS[name];
    const { lists, parameter, selection } = description;
    const read = lists.filter((list, k) => k > 0 || list.inPlace);
    return {
        description,
        classes: read.some(isQuat) ? PAIR_CLASSES : MATRIX_CLASSES,
        times: parameter ? TIMES : [ANY],
        indices: { index: INDEX_LISTS, parents: SKELETONS }[selection] ?? ['none'],
        aliases: aliasesOf(description),
        conventions: selection === 'options' ? ['id', 'gltf'] : ['id'],
        make: (random, chosen) => make(description, random, chosen),
        call: (kernels, views, c) => kernels[name](...views, ...(parameter ? [c.time] : []), ...SELECTED[selection](c)),
    };
}

const ROUTINES = Object.fromEntries(STRICT_ROUTINES.map((name) => [name, routineOf(name)]));

module.exports = { ROUTINES, ROUTINE_NAMES: Object.keys(ROUTINES) };
