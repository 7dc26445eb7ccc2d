// SPDX-License-Identifier: MIT

/** Root motion extracted from poses: pose = motion x pose in place, with the motion that docs/format.md defines. */

import type { GltfScene } from '../../../lib/gltf/scene';
import { typescriptRig } from '../../../lib/rig/kernels';
import type { RigImplementation } from '../../../lib/rig/kernels/table';
import type { Poses } from '../../../lib/rig/poses';
import { Rig } from '../../../lib/rig/rig';
import { compose, fromMat3x4, globalOf, localOf, type Matrix, multiply } from '../../rig/double-reference';
import { describeRigs } from '../../rig/native-tiers';
import { channel, globalsOf as globals3x4, localAt, node, refusal, scene, skin } from '../../rig/scenes';
import { bytesOf } from '../../support/bytes';
import { times } from '../../support/joint-reference';
import { random as randomOf, randomRotation, randomVector } from '../../support/random';

const PARTS = ['xz+yaw', 'xyz+rotation', 'yaw'] as const;
type Parts = (typeof PARTS)[number];
const TIMES = [0, 0.4, 0.9, 1.3, 2];

/** A rotation about y by `turns`. */
const turned = (turns: number) => [0, Math.sin(turns * Math.PI), 0, Math.cos(turns * Math.PI)];

/** A walk that turns by half a round and more, below nodes that are given; hips, a hand, a foot; and a stone beside them. */
function walker(above: Parameters<typeof node>[1][], seed = 1): { scene: GltfScene; hips: number } {
    const random = randomOf(seed);
    const hips = above.length;
    const nodes = [
        ...above.map((changes, i) => node(i - 1, changes)),
        node(hips - 1, { scale: [2, 3, 0.5] }),
        node(hips, { translation: [0.2, 0.7, 0] }),
        node(hips + 1, { translation: [0, -0.9, 0.1], scale: [1, -1, 1] }),
        node(-1, { translation: [4, 0, 1] }),
    ];
    const moved = (target: number, path: 'translation' | 'rotation', values: (time: number) => number[]) =>
        channel(target, path, 'LINEAR', TIMES, TIMES.flatMap(values));
    const channels = [
        moved(hips, 'translation', (t) => [3 * t + 1, 1 + 0.1 * t * t, -2 * t]),
        moved(hips, 'rotation', (t) => times(turned(t * 0.35), [0.1, 0, 0, Math.sqrt(0.99)])),
        moved(hips + 1, 'rotation', () => randomRotation(random)),
        moved(hips + 3, 'rotation', () => randomRotation(random)),
    ];
    const joints = [hips, hips + 1, hips + 2, hips + 3];
    return { scene: scene(nodes, [skin(joints)], [{ name: 'walk', channels }]), hips };
}

const matrixOf = (tr: ArrayLike<number>, at = 0): Matrix =>
    compose([tr[at]!, tr[at + 1]!, tr[at + 2]!], [tr[at + 3]!, tr[at + 4]!, tr[at + 5]!, tr[at + 6]!], [1, 1, 1]);

/** The definition in doubles, by matrices and angles. */
function expectedMotion(s: GltfScene, hips: number, time: number, parts: Parts): Matrix {
    const frameOf = (t: number) => {
        const { parent, matrix } = s.nodes[hips]!;
        const trs = localOf(s, s.animations[0]!, hips, t);
        const own = matrix ? [...matrix] : compose(trs.slice(0, 3), trs.slice(3, 7), [1, 1, 1]);
        const m = parent < 0 ? own : multiply(globalOf(s, s.animations[0]!, parent, t), own);
        const size = (v: number[]) => v.map((x) => x / Math.hypot(...v));
        const x = size(m.slice(0, 3));
        const dot = x.reduce((sum, value, c) => sum + value * m[4 + c]!, 0);
        const y = size(x.map((value, c) => m[4 + c]! - dot * value));
        const z = [x[1]! * y[2]! - x[2]! * y[1]!, x[2]! * y[0]! - x[0]! * y[2]!, x[0]! * y[1]! - x[1]! * y[0]!];
        return { rotation: [...x, 0, ...y, 0, ...z, 0, 0, 0, 0, 1], place: m.slice(12, 15) };
    };
    const [first, now] = [frameOf(0), frameOf(time)];
    const transposed = first.rotation.map((_, i) => first.rotation[(i % 4) * 4 + Math.floor(i / 4)]!);
    let turn = multiply(now.rotation, transposed);
    if (parts !== 'xyz+rotation') {
        const yaw = Math.atan2(turn[8]! - turn[2]!, turn[0]! + turn[10]!);
        turn = compose([0, 0, 0], [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)], [1, 1, 1]);
    }
    const from = multiply(turn, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...first.place, 1]).slice(12, 15);
    const counts = { 'xz+yaw': [1, 0, 1], 'xyz+rotation': [1, 1, 1], yaw: [0, 0, 0] }[parts];
    const shift = now.place.map((x, c) => (x - from[c]!) * counts[c]!);
    return [...turn.slice(0, 12), ...shift, 1];
}

