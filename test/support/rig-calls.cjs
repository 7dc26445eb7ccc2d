// SPDX-License-Identifier: MIT
'use strict';

/**
 * The methods of a Rig that work on poses: good arguments for one small rig, and wrong values for each. The tests of errors
 * (rig-errors) and stale globals use this table. A new kernel needs an entry in `CALLS`.
 */

const REST = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];
const COUNT = 5;
const SLOTS = 4;

/** Four slots, two skins, two clips, one mesh with normals and a morph target. */
const PARTS = {
    parents: [-1, 0, 1, 0],
    rest: Array.from({ length: SLOTS }, () => REST).flat(),
    names: ['a', 'b', 'c', 'd'],
    skins: [{ joints: [0, 1, 2] }, { joints: [3] }],
    clips: [1, 2].map((end) => ({
        name: `wave ${end}`,
        channels: [
            { node: 1, path: 'translation', times: [0, end], values: [0, 0, 0, 1, 2, 3] },
            { node: 0, path: 'rotation', times: [0, 1, 2], values: [0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0] },
            { node: 1, path: 'weights', times: [0, 1], interpolation: 'STEP', values: [0.25, 0.5] },
        ],
    })),
    meshes: [
        {
            node: 1,
            skin: 0,
            positions: [0, 0, 0],
            normals: [0, 1, 0],
            joints: [0, 1, 0, 0],
            weights: [0.5, 0.5, 0, 0],
            targets: [{ positions: [1, 1, 1], normals: [0, 1, 0] }],
        },
    ],
};

// Arguments. `make` gives a good value; `set` has the rig, `poses`, `other` and `capsules`.

const poses = (name = 'poses', of = 'poses') => ({ name, kind: 'poses', make: (set) => set[of] });
const index = (name, limit, good = 0) => ({ name, kind: 'index', limit, make: () => good });
const number = (name) => ({ name, kind: 'number', make: () => 0.25 });
const choice = (name, ...good) => ({ name, kind: 'choice', good, make: () => good[0] });
/** An array of numbers. */
const vector = (name, length = 3) => ({ name, kind: 'vector', length, make: () => new Array(length).fill(0.5) });
/** An object: an argument for each property. */
const object = (name, ...properties) => ({
    name,
    kind: 'options',
    properties,
    make: (set, count) => Object.fromEntries(properties.map((one) => [one.name, one.make(set, count)])),
});
const options = (...properties) => object('options', ...properties);
/**
 * A list of `length` numbers, or of `length` numbers per pose. `written`: the method writes it. `limit`: its numbers must
 * be below this. `either`: another argument that can replace it.
 */
const list = (
    name,
    length,
    { type = Float32Array, finite = false, written = false, eachPose = written, limit, either } = {},
) => ({
    name,
    kind: 'list',
    length,
    type,
    finite,
    written,
    limit,
    either,
    make: (_, count) => new type(eachPose ? (length * count) / COUNT : length),
});
const written = (name, length, type) => list(name, length, { written: true, type });

const clips = list('clips', COUNT, { eachPose: true, type: Uint16Array, limit: 2, either: index('clips', 2) });
const times = list('times', COUNT, {
    eachPose: true,
    finite: true,
    either: list('times', COUNT, { eachPose: true, finite: true, type: Float64Array }),
});
const slots = list('slots', 2, {
    type: Uint16Array,
    limit: SLOTS,
    either: list('slots', 2, { type: Int32Array, limit: SLOTS }),
});
const loop = choice('loop', 'wrap', 'clamp');
const loops = list('loop', COUNT, { eachPose: true, type: Uint8Array, limit: 2, either: loop });
const weights = list('weights', COUNT, { eachPose: true, finite: true, either: number('weights') });
const vectors = (name) => list(name, COUNT * 3, { eachPose: true, finite: true });
const format = choice('format', 'mat4', 'mat3x4');

/**
 * `stale`: the method writes locals, which makes globals stale. `globals`: the method reads globals, which must not be stale.
 *
 * @type {Readonly<Record<string, { readonly stale?: boolean; readonly globals?: boolean; readonly args: readonly any[] }>>}
 */
