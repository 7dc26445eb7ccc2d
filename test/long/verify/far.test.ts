// SPDX-License-Identifier: MIT

/** verify confirms right bakes and finds faults at any distance of a clip, where float32 is less precise. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BakeOptions } from '../../../lib/bake';
import { type Verification, verifyBake } from '../../../lib/verify';
import { GltfBuilder, type LooseJson, lift } from '../../gltf/support/builder';
import { random as randomOf } from '../../support/random';
import { rounds } from '../../support/rounds';
import { scratchFolder } from '../../support/temporary-folder';
import { copyOf, fullBake } from '../../verify/full-bake';

const folder = scratchFolder();
const DISTANCES = [0, 100, 1e5];
const JOINTS = 10;
const KEYS = 21;
const EMIT = ['palette', 'hit', 'local', 'bounds', 'root'] as const;

interface Walk {
    readonly distance: number;
    readonly interpolation?: 'LINEAR' | 'CUBICSPLINE';
    /** The place of the armature at rest, throughout. */
    readonly stand?: number;
    /** Whether the armature turns, which rotates the whole walk. */
    readonly swings?: boolean;
    readonly seed?: number;
}

/** A chain of joints, 1.8 m high, under an armature: it bends at random and walks as far as `distance`. */
function walker({ distance, interpolation = 'LINEAR', stand = 0, swings = false, seed = 7 }: Walk): string {
    const random = randomOf(seed);
    const builder = new GltfBuilder();
    const { json } = builder;
    json.nodes.push({ name: 'armature', children: [1], translation: [stand, 0, 0] });
    for (let joint = 0; joint < JOINTS; joint++) {
        const children = joint < JOINTS - 1 ? { children: [joint + 2] } : {};
        json.nodes.push({ name: `joint ${joint}`, translation: [0, joint === 0 ? 0 : 0.18, 0], ...children });
    }
    json.nodes.push({ mesh: 0, skin: 0 });
    /** An accessor of floats: `count` elements, which `make` makes. */
    const floats = (type: string, count: number, make: (i: number) => readonly number[]) => {
        const elements = Array.from({ length: count }, (_, i) => make(i));
        return builder.accessor(Float32Array.from(elements.flat()), type);
    };
    const joints = Array.from({ length: JOINTS }, (_, joint) => joint + 1);
    json.skins.push({ joints, inverseBindMatrices: floats('MAT4', JOINTS, (joint) => lift(joint * -0.18)) });
    const aside = () => 0.3 * (random() - 0.5);
    const POSITION = floats('VEC3', 30, (v) => [aside(), (v % JOINTS) * 0.18 + aside(), aside()]);
    const slots = Array.from({ length: 30 }, (_, v) => [v % JOINTS, (v + 1) % JOINTS, 0, 0]);
    const JOINTS_0 = builder.accessor(Uint8Array.from(slots.flat()), 'VEC4');
    const WEIGHTS_0 = floats('VEC4', 30, () => [0.75, 0.25, 0, 0]);
    json.meshes.push({ primitives: [{ attributes: { POSITION, JOINTS_0, WEIGHTS_0 } }] });

    const samplers: LooseJson[] = [];
    const channels: LooseJson[] = [];
    const input = floats('SCALAR', KEYS, (key) => [key * 0.17]);
    const move = (node: number, path: string, output: number, how: string) => {
        channels.push({ sampler: samplers.length, target: { node, path } });
        samplers.push({ input, output, interpolation: how });
    };
    const pace = [(0.8 * distance) / (KEYS - 1), 0, (-0.6 * distance) / (KEYS - 1)];
    const tangent = pace.map((x) => x / 0.17);
    const parts = (place: number[]) => (interpolation === 'LINEAR' ? [place] : [tangent, place, tangent]);
    const steps = Array.from({ length: KEYS }, (_, key) => parts(pace.map((x) => x * key + 0.1 * aside()))).flat();
    move(
        1,
        'translation',
        floats('VEC3', steps.length, (i) => steps[i]!),
        interpolation,
    );
    for (const node of [...(swings ? [0] : []), ...joints]) {
        const turn = () => {
            const q = [aside(), aside(), aside(), 0.3];
            return q.map((x) => x / Math.hypot(...q));
        };
        move(node, 'rotation', floats('VEC4', KEYS, turn), 'LINEAR');
    }
    json.animations.push({ name: 'walk', samplers, channels });
    json.scenes = [{ nodes: [0, JOINTS + 1] }];
    const path = join(folder(), `walk-${distance}-${interpolation}-${stand}-${swings}-${seed}.glb`);
    writeFileSync(path, builder.toGlb());
    return path;
}

const baked = (input: string, options: BakeOptions = {}) => fullBake(input, { emit: EMIT, ...options });

const wrongArrays = ({ clips }: Verification) => clips[0]!.arrays.filter(({ ok }) => !ok).map(({ array }) => array);
/** The distance between adjacent float32 of this size. */
const spacing = (size: number) => 2 ** (Math.floor(Math.log2(Math.max(size, 1))) - 23);