/** Globals as matrices, of every slot. */
function globalsOf(rig: Rig, poses: Poses): Matrix[] {
    rig.toGlobal(poses);
    return globals3x4(rig, poses).map((m) => fromMat3x4(m));
}

const worst = (a: readonly number[], b: readonly number[]) => Math.max(...a.map((x, i) => Math.abs(x - b[i]!)));

/** Nodes above the hips. The third and fourth have a matrix at the top. */
const ABOVE: Record<string, Parameters<typeof node>[1][]> = {
    'at the top': [],
    'under a turned and scaled armature': [{ rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2], scale: [0.5, 0.5, 0.5] }],
    'under a mirrored one of unequal scale': [{ scale: [-1, 2, 1.5], translation: [1, 2, 3] }],
    'under a matrix': [{ matrix: [2, 0, 0, 0, 0, 0, -2, 0, 0, 2, 0, 0, 5, 6, 7, 1] }, {}],
    'under a mirroring matrix, and one below': [
        { matrix: [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1] },
        { matrix: [0, 0, 3, 0, 0, 3, 0, 0, -3, 0, 0, 0, 0, 1, 0, 1] },
    ],
};

describe.each(Object.entries(ABOVE))('a walk %s', (_, above) => {
    const { scene: s, hips } = walker(above);
    const rig = new Rig(s);
    const slot = rig.slotOf(hips);
    const count = 21;
    const seconds = Float64Array.from({ length: count }, (_, i) => (i / 20) * 2);
    const from = rig.createPoses(1, { only: [slot] });
    rig.evaluate(from, 0, Float64Array.of(0));
    const motions = new Float32Array(count * 7);
    const evaluated = () => {
        const poses = rig.createPoses(count + 3);
        poses.count = count;
        rig.evaluate(poses, 0, seconds);
        return poses;
    };

    test.each(PARTS)('%s: as defined; the motion times the poses in place gives the poses', (motion) => {
        const poses = evaluated();
        const before = globalsOf(rig, poses);
        rig.extractRoot(poses, motions, { slot, from, motion });
        const after = globalsOf(rig, poses);
        expect([...motions.subarray(0, 7)]).toEqual([0, 0, 0, 0, 0, 0, 1]);
        let travelled = 0;
        const still = new Set(rig.slots.flatMap(({ hasMatrix }, i) => (hasMatrix ? [i] : [])));
        for (const [pose, time] of seconds.entries()) {
            const m = matrixOf(motions, pose * 7);
            expect(worst(m, expectedMotion(s, hips, time, motion))).toBeLessThan(2e-6);
            travelled = Math.max(travelled, Math.hypot(m[12]!, m[13]!, m[14]!));
            for (let i = 0; i < rig.slots.length; i++) {
                const at = pose * rig.slots.length + i;
                if (still.has(i)) continue;
                const size = Math.max(1, ...before[at]!.map(Math.abs));
                expect(worst(multiply(m, after[at]!), before[at]!)).toBeLessThan(1e-6 * size);
            }
            // The extracted part of its motion is gone.
            const place = after[pose * rig.slots.length + slot]!.slice(12, 15);
            const counted = { 'xz+yaw': [0, 2], 'xyz+rotation': [0, 1, 2], yaw: [] }[motion];
            for (const c of counted) expect(Math.abs(place[c]! - before[slot]![12 + c]!)).toBeLessThan(5e-6);
        }
        if (motion === 'yaw') expect(travelled).toBe(0);
        else expect(travelled).toBeGreaterThan(2);
    });

    test('inPlace false: the same motion, and nothing else is written', () => {
        const poses = evaluated();
        rig.toGlobal(poses);
        const before = bytesOf(poses.data);
        const other = new Float32Array(count * 7);
        rig.extractRoot(poses, other, { slot, from, inPlace: false });
        expect(Buffer.compare(bytesOf(poses.data), before)).toBe(0);
        rig.palettes(poses, 0, new Float32Array(count * 64)); // globals are not stale
        rig.extractRoot(poses, motions, { slot, from });
        expect([...other]).toEqual([...motions]);
        expect(() => rig.palettes(poses, 0, new Float32Array(count * 64))).toThrow(/needs toGlobal/);
    });

    /** The motions and then all locals. */
    function extracted(implementation: RigImplementation): number[] {
        const own = new Rig(s, undefined, implementation);
        const start = own.createPoses(1);
        own.evaluate(start, 0, Float64Array.of(0));
        const poses = own.createPoses(40, { only: own.skins[0]!.joints });
        own.evaluate(poses, 0, new Float64Array(40).fill(1.7));
        const beyond = localAt(own, poses, 39, slot);
        poses.count = count;
        own.evaluate(poses, 0, seconds);
        const out = new Float32Array(count * 7 + 1).fill(8);
        own.extractRoot(poses, out, { slot, from: start });
        expect(out[count * 7]).toBe(8);
        const moving = [...own.slots.keys()].filter((i) => !own.slots[i]!.hasMatrix);
        const locals = Array.from({ length: count }, (_, pose) => moving.flatMap((i) => localAt(own, poses, pose, i)));
        poses.count = 40;
        expect(localAt(own, poses, 39, slot)).toEqual(beyond);
        return [...out, ...locals.flat()];
    }

    describeRigs((implementation) => {
        test('the bits of TypeScript in any capacity, lanes beyond the count stay', () => {
            expect(extracted(implementation)).toEqual(extracted(typescriptRig));
        });
    });
});