const CALLS = {
    evaluate: { stale: true, args: [poses(), clips, times, options(loops)] },
    blend: {
        stale: true,
        args: [
            poses('out'),
            poses('a'),
            poses('b', 'other'),
            weights,
            options(list('mask', SLOTS, { finite: true }), choice('additive', true), poses('reference', 'other')),
        ],
    },
    toGlobal: { args: [poses(), options(index('from', SLOTS))] },
    palettes: {
        globals: true,
        args: [poses(), index('skin', 2), written('out', COUNT * 48), format],
    },
    bakePalettes: {
        args: [
            { ...poses(), either: choice('poses', null) },
            clips,
            times,
            index('skin', 2),
            written('out', COUNT * 48),
            format,
            options(loops),
        ],
    },
    joints: {
        globals: true,
        args: [poses(), slots, written('out', COUNT * 24)],
    },
    castRays: {
        globals: true,
        args: [
            poses(),
            { name: 'capsules', kind: 'choice', made: 'capsules', make: (set) => set.capsules },
            list('rays', 14, { finite: true }),
            written('outDistances', COUNT * 2),
            written('outCapsules', COUNT * 2, Int32Array),
            options(list('placements', COUNT * 7, { eachPose: true, finite: true })),
        ],
    },
    twoBoneIk: {
        stale: true,
        globals: true,
        args: [
            poses(),
            object('slots', index('start', SLOTS, 0), index('mid', SLOTS, 1), index('end', SLOTS, 3)),
            vectors('targets'),
            options(
                vectors('poles'),
                weights,
                number('soften'),
                number('twist'),
                vector('axis'),
                written('reached', COUNT, Uint8Array),
            ),
        ],
    },
    aimIk: {
        stale: true,
        globals: true,
        args: [
            poses(),
            index('slot', SLOTS, 1),
            vectors('targets'),
            options(...['forward', 'up', 'pole', 'offset'].map((name) => vector(name)), weights, vector('shares', 1)),
        ],
    },
    skinVertices: {
        globals: true,
        args: [
            poses(),
            index('skin', 2),
            index('mesh', 1),
            written('outPositions', COUNT * 3),
            written('outNormals', COUNT * 3),
        ],
    },
    bounds: { globals: true, args: [poses(), index('skin', 2), index('mesh', 1), written('out', COUNT * 6)] },
    setLocal: {
        stale: true,
        args: [poses(), index('pose', COUNT), index('slot', SLOTS), list('trs', 10, { finite: true })],
    },
    getLocal: {
        args: [
            poses(),
            index('pose', COUNT),
            index('slot', SLOTS),
            list('trs', 10, { written: true, eachPose: false }),
        ],
    },
    extractRoot: {
        stale: true,
        args: [
            poses(),
            written('out', COUNT * 7),
            options(
                index('slot', SLOTS),
                poses('from', 'other'),
                choice('motion', 'xz+yaw', 'xyz+rotation', 'yaw'),
                choice('inPlace', true, false),
            ),
        ],
    },
    rootDelta: {
        args: [
            list('out', 7, { written: true, eachPose: false }),
            index('clip', 2),
            number('t0'),
            number('t1'),
            options(index('slot', SLOTS), loop),
        ],
    },
};

/** Good arguments of a method, for `count` poses at most. */
const argumentsOf = (method, set, count = COUNT) => CALLS[method].args.map((arg) => arg.make(set, count));

function gone(view) {
    structuredClone(view.buffer, { transfer: [view.buffer] });
    return view;
}

/** Wrong values for one argument: `[what, value]`. */
function* wrongValues(arg, set) {
    const { kind, limit, length, type: Type, finite } = arg;
    if (kind === 'poses') {
        yield* [['undefined'], ['an object', {}], ['an imitation', Object.create(Object.getPrototypeOf(set.poses))]];
        yield ['poses of another rig', set.foreign];
    } else if (kind === 'index') {
        yield* ['name', limit, -1, 0.5].map((value) => [`${value}`, value]);
    } else if (kind === 'number') {
        yield* ['1', Number.NaN, Infinity].map((value) => [`a ${typeof value}: ${value}`, value]);
    } else if (kind === 'vector') {
        const good = new Array(length).fill(0.5);
        yield* [
            ['text', 'text'],
            ['one number less', good.slice(1)],
            ['a text in it', good.with(-1, '1')],
        ];
        yield* [Number.NaN, Infinity, 1e39].map((bad) => [`${bad} in it`, good.with(-1, bad)]);
    } else if (kind === 'choice') {
        yield ['another choice', 'another'];
    } else if (kind === 'options') {
        yield ['text', 'text'];
    } else {
        yield ['an Array', Array.from(new Type(length))];
        yield ['another type', new (Type === Uint8Array ? Int8Array : Uint8Array)(length)];
        yield ['one number less', new Type(length - 1)];
        yield ['memory that is gone', gone(new Type(length))];
        if (finite) yield* [Number.NaN, Infinity].map((bad) => [`${bad} at the end`, new Type(length).fill(bad, -1)]);
        if (limit !== undefined) yield ['a number too large', new Type(length).fill(limit, -1)];
        if (arg.either !== undefined) yield* wrongValues(arg.either, set);
    }
}

/** Every call with one wrong argument: `[what, arguments]`. Properties of options are arguments, too. */
function* wrongCalls(method, set) {
    const { args } = CALLS[method];
    const good = () => argumentsOf(method, set);
    const places = args.flatMap((arg, i) => [
        { ...arg, put: (values, value) => values.with(i, value) },
        ...(arg.properties ?? []).map((property) => ({
            ...property,
            name: `${arg.name}.${property.name}`,
            put: (values, value) => values.with(i, { ...values[i], [property.name]: value }),
        })),
    ]);
    for (const arg of places) {
        for (const [what, value] of wrongValues(arg, set)) yield [`${arg.name}: ${what}`, arg.put(good(), value)];
    }
    const over = (buffer, { length, type: Type }) => new Type(buffer, 0, length);
    const lists = places.filter(({ kind }) => kind === 'list');
    for (const arg of lists) {
        if (args[0].kind !== 'poses') continue;
        yield [`${arg.name}: within the poses`, arg.put(good(), over(set.poses.data.buffer, arg))];
    }
    for (const to of lists.filter(({ written }) => written)) {
        for (const arg of lists.filter((one) => one !== to)) {
            const buffer = new ArrayBuffer(8 * Math.max(to.length, arg.length));
            yield [`${arg.name}: within ${to.name}`, arg.put(to.put(good(), over(buffer, to)), over(buffer, arg))];
        }
    }
}

module.exports = { CALLS, COUNT, PARTS, SLOTS, argumentsOf, wrongCalls };
