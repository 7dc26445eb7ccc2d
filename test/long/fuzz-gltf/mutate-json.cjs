// SPDX-License-Identifier: MIT
'use strict';

/**
 * Changes of parsed JSON, drawn by fast-check. A change is a place and a function of the value there, which may use the whole JSON.
 * Marks are stored for texts that no object gives (duplicate keys, `1e999`, depth that JSON.stringify does not reach). `textOf` replaces them.
 */

const fc = require('fast-check');

const { oneof, constantFrom, tuple } = fc;
const below = (n) => fc.noBias(fc.nat(n - 1));

const powers = [24, 31, 32, 53].map((n) => 2 ** n);
const EDGES = [
    ...[0, -0, 1, -1, 2, 3, 4, 0.5, 1.5, 100, 127, 128, 255, 256, 65535, 65536, 1e6],
    ...powers.flatMap((n) => [n, n - 1, -n]),
    ...[1e20, 1e38, 3.5e38, 1e308, 1e-45, 5e-324],
];
const COMPONENTS = [5120, 5121, 5122, 5123, 5124, 5125, 5126, 5130];
const TYPES = ['SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT2', 'MAT3', 'MAT4'];
const PATHS = ['translation', 'rotation', 'scale', 'weights', 'pointer'];
const URIS = '../a.bin /etc/passwd data:;base64, data:;base64,AAAA file:///a http://a/b % %2e%2e%2fa'.split(' ');
const POINTERS = ['/nodes/0/rotation', '/nodes/0/weights/0', '/nodes/1/translation', '/a', ''];
const KEYS = ['constructor', 'prototype', 'hasOwnProperty', 'toString', 'then', 'length', '0', '-1', '@@proto'];
const TEXTS = [
    ...[...TYPES, ...PATHS, ...URIS, ...POINTERS, ...KEYS, 'LINEAR', 'STEP', 'CUBICSPLINE', '2.1', '1.0'],
    ...['KHR_draco_mesh_compression', 'EXT_meshopt_compression', 'KHR_animation_pointer', 'EXT_unknown'],
    ...['a\u0000b', '\ud800', 'e\u0301', '\u2028', 'x'.repeat(5000)],
];

/** Texts that JSON.stringify cannot write. */
const RAW = {
    '@@infinity': '1e999',
    '@@minus': '-0',
    '@@tiny': '1e-999',
    '@@long': `1${'0'.repeat(400)}`,
    '@@array': '['.repeat(3000) + ']'.repeat(3000),
    '@@object': `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`,
    '@@huge': `[${'0,'.repeat(30000)}0]`,
    '@@holes': `[${'{},'.repeat(3000)}{}]`,
};

function textOf(json) {
    const text = JSON.stringify(json) ?? '';
    if (!text.includes('@@')) return text;
    return text
        .replace(/"(@@[a-z]+)"/g, (all, name) => RAW[name] ?? all)
        .replaceAll('"@@proto"', '"__proto__"')
        .replaceAll('"@@twice"', '"count"');
}

const isObject = (value) => typeof value === 'object' && value !== null;
const copyOf = (value) => (isObject(value) ? JSON.parse(JSON.stringify(value)) : value);
/** Repeated copies of most of a file would make it large. */
const smallCopy = (value, max) => (JSON.stringify(value ?? null).length > max ? null : copyOf(value));

/** A walk down the tree, which ends at a leaf or after its last step. */
const anyPlace = fc.array(fc.noBias(fc.nat()), { minLength: 1, maxLength: 9, size: 'max' });

function walk(json, steps) {
    let [parent, key] = [null, null];
    for (let [value, i] = [json, 0]; isObject(value) && i < steps.length; value = parent[key], i++) {
        const keys = Object.keys(value);
        if (keys.length === 0) break;
        [parent, key] = [value, keys[steps[i] % keys.length]];
    }
    return { parent, key };
}

const edge = constantFrom(...EDGES);
const simple = oneof(edge, constantFrom(...TEXTS), constantFrom(null, true, false), constantFrom(...Object.keys(RAW)));
const other = oneof({ arbitrary: simple, weight: 6 }, fc.array(simple, { maxLength: 2 }), constantFrom({}));

const always = (arbitrary) => arbitrary.map((value) => () => copyOf(value));
/** Near the number that is there, or else an edge. */
const near = tuple(constantFrom([1, 1], [1, -1], [2, 0], [-1, 0], [1, 0.5], [1e6, 0], [1e-6, 0]), edge).map(
    ([[factor, more], otherwise]) =>
        (old) =>
            typeof old === 'number' ? old * factor + more : otherwise,
);
/** An index of a list, or the first one too large. */
const indexOf = (list) => below(1000).map((n) => (_, json) => n % ((json[list]?.length ?? 0) + 1));
const indicesOf = (list) =>
    fc
        .array(below(1000), { maxLength: 5 })
        .map((all) => (_, json) => all.map((n) => n % Math.max(1, json[list]?.length ?? 1)));
const number = oneof(always(edge), near);
const one = (...values) => always(constantFrom(...values));
const numbers = (length) =>
    always(fc.array(constantFrom(0, 1, -1, 0.5, 2, 1e20, 3e38, 1e-40), { minLength: length, maxLength: length }));
/** An object of changes, each of nothing. */
const record = (fields) =>
    fc
        .record(fields)
        .map(
            (changes) => (_, json) =>
                Object.fromEntries(Object.entries(changes).map(([key, change]) => [key, change(1, json)])),
        );
const remove = fc.constant(() => undefined);

