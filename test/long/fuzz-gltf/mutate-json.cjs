// SPDX-License-Identifier: MIT
'use strict';

/**
 * Mutations of parsed JSON that keep its structure: numbers become edge values, indices point elsewhere, types are swapped, keys
 * deleted, doubled or copied from elsewhere. What no object can hold (doubled keys, `1e999`, depth that JSON.stringify does not
 * reach) goes in as a mark, which `textOf` replaces.
 */

const EDGES = [
    ...[0, -0, 1, -1, 2, 3, 4, 5, 0.5, 1.5, -0.5, 100, 127, 128, 255, 256, 65535, 65536, 2 ** 24, 2 ** 31 - 1, 2 ** 31],
    ...[2 ** 32 - 1, 2 ** 32, 2 ** 53, 2 ** 53 - 1, -(2 ** 31), 1e20, 1e38, 3.5e38, 1e308, 1e-45, 5e-324, 1e6],
    ...[5120, 5121, 5122, 5123, 5124, 5125, 5126, 5130],
];

const STRINGS = [
    ...[
        '',
        ' ',
        'LINEAR',
        'STEP',
        'CUBICSPLINE',
        'SCALAR',
        'VEC2',
        'VEC3',
        'VEC4',
        'MAT2',
        'MAT3',
        'MAT4',
        'translation',
    ],
    ...[
        'rotation',
        'scale',
        'weights',
        'pointer',
        '__proto__',
        'constructor',
        'toString',
        'length',
        '../a.bin',
        '/etc/passwd',
    ],
    ...[
        'data:;base64,',
        'data:;base64,AAAA',
        'data:,x',
        'file:///a',
        'http://a/b',
        '%',
        '%00',
        '%2e%2e%2fa',
        '.',
        'a\u0000b',
    ],
    ...[
        '/nodes/0/rotation',
        '/nodes/0/weights/0',
        '/nodes/1/translation',
        '\ud800',
        'e\u0301',
        '\u2028',
        '2.0',
        '2.1',
        '1.0',
    ],
    ...['ATTRIBUTES', 'TRIANGLES', 'INDICES', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR', 'NONE'],
    ...[
        'KHR_draco_mesh_compression',
        'EXT_meshopt_compression',
        'KHR_animation_pointer',
        'EXT_unknown',
        'x'.repeat(5000),
    ],
];

const KEYS = [
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'toString',
    'valueOf',
    'then',
    'length',
    '0',
    '-1',
];

const isObject = (value) => typeof value === 'object' && value !== null;

/** What JSON.stringify cannot write. */
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
    let text = JSON.stringify(json);
    if (text === undefined) return '';
    if (!text.includes('@@')) return text;
    text = text.replace(/"(@@[a-z]+)"/g, (all, name) => RAW[name] ?? all);
    return text.replaceAll('"@@proto"', '"__proto__"').replaceAll('"@@twice"', '"count"');
}

/** A place in the tree: a walk down that may end anywhere, more often at the bottom. */
function placeIn(json, random) {
    let [parent, key] = [{ json }, 'json'];
    for (let value = json; isObject(value); value = parent[key]) {
        const keys = Object.keys(value);
        if (keys.length === 0 || (value !== json && random.below(6) === 0)) break;
        [parent, key] = [value, random.of(keys)];
    }
    return { parent, key };
}

/** A list in the tree by one of glTF's names, which a walk would seldom find; null where there is none. */
function listOf(json, random, names) {
    const lists = names.map((name) => json[name]).filter((list) => Array.isArray(list) && list.length > 0);
    return lists.length > 0 ? random.of(lists) : null;
}

const copyOf = (value) => (isObject(value) ? JSON.parse(JSON.stringify(value)) : value);

function otherValue(random, json) {
    const kinds = [
        () => random.of(EDGES),
        () => random.of(STRINGS),
        () => random.of([null, true, false]),
        () => [],
        () => ({}),
        () => random.of(Object.keys(RAW)),
        () => copyOf(anywhere(json, random)),
        () => [random.of(EDGES), random.of(STRINGS)],
    ];
    return random.of(kinds)();
}