describe.each(DISTANCES)('a walk to %d m', (distance) => {
    test.each<[string, Walk, BakeOptions]>([
        ['LINEAR', { distance }, {}],
        ['CUBICSPLINE', { distance, interpolation: 'CUBICSPLINE' }, { layout: 'mat3x4' }],
        ['an armature that swings', { distance, swings: true }, {}],
        ['in the space of the skin', { distance, swings: true }, { space: 'skin-root' }],
        ['in the space of a skin that is far at rest', { distance: 1, stand: distance }, { space: 'skin-root' }],
        ['no palette', { distance }, { emit: ['bounds', 'hit'] }],
        ['in place', { distance, interpolation: 'CUBICSPLINE' }, { root: 'extract' }],
        ['in place, all of it', { distance, swings: true }, { root: 'extract', rootMotion: 'xyz+rotation' }],
        ['in place, starting far away', { distance, swings: true, stand: distance }, { root: 'extract' }],
        ['in place, in the space of the skin', { distance }, { root: 'extract', space: 'skin-root' }],
    ])('is proved: %s', async (_, walk, options) => {
        const input = walker(walk);
        const bake = await baked(input, options);
        const result = await verifyBake(input, bake.write(folder()));
        expect(result.problems).toEqual([]);
        expect(wrongArrays(result)).toEqual([]);
        const tolerances = result.clips[0]!.arrays.map(({ tolerance }) => tolerance);
        expect(Math.min(...tolerances)).toBeGreaterThanOrEqual(1e-5);
        // Near the origin the tolerance stays the same.
        if (distance === 0) expect(Math.max(...tolerances)).toBe(1e-5);
    });

    test('in half floats is within the error of the manifest, or too far for them', async () => {
        const input = walker({ distance });
        const bake = baked(input, { dtype: 'f16', maxError: 0.01 + distance / 500 });
        if (distance > 65504) return expect(bake).rejects.toThrow(/beyond half floats/);
        const result = await verifyBake(input, (await bake).write(folder()));
        expect(result).toMatchObject({ ok: true, problems: [] });
    });

    // For each array: the index of an x in a row, and the length of a row.
    test.each([
        ['palette', JOINTS * 16, 5 * 16 + 12],
        ['hit', JOINTS * 12, 5 * 12 + 3],
        ['local', (JOINTS + 1) * 10, 10],
        ['bounds', 6, 3],
        ['root', 7, 0],
    ])('a fault of %s is found at both ends, one of some steps of float32', async (array, width, at) => {
        const input = walker({ distance });
        const bake = await baked(input);
        const { frameCount } = bake.manifest.clips[0];
        for (const [frame, size] of [
            [0, 0],
            [frameCount - 1, distance],
        ] as const) {
            const copy = copyOf(bake);
            const fault = 3e-5 * copy.manifest.extent + (size > 10 ? 64 * spacing(size) : 0);
            copy.set(array, frame * width + at, copy.at(array, frame * width + at) + fault);
            const result = await verifyBake(input, copy.write(folder()));
            expect(wrongArrays(result)).toEqual([array]);
            expect(result.clips[0]!.arrays.find(({ ok }) => !ok)).toMatchObject({ frame });
            expect(result.worst).toMatchObject({ array, frame });
        }
    });

    test('finds faults of errors, boxes and `loop`', async () => {
        const input = walker({ distance });
        const bake = await baked(input);
        const [described] = bake.manifest.clips;
        described.bounds[3] += 3e-5 * bake.manifest.extent + 64 * spacing(distance);
        described.loop = !described.loop;
        described.error.maxLerp *= 1.1;
        described.error.maxNearestShare *= 1.1;
        const { problems } = await verifyBake(input, bake.write(folder()));
        // Here the error of float32 exceeds that of interpolation, whose stated error can then be wrong by a tenth.
        const lerp = described.error.maxLerp > 50 * spacing(distance) ? ['/clips/0/error/maxLerp'] : [];
        expect(problems.map(({ pointer }) => pointer)).toEqual([
            '/clips/0/bounds/3',
            ...lerp,
            '/clips/0/error/maxNearestShare',
            '/clips/0/loop',
        ]);
    });
});

test('confirms walks of any kind and length', async () => {
    for (let seed = 0; seed < rounds(6); seed++) {
        const random = randomOf(seed);
        const distance = 10 ** (6 * random());
        const stand = random() < 0.5 ? 0 : 10 ** (6 * random());
        const interpolation = random() < 0.5 ? 'LINEAR' : 'CUBICSPLINE';
        const input = walker({ distance, stand, interpolation, swings: random() < 0.5, seed });
        const bake = await baked(input, {
            space: random() < 0.5 ? 'scene' : 'skin-root',
            fps: 7 + Math.floor(20 * random()),
            root: random() < 0.5 ? 'keep' : 'extract',
        });
        const result = await verifyBake(input, bake.write(folder()));
        expect({ seed, problems: result.problems, wrong: wrongArrays(result) }).toEqual({
            seed,
            problems: [],
            wrong: [],
        });
    }
});