test('one reference for each pose, of poses that were blended', () => {
    const { scene: s, hips } = walker([]);
    const rig = new Rig(s);
    const slot = rig.slotOf(hips);
    const [poses, other, from] = [rig.createPoses(3), rig.createPoses(3), rig.createPoses(3, { only: [slot] })];
    rig.evaluate(poses, 0, Float64Array.of(0.3, 1, 1.5));
    rig.evaluate(other, 0, Float64Array.of(1.9, 0, 1.5));
    rig.blend(poses, poses, other, 0.25);
    rig.evaluate(from, 0, Float64Array.of(0, 1, 1.5));
    const out = new Float32Array(21);
    rig.extractRoot(poses, out, { slot, from, motion: 'xyz+rotation', inPlace: false });
    for (let pose = 0; pose < 3; pose++) {
        const one = rig.createPoses(1, { only: [slot] });
        rig.setLocal(one, 0, slot, rig.getLocal(from, pose, slot, new Float32Array(10)));
        const alone = new Float32Array(21);
        rig.extractRoot(poses, alone, { slot, from: one, motion: 'xyz+rotation', inPlace: false });
        expect(alone.subarray(pose * 7, pose * 7 + 7)).toEqual(out.subarray(pose * 7, pose * 7 + 7));
    }
    expect([...out.subarray(14)]).toEqual([0, 0, 0, 0, 0, 0, 1]);
    expect(Math.abs(out[0]!)).toBeGreaterThan(0.5);
});

