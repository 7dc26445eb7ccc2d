// SPDX-License-Identifier: MIT

/** Clips and slots by name, masks from a subtree, and lists of slots from the rig itself. */

import { Rig as BrowserRig } from '../../lib/browser';
import { Rig } from '../../lib/rig';
import { globalsOf, localAt, rested } from './scenes';

//      hips
//     /    \
//  spine   leg
//  /   \
// arm  head
const parts = {
    parents: [-1, 0, 0, 1, 1],
    rest: rested(5).map((x, i) => (i % 10 === 0 ? i / 10 : x)),
    names: ['Hips', 'Spine', 'Leg', 'Arm', 'Head'],
    skins: [{ joints: [4, 0, 3] }],
    clips: ['Walk', 'Run', 'Walk', 'Character|Jump'].map((name) => ({ name, channels: [] })),
};

describe.each([
    ['Node', Rig],
    ['browsers', BrowserRig],
])('the Rig of %s', (_, Class) => {
    const rig = Class.create(parts);

    test('finds clips and slots by name', () => {
        expect([rig.clipNamed('Run'), rig.clipNamed('Character|Jump')]).toEqual([1, 3]);
        expect(rig.slots.map(({ name }) => rig.slotNamed(name))).toEqual([0, 1, 2, 3, 4]);
    });

    test.each([
        ['TypeError', 'ERR_ARGUMENT_TYPE', () => rig.slotNamed(0 as never), 'slotNamed: name must be a string, got 0'],
        ['RangeError', 'ERR_UNKNOWN_NAME', () => rig.clipNamed('run'), "no clip 'run', has 'Walk', 'Run', "],
        ['RangeError', 'ERR_UNKNOWN_NAME', () => Class.create({ parents: [], rest: [] }).slotNamed('a'), 'has none'],
        ['RangeError', 'ERR_AMBIGUOUS_NAME', () => rig.clipNamed('Walk'), "clips 0 and 2 are both called 'Walk'"],
    ])('or throws a %s %s', (name, code, call, message) => {
        expect(call).toThrow(expect.objectContaining({ name, code }));
        expect(call).toThrow(message);
    });

    test('a long list of names is cut to those most similar to the missing one', () => {
        const names = Array.from({ length: 300 }, (_, i) => `Bone.${String(i).padStart(3, '0')}`);
        names[250] = 'Armature|mixamorig:LeftHand';
        const many = Class.create({
            parents: names.map(() => -1),
            rest: rested(names.length),
            names,
        });
        expect(() => many.slotNamed('Bone.01')).toThrow(
            "no slot 'Bone.01', has 'Bone.001', 'Bone.010', 'Bone.011', 'Bone.012', 'Bone.013', 'Bone.014', 'Bone.015', 'Bone.016' and 292 more",
        );
        expect(() => many.slotNamed('lefthand')).toThrow("no slot 'lefthand', has 'Armature|mixamorig:LeftHand', ");
    });

    test('`blend` accepts the mask of a subtree', () => {
        expect(rig.slots.map((_, slot) => [...rig.subtreeMask(slot)])).toEqual([
            [1, 1, 1, 1, 1],
            [0, 1, 0, 1, 1],
            [0, 0, 1, 0, 0],
            [0, 0, 0, 1, 0],
            [0, 0, 0, 0, 1],
        ]);
        const [a, b] = [rig.createPoses(1), rig.createPoses(1)];
        for (const slot of rig.slots.keys()) rig.setLocal(b, 0, slot, Float32Array.of(9, 0, 0, 0, 0, 0, 1, 1, 1, 1));
        rig.blend(a, a, b, 1, { mask: rig.subtreeMask(rig.slotNamed('Spine')) });
        expect(rig.slots.map((_, slot) => localAt(rig, a, 0, slot)[0])).toEqual([0, 9, 2, 9, 9]);
        for (const slot of [-1, 5, 0.5, NaN]) {
            expect(() => rig.subtreeMask(slot)).toThrow(expect.objectContaining({ code: 'ERR_INDEX_RANGE' }));
        }
    });

    test('`joints` and `only` accept the joints of a skin', () => {
        const { joints } = rig.skins[0]!;
        const poses = rig.createPoses(2, { only: joints });
        expect([...poses.slots]).toEqual([0, 1, 3, 4]);
        rig.toGlobal(poses);
        const [wide, narrow] = [new Float32Array(2 * 3 * 12), new Float32Array(2 * 3 * 12)];
        rig.joints(poses, joints, wide);
        rig.joints(poses, Uint16Array.from(joints), narrow);
        expect(wide).toEqual(narrow);
        expect([0, 1, 2].map((k) => wide[k * 12 + 3])).toEqual([5, 0, 4]);
    });
});

test('a list of slots can name those beyond 65,535', () => {
    const count = 65_540;
    const rest = rested(count).map((x, i) => (i % 10 === 0 ? i / 10 : x));
    const rig = Rig.create({ parents: new Int32Array(count).fill(-1), rest });
    const poses = rig.createPoses(1);
    rig.toGlobal(poses);
    expect(globalsOf(rig, poses, [65_539, 3]).map((m) => m[3])).toEqual([65_539, 3]);
});