function anywhere(json, random) {
    const { parent, key } = placeIn(json, random);
    const value = parent[key];
    // A copy of most of the file, over and over, would be no small file any more.
    return isObject(value) && JSON.stringify(value).length > 20_000 ? null : value;
}

const STEPS = {
    number(json, random) {
        for (let tries = 0; tries < 20; tries++) {
            const { parent, key } = placeIn(json, random);
            const old = parent[key];
            if (typeof old !== 'number') continue;
            const near = [old + 1, old - 1, old * 2, -old, old + 0.5, old * 1e6, old / 1e6];
            parent[key] = random.below(2) ? random.of(EDGES) : random.of(near);
            return;
        }
    },
    value(json, random) {
        const { parent, key } = placeIn(json, random);
        parent[key] = otherValue(random, json);
    },
    remove(json, random) {
        const { parent, key } = placeIn(json, random);
        if (Array.isArray(parent)) parent.splice(Number(key), 1);
        else delete parent[key];
    },
    add(json, random) {
        const { parent, key } = placeIn(json, random);
        const into = isObject(parent[key]) ? parent[key] : parent;
        if (Array.isArray(into)) into.splice(random.below(into.length + 1), 0, otherValue(random, json));
        else into[random.below(2) ? random.of(KEYS) : '@@proto'] = otherValue(random, json);
    },
    twice(json, random) {
        const accessors = listOf(json, random, ['accessors', 'bufferViews', 'buffers']);
        const one = accessors && random.of(accessors);
        if (isObject(one) && !Array.isArray(one)) one['@@twice'] = random.of(EDGES);
    },
    copy(json, random) {
        const { parent, key } = placeIn(json, random);
        parent[key] = copyOf(anywhere(json, random));
    },
    swap(json, random) {
        const [a, b] = [placeIn(json, random), placeIn(json, random)];
        const [left, right] = [a.parent[a.key], b.parent[b.key]];
        // One within the other would make a circle.
        if (isObject(left) || isObject(right)) {
            a.parent[a.key] = copyOf(right);
            return;
        }
        [a.parent[a.key], b.parent[b.key]] = [right, left];
    },
    repeat(json, random) {
        const list = listOf(json, random, ['nodes', 'skins', 'animations', 'accessors', 'meshes', 'bufferViews']);
        if (list === null) return;
        const one = copyOf(random.of(list));
        if (JSON.stringify(one ?? null).length > 3000) return;
        for (let i = random.of([1, 3, 20, 200]); i > 0; i--) list.push(one);
    },
    shuffle(json, random) {
        const list = listOf(json, random, [
            'nodes',
            'skins',
            'animations',
            'accessors',
            'meshes',
            'bufferViews',
            'buffers',
        ]);
        list?.reverse();
    },
    accessor(json, random) {
        const one = random.of(listOf(json, random, ['accessors']) ?? [null]);
        if (!isObject(one)) return;
        const views = json.bufferViews?.length ?? 1;
        const changes = [
            () => (one.count = random.of([...EDGES, one.count + 1, one.count - 1])),
            () => (one.byteOffset = random.of([...EDGES, 4, 8, 12, 1])),
            () => (one.componentType = random.of([5120, 5121, 5122, 5123, 5125, 5126])),
            () => (one.type = random.of(['SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT2', 'MAT3', 'MAT4'])),
            () => (one.normalized = random.of([true, false, 1])),
            () => (one.bufferView = random.below(views + 1)),
            () => delete one.bufferView,
            () =>
                (one.sparse = {
                    count: random.of([1, 2, one.count, 2 ** 31]),
                    indices: { bufferView: random.below(views), componentType: random.of([5121, 5123, 5125]) },
                    values: { bufferView: random.below(views) },
                }),
        ];
        random.of(changes)();
    },
    view(json, random) {
        const one = random.of(listOf(json, random, ['bufferViews']) ?? [null]);
        if (!isObject(one)) return;
        const compressed = {
            ...{ buffer: 0, byteOffset: one.byteOffset ?? 0, byteLength: one.byteLength },
            ...{
                byteStride: random.of([1, 2, 4, 8, 12, 16, 256]),
                count: random.of([1, 3, 16, 1000, 2 ** 28, 2 ** 31]),
            },
            ...{
                mode: random.of(['ATTRIBUTES', 'TRIANGLES', 'INDICES']),
                filter: random.of(['NONE', 'QUATERNION', 'COLOR']),
            },
        };
        const changes = [
            () => (one.byteStride = random.of([0, 1, 2, 3, 4, 5, 12, 16, 252, 256, 2 ** 31])),
            () => (one.byteLength = random.of([...EDGES, one.byteLength + 1, one.byteLength - 1])),
            () => (one.byteOffset = random.of([...EDGES, 1, 2, 4])),
            () => (one.buffer = random.of([0, 1, 2])),
            () => {
                one.extensions = { EXT_meshopt_compression: compressed };
                one.byteLength = compressed.count * compressed.byteStride;
            },
        ];
        random.of(changes)();
    },
    nodes(json, random) {
        const nodes = listOf(json, random, ['nodes']);
        const one = random.of(nodes ?? [null]);
        if (!isObject(one)) return;
        const numbers = (n) => Array.from({ length: n }, () => random.of([0, 1, -1, 0.5, 1e20, 3e38, 1e-40, 2]));
        const changes = [
            () => (one.children = Array.from({ length: random.below(4) }, () => random.below(nodes.length))),
            () => (one.matrix = [...numbers(3), 0, ...numbers(3), 0, ...numbers(3), 0, ...numbers(3), 1]),
            () => (one.rotation = numbers(4)),
            () => (one.scale = numbers(3)),
            () => (one.translation = numbers(3)),
            () => (one.skin = 0),
            () => (one.mesh = 0),
            () => (one.weights = numbers(2)),
        ];
        random.of(changes)();
    },
    animation(json, random) {
        const one = random.of(listOf(json, random, ['animations']) ?? [null]);
        const [channel, sampler] = [random.of(one?.channels ?? [null]), random.of(one?.samplers ?? [null])];
        if (!isObject(channel) || !isObject(sampler)) return;
        const accessors = json.accessors?.length ?? 1;
        const changes = [
            () => (sampler.interpolation = random.of(['LINEAR', 'STEP', 'CUBICSPLINE'])),
            () => (sampler.input = random.below(accessors)),
            () => (sampler.output = random.below(accessors)),
            () => (channel.sampler = random.below(one.samplers.length)),
            () =>
                (channel.target = {
                    node: random.below(json.nodes?.length ?? 1),
                    path: random.of(STRINGS.slice(12, 17)),
                }),
            () =>
                (channel.target = {
                    path: 'pointer',
                    extensions: { KHR_animation_pointer: { pointer: random.of(STRINGS) } },
                }),
        ];
        random.of(changes)();
    },
    skin(json, random) {
        const one = random.of(listOf(json, random, ['skins']) ?? [null]);
        if (!isObject(one)) return;
        const changes = [
            () =>
                (one.joints = Array.from({ length: 1 + random.below(5) }, () => random.below(json.nodes?.length ?? 1))),
            () => (one.joints = Array(random.of([100, 3000])).fill(0)),
            () => (one.skeleton = random.below(json.nodes?.length ?? 1)),
            () => delete one.inverseBindMatrices,
            () => (one.inverseBindMatrices = random.below(json.accessors?.length ?? 1)),
        ];
        random.of(changes)();
    },
};

const NAMES = Object.keys(STEPS);

/** Changes `json` once, in place. */
function mutateJson(json, random) {
    if (isObject(json)) STEPS[random.of(NAMES)](json, random);
}

module.exports = { mutateJson, textOf };