test('half turns, rotations of the other sign, a joint that is upside down, one of no size', () => {
    const rig = new Rig(scene([node(-1)], [skin([0])], [{ name: '', channels: [] }]));
    const from = rig.createPoses(1);
    const poses = rig.createPoses(1);
    const motionOf = (place: number[], rotation: number[], scale = [1, 1, 1]) => {
        rig.setLocal(poses, 0, 0, Float32Array.of(...place, ...rotation, ...scale));
        return [...rig.extractRoot(poses, new Float32Array(7), { slot: 0, from, inPlace: false })];
    };
    expect(motionOf([1, 2, 3], [0, 1, 0, 0])).toEqual([1, 0, 3, 0, 1, 0, 0]);
    expect(motionOf([1, 2, 3], [0, -1, 0, 0]).map(Math.abs)).toEqual([1, 0, 3, 0, 1, 0, 0]);
    expect(motionOf([0, 0, 0], [0, 0.6, 0, -0.8].map(Math.fround))).toEqual(
        [0, 0, 0, 0, -0.6, 0, 0.8].map((x) => expect.closeTo(x, 6)),
    );
    expect(motionOf([1, 2, 3], [1, 0, 0, 0])).toEqual([1, 0, 3, 0, 0, 0, 1]);
    expect(motionOf([1, 2, 3], [0, Math.SQRT1_2, 0, Math.SQRT1_2], [0, 0, 0])).toEqual(
        [1, 0, 3, 0, Math.SQRT1_2, 0, Math.SQRT1_2].map((x) => expect.closeTo(x, 6)),
    );
});

describe('poses that cannot be in place are rejected, with the node', () => {
    const sheared = { name: 'Z_UP', matrix: [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] };
    const rigOf = (above: Parameters<typeof node>[1][], joints: number[]) =>
        new Rig(scene([node(-1, above[0]), node(0), node(1)], [skin(joints)], [{ name: '', channels: [] }]));
    const extract = (rig: Rig, inPlace: boolean) => {
        const [poses, from] = [rig.createPoses(2), rig.createPoses(1)];
        const before = bytesOf(poses.data);
        const out = new Float32Array(14).fill(7);
        const call = () => rig.extractRoot(poses, out, { slot: 2, from, inPlace });
        return { call, unchanged: () => Buffer.compare(bytesOf(poses.data), before) === 0 && out[0] === 7 };
    };

    test.each<[string, Rig]>([
        ['shear above', rigOf([sheared], [1])],
        [
            'a joint with a matrix at the top',
            rigOf([{ name: 'Z_UP', matrix: ABOVE['under a matrix']![0]!.matrix! }], [0, 1]),
        ],
        ['no size', rigOf([{ name: 'Z_UP', matrix: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] }], [1])],
    ])('%s', (_, rig) => {
        const { call, unchanged } = extract(rig, true);
        expect(call).toThrow(
            refusal('ERR_MATRIX_SLOT', /^extractRoot: the matrix of slot 0 \(node 0, 'Z_UP'\) is constant: /),
        );
        expect(unchanged()).toBe(true);
        expect(extract(rig, false).call).not.toThrow();
    });

    test('but not below one that has it', () => {
        const rig = new Rig(scene([node(-1), node(0, sheared)], [skin([0, 1])], [{ name: '', channels: [] }]));
        expect(() =>
            rig.extractRoot(rig.createPoses(2), new Float32Array(14), { slot: 1, from: rig.createPoses(1) }),
        ).not.toThrow();
    });
});

test('random rigs: a chain of any scale above, the stone beside it too', () => {
    const random = randomOf(7);
    for (let i = 0; i < 20; i++) {
        const above = Array.from({ length: i % 4 }, () => ({
            rotation: randomRotation(random),
            translation: randomVector(random, 2),
            scale: randomVector(random, 2).map((x) => x + 0.25),
        }));
        const { scene: s, hips } = walker(above, i);
        const rig = new Rig(s);
        const slot = rig.slotOf(hips);
        const [poses, from] = [rig.createPoses(1), rig.createPoses(1)];
        rig.evaluate(from, 0, Float64Array.of(0));
        rig.evaluate(poses, 0, Float64Array.of(1.1));
        const before = globalsOf(rig, poses);
        const motion = PARTS[i % 2]!;
        const out = rig.extractRoot(poses, new Float32Array(7), { slot, from, motion });
        const expected = expectedMotion(s, hips, 1.1, motion);
        expect(worst(matrixOf(out), expected)).toBeLessThan(2e-5);
        for (const [k, m] of globalsOf(rig, poses).entries()) {
            const size = Math.max(1, ...before[k]!.map(Math.abs));
            expect(worst(multiply(matrixOf(out), m), before[k]!)).toBeLessThan(2e-6 * size);
        }
    }
});