const meshopt = tuple(
    constantFrom(1, 2, 4, 8, 12, 16, 256),
    constantFrom(1, 3, 16, 1000, 2 ** 28, 2 ** 31),
    constantFrom('ATTRIBUTES', 'TRIANGLES', 'INDICES'),
    constantFrom('NONE', 'QUATERNION', 'COLOR'),
).map(([byteStride, count, mode, filter]) => ({ byteOffset = 0, byteLength, ...rest }) => {
    const compressed = { buffer: 0, byteOffset, byteLength, byteStride, count, mode, filter };
    return { ...rest, byteOffset, byteLength: count * byteStride, extensions: { EXT_meshopt_compression: compressed } };
});

/** Changes of fields that a walk would seldom find, by list. The field '' is the element itself. */
const FIELDS = {
    accessors: {
        count: number,
        byteOffset: oneof(number, one(4, 8, 12, 1)),
        componentType: one(...COMPONENTS),
        type: one(...TYPES),
        normalized: one(true, false, 1),
        bufferView: oneof(indexOf('bufferViews'), remove),
        sparse: record({
            count: one(1, 2, 2 ** 31),
            indices: record({ bufferView: indexOf('bufferViews'), componentType: one(5121, 5123, 5125) }),
            values: record({ bufferView: indexOf('bufferViews') }),
        }),
        '@@twice': always(edge),
    },
    bufferViews: {
        byteStride: one(0, 1, 2, 3, 4, 5, 12, 16, 252, 256, 2 ** 31),
        byteLength: number,
        byteOffset: oneof(number, one(1, 2, 4)),
        buffer: one(0, 1, 2),
        '': meshopt,
    },
    nodes: {
        children: indicesOf('nodes'),
        matrix: numbers(16),
        rotation: numbers(4),
        scale: numbers(3),
        translation: numbers(3),
        weights: numbers(2),
        skin: one(0),
        mesh: one(0),
    },
    skins: {
        joints: oneof(indicesOf('nodes'), one(Array(100).fill(0), Array(3000).fill(0))),
        skeleton: indexOf('nodes'),
        inverseBindMatrices: oneof(indexOf('accessors'), remove),
    },
    'animations/samplers': {
        interpolation: one('LINEAR', 'STEP', 'CUBICSPLINE'),
        input: indexOf('accessors'),
        output: indexOf('accessors'),
    },
    'animations/channels': {
        sampler: indexOf('animations'),
        target: oneof(
            record({ node: indexOf('nodes'), path: one(...PATHS) }),
            always(
                constantFrom(...POINTERS).map((pointer) => {
                    return { path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } };
                }),
            ),
        ),
    },
    // These are in a bake's manifest. Its arrays start at multiples of 256.
    clips: { firstRow: number, frameCount: number, duration: number, fps: number, lastFrameTime: number },
    arrays: { byteOffset: oneof(number, one(256, 512, 65536, 2 ** 32)), byteLength: number },
};

/** An element of a list by a path such as `animations/samplers`; null where there is none. */
function elementOf(json, list, n) {
    let place = { parent: { json }, key: 'json' };
    for (const name of list.split('/')) {
        const elements = place.parent[place.key]?.[name];
        const keys = isObject(elements) ? Object.keys(elements) : [];
        if (keys.length === 0) return null;
        place = { parent: elements, key: keys[n % keys.length] };
    }
    return place;
}

const known = oneof(
    ...Object.entries(FIELDS).map(([list, fields]) => {
        const changes = Object.entries(fields).map(([field, change]) => tuple(fc.constant(field), change));
        return tuple(below(1000), oneof(...changes)).map(([n, [field, change]]) => (json) => {
            const place = elementOf(json, list, n);
            const element = place?.parent[place.key];
            if (!isObject(element)) return;
            apply(field === '' ? place : { parent: element, key: field }, change, json);
        });
    }),
);

/** Adds to an object or a list. */
const added = tuple(constantFrom(...KEYS), below(1000), other).map(([key, n, value]) => (old) => {
    if (Array.isArray(old)) return old.toSpliced?.(n % (old.length + 1), 0, value) ?? [...old, value];
    return isObject(old) ? { ...old, [key]: value } : value;
});
const copied = anyPlace.map((from) => (_, json) => {
    const { parent, key } = walk(json, from);
    return parent === null ? null : smallCopy(parent[key], 20_000);
});
const reversed = fc.constant((old) => (Array.isArray(old) ? old.reverse() : old));

const walked = tuple(
    anyPlace,
    oneof({ arbitrary: number, weight: 2 }, always(other), remove, added, copied, reversed),
).map(([steps, change]) => (json) => {
    const place = walk(json, steps);
    if (place.parent !== null) apply(place, change, json);
});

const repeated = tuple(
    constantFrom('nodes', 'skins', 'animations', 'accessors', 'meshes', 'bufferViews'),
    below(1000),
    constantFrom(1, 3, 20, 200),
).map(([list, n, times]) => (json) => {
    const place = elementOf(json, list, n);
    const copy = place && smallCopy(place.parent[place.key], 3000);
    for (let i = times; copy && Array.isArray(place.parent) && i > 0; i--) place.parent.push(copy);
});

function apply({ parent, key }, change, json) {
    const value = change(parent[key], json);
    if (value !== undefined) parent[key] = value;
    else if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
}

const edit = oneof({ arbitrary: walked, weight: 6 }, { arbitrary: known, weight: 6 }, repeated);

/** Draws a value by a source of random.cjs. */
const draw = (arbitrary, random) => fc.sample(arbitrary, { numRuns: 1, seed: random.word() | 0 })[0];

/** Changes `json` once, in place. */
function mutateJson(json, random) {
    if (isObject(json)) draw(edit, random)(json);
}

module.exports = { EDGES, draw, mutateJson, textOf };
