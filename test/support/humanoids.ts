// SPDX-License-Identifier: MIT

/** Humanoids made by code: names, axes, units and armatures as different programs write them, and a clip with feet that stand. */

import { GltfBuilder, keyed, type NodeSpec } from './gltf-builder';
import { times } from './joint-reference';
import { random, randomRotation } from './random';

type Q = readonly number[];
type V = readonly [number, number, number];

/** Names by role: of the middle, and of a side. */
export interface Names {
    readonly middle: Readonly<Record<'hips' | 'spine' | 'chest' | 'neck' | 'head', string>>;
    side(side: 'left' | 'right', limb: string): string;
}

const sides = (left: string, right: string) => (side: 'left' | 'right') => (side === 'left' ? left : right);
const named = (middle: readonly string[], side: Names['side']): Names => ({
    middle: { hips: middle[0]!, spine: middle[1]!, chest: middle[2]!, neck: middle[3]!, head: middle[4]! },
    side,
});
const LIMBS = ['shoulder', 'upperArm', 'lowerArm', 'hand', 'upperLeg', 'lowerLeg', 'foot', 'toes'];
const listed = (list: string, make: (name: string, side: 'left' | 'right') => string): Names['side'] => {
    const names = list.split(' ');
    return (side, limb) => make(names[LIMBS.indexOf(limb)]!, side);
};
const lr = sides('l', 'r');
const LR = sides('L', 'R');

/** As in the table of `names by role`; the last has no names at all. */
export const NAMES: Readonly<Record<string, Names>> = {
    mixamo: named(
        ['mixamorig:Hips', 'mixamorig:Spine', 'mixamorig:Spine2', 'mixamorig:Neck', 'mixamorig:Head'],
        listed(
            'Shoulder Arm ForeArm Hand UpLeg Leg Foot ToeBase',
            (name, side) => `mixamorig:${sides('Left', 'Right')(side)}${name}`,
        ),
    ),
    unreal: named(
        ['pelvis', 'spine_01', 'spine_03', 'neck_01', 'head'],
        listed('clavicle upperarm lowerarm hand thigh calf foot ball', (name, side) => `${name}_${lr(side)}`),
    ),
    vroid: named(
        ['J_Bip_C_Hips', 'J_Bip_C_Spine', 'J_Bip_C_Chest', 'J_Bip_C_Neck', 'J_Bip_C_Head'],
        listed(
            'Shoulder UpperArm LowerArm Hand UpperLeg LowerLeg Foot ToeBase',
            (name, side) => `J_Bip_${LR(side)}_${name}`,
        ),
    ),
    rigify: named(
        ['DEF-spine', 'DEF-spine.001', 'DEF-spine.003', 'DEF-spine.004', 'DEF-spine.006'],
        listed('shoulder upper_arm forearm hand thigh shin foot toe', (name, side) => `DEF-${name}.${LR(side)}`),
    ),
    biped: named(
        ['Bip01 Pelvis', 'Bip01 Spine', 'Bip01 Spine2', 'Bip01 Neck', 'Bip01 Head'],
        listed('Clavicle UpperArm Forearm Hand Thigh Calf Foot Toe0', (name, side) => `Bip01 ${LR(side)} ${name}`),
    ),
    quaternius: named(
        ['Hips', 'Abdomen', 'Torso', 'Neck', 'Head'],
        listed('Shoulder UpperArm LowerArm Fist UpperLeg LowerLeg Foot Toes', (name, side) => `${name}.${LR(side)}`),
    ),
    kaykit: named(
        ['hips', 'spine', 'chest', 'neck', 'head'],
        listed('shoulder upperarm lowerarm wrist upperleg lowerleg foot toes', (name, side) => `${name}.${lr(side)}`),
    ),
    arnaud: named(
        ['hips', 'spine', 'spine2', 'neck', 'head'],
        listed(
            'Shoulder Arm ForeArm hand UpLeg Leg Foot ToeBase',
            (name, side) => `${sides('Left', 'Right')(side)}${name}`,
        ),
    ),
    none: named(
        ['b0', 'b1', 'b2', 'b3', 'b4'],
        (side, limb) => `b${5 + LIMBS.indexOf(limb) * 2 + (side === 'left' ? 0 : 1)}`,
    ),
};

export interface HumanoidSpec {
    readonly names?: Names;
    /** Lengths of thigh and shin, distance of a hip joint from the middle, and how far arms hang below a T pose, degrees. */
    readonly thigh?: number;
    readonly shin?: number;
    readonly hip?: number;
    readonly armsDown?: number;
    /** Joints have their own axes, not those of the scene. */
    readonly turnedAxes?: boolean;
    /** Rotation and scale of the armature, which the joints below make up for. */
    readonly armature?: { readonly rotation?: Q; readonly scale?: number };
    /** Rotation of the whole file: it then stands or faces another way. */
    readonly scene?: Q;
    /** Whether nodes rest in another pose than the bind pose, also the hips, and whether these are the topmost joint. */
    readonly posed?: boolean | 'hips';
    /** Feet are below the root, not the shins. */
    readonly looseFeet?: boolean;
    /** A clip of this many seconds whose left foot stands for its first half, and the right one for the second. */
    readonly step?: number;
    /** Morph targets of its mesh: names, and weights at rest. */
    readonly face?: Readonly<Record<string, number>>;
    /** Weights of a clip 'Talk', for the keys at 0, 1, 2 ... s. */
    readonly talk?: readonly (readonly number[])[];
    /** A clip of one second whose hips turn by this angle to both sides above standing feet, degrees. */
    readonly twist?: number;
}

export const about = (axis: 'x' | 'y' | 'z', degrees: number): number[] => {
    const half = (degrees * Math.PI) / 360;
    return [...['x', 'y', 'z'].map((name) => (name === axis ? Math.sin(half) : 0)), Math.cos(half)];
};
const inverse = ([x, y, z, w]: Q) => [-x!, -y!, -z!, w!];
const turned = (q: Q, v: readonly number[]) => times(times(q, [...v, 0]), inverse(q)).slice(0, 3) as unknown as V;
const minus = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** The length of the step of `step`, as a share of the leg. */
export const STRIDE = 0.5;

/** Writes a humanoid, and returns its path. */
export function writeHumanoid(folder: string, name: string, spec: HumanoidSpec = {}): string {
    const { names = NAMES.kaykit!, thigh = 0.45, shin = 0.42, hip = 0.1, armsDown = 0 } = spec;
    const leg = thigh + shin;
    const ankle = 0.08;
    const joints: { name: string; parent: number; at: V }[] = [];
    const put = (joint: string, parent: number, at: V) => joints.push({ name: joint, parent, at }) - 1;
    const root = put('root', -1, [0, 0, 0]);
    const pelvis = put(names.middle.hips, root, [0, ankle + leg + 0.05, 0]);
    const spine = put(names.middle.spine, pelvis, [0, ankle + leg + 0.15, 0]);
    const chest = put(names.middle.chest, spine, [0, ankle + leg + 0.32, 0]);
    const neck = put(names.middle.neck, chest, [0, ankle + leg + 0.55, 0]);
    put(names.middle.head, neck, [0, ankle + leg + 0.65, 0]);
    const down = (armsDown * Math.PI) / 180;
    const leftLeg: number[] = [];
    for (const side of ['left', 'right'] as const) {
        const sign = side === 'left' ? 1 : -1;
        const arm = (along: number): V => [
            sign * (0.18 + along * Math.cos(down)),
            ankle + leg + 0.5 - along * Math.sin(down),
            0,
        ];
        const shoulder = put(names.side(side, 'shoulder'), chest, [sign * 0.04, ankle + leg + 0.5, 0]);
        const upperArm = put(names.side(side, 'upperArm'), shoulder, arm(0));
        const lowerArm = put(names.side(side, 'lowerArm'), upperArm, arm(0.28));
        put(names.side(side, 'hand'), lowerArm, arm(0.54));
        const upperLeg = put(names.side(side, 'upperLeg'), pelvis, [sign * hip, ankle + leg, 0]);
        const lowerLeg = put(names.side(side, 'lowerLeg'), upperLeg, [sign * hip, ankle + shin, 0]);
        const foot = put(names.side(side, 'foot'), spec.looseFeet ? root : lowerLeg, [sign * hip, ankle, 0]);
        put(names.side(side, 'toes'), foot, [sign * hip, 0.02, 0.14]);
        leftLeg.push(upperLeg, lowerLeg, foot);
    }
    const next = random(7);
    const axes = joints.map(({ parent }) => (spec.turnedAxes && parent >= 0 ? randomRotation(next) : [0, 0, 0, 1]));
    const { rotation = [0, 0, 0, 1], scale = 1 } = spec.armature ?? {};
    const posed = joints.map((_, index) =>
        spec.posed && index > (spec.posed === 'hips' ? 0 : 1) ? about('x', ((index * 37) % 50) - 25) : [0, 0, 0, 1],
    );
    const above = (parent: number) => (parent < 0 ? inverse(rotation) : axes[parent]!);
    /** The local rotation of a joint that has turned by `turn` in the axes of the scene, relative to its parent. */
    const local = (index: number, turn: Q) => {
        const { parent } = joints[index]!;
        const before = parent < 0 ? inverse(rotation) : inverse(axes[parent]!);
        return times(times(before, turn), axes[index]!);
    };
    const place = (index: number, at: V): number[] => {
        const { parent } = joints[index]!;
        const way = parent < 0 ? at : minus(at, joints[parent]!.at);
        return [...turned(parent < 0 ? inverse(rotation) : inverse(above(parent)), way)].map((x) => x / scale);
    };
    const nodes: NodeSpec[] = joints.map(({ name: joint, at }, index) => ({
        name: joint,
        children: joints.flatMap(({ parent }, child) => (parent === index ? [child] : [])),
        translation: place(index, at),
        rotation: local(index, posed[index]!),
    }));
    const armature =
        nodes.push({ name: 'Armature', children: [root], rotation: [...rotation], scale: [scale, scale, scale] }) - 1;
    if (spec.scene !== undefined) nodes.push({ name: 'Scene', children: [armature], rotation: [...spec.scene] });
    const builder = new GltfBuilder(nodes);
    const inverseBindMatrices = joints.map(({ at }, index) => {
        const back = inverse(axes[index]!);
        const columns = [[1, 0, 0], [0, 1, 0], [0, 0, 1], at.map((x) => -x)].map((column) => turned(back, column));
        return columns.flatMap((column, c) => [...column.map((x) => x / scale), c === 3 ? 1 : 0]);
    });
    // A topmost joint at rest in the bind pose would place the skeleton.
    const first = spec.posed === 'hips' ? pelvis : root;
    const skinned = [...joints.keys()].slice(first);
    const skin = builder.skin(skinned, { inverseBindMatrices: inverseBindMatrices.slice(first) });
    const mesh = builder.skinnedMesh(skin, { name: 'Face' }, Object.values(spec.face ?? {}));
    if (spec.face !== undefined) builder.file.json.meshes[0].extras = { targetNames: Object.keys(spec.face) };
    if (spec.talk !== undefined) {
        builder.animation('Talk', [keyed(mesh, 'weights', [...spec.talk.keys()], ...spec.talk)]);
    }
    if (spec.step !== undefined) builder.animation('Step', stepOf(spec.step));
    if (spec.twist !== undefined) builder.animation('Twist', twistOf(spec.twist));
    return builder.write(folder, name);

    /** The angles opposite the third side of a triangle. */
    function cosine(a: number, b: number, c: number): number {
        return Math.acos((a * a + b * b - c * c) / (2 * a * b));
    }

    function twistOf(most: number) {
        const at = Array.from({ length: 61 }, (_, i) => i / 60);
        const turns = at.map((time) => about('y', most * Math.sin(2 * Math.PI * time)));
        const drop = 0.05 * leg;
        const place0: V = [0, joints[pelvis]!.at[1] - drop, 0];
        const channels = [
            keyed(pelvis, 'translation', [0], place(pelvis, place0)),
            keyed(pelvis, 'rotation', at, ...turns.map((turn) => local(pelvis, turn))),
        ];
        for (const offset of [0, 3]) {
            const [upper, lower, foot] = leftLeg.slice(offset, offset + 3) as [number, number, number];
            const poses = turns.map((turn) => {
                const from = turned(turn, minus(joints[upper]!.at, joints[pelvis]!.at));
                const way = minus(joints[foot]!.at, from.map((x, c) => x + place0[c]!) as unknown as V);
                const far = Math.hypot(...way);
                const [x, y, z] = way.map((part) => part / far) as unknown as V;
                // From straight down to the way.
                const half = Math.hypot(z, x, 1 - y);
                const lean = [-z / half, 0, x / half, (1 - y) / half];
                const hipAngle = (-cosine(thigh, far, shin) * 180) / Math.PI;
                const kneeAngle = 180 - (cosine(thigh, shin, far) * 180) / Math.PI;
                const [thighs, shins] = [about('x', hipAngle), about('x', hipAngle + kneeAngle)].map((bend) =>
                    times(lean, bend),
                ) as [number[], number[]];
                return [times(inverse(turn), thighs), times(inverse(thighs), shins), inverse(shins)];
            });
            for (const [i, joint] of [upper, lower, foot].entries())
                channels.push(keyed(joint, 'rotation', at, ...poses.map((pose) => local(joint, pose[i]!))));
        }
        return channels;
    }

    function stepOf(seconds: number) {
        const count = Math.round(seconds * 30);
        const at = Array.from({ length: count + 1 }, (_, i) => i / 30);
        const path = at.map((time) => {
            const share = time / seconds;
            const moved = STRIDE * leg * share;
            // The left foot stays at 0, then swings; the right foot swings first, then stays.
            const swing = (s: number) => 3 * s * s - 2 * s * s * s;
            const [first, second] = [Math.min(share * 2, 1), Math.max(share * 2 - 1, 0)];
            const lift = (s: number) => 0.15 * leg * Math.sin(Math.PI * s);
            const feet = [
                { z: STRIDE * leg * swing(second), y: ankle + lift(second) },
                { z: STRIDE * leg * swing(first), y: ankle + lift(first) },
            ];
            return { moved, feet };
        });
        const drop = 0.12 * leg;
        const channels = [
            keyed(
                pelvis,
                'translation',
                at,
                ...path.map(({ moved }) => place(pelvis, [0, joints[pelvis]!.at[1] - drop, moved])),
            ),
        ];
        for (const [which, offset] of [0, 3].entries()) {
            const [upper, lower, foot] = leftLeg.slice(offset, offset + 3) as [number, number, number];
            const angles = path.map(({ moved, feet }) => {
                const { z, y } = feet[which]!;
                const [dz, dy] = [z - moved, ankle + leg - drop - y];
                const far = Math.hypot(dz, dy);
                const lean = Math.atan2(-dz, dy);
                const hipAngle = lean - cosine(thigh, far, shin);
                const kneeAngle = Math.PI - cosine(thigh, shin, far);
                return [hipAngle, kneeAngle, -hipAngle - kneeAngle].map((angle) => (angle * 180) / Math.PI);
            });
            for (const [i, joint] of [upper, lower, foot].entries())
                channels.push(
                    keyed(joint, 'rotation', at, ...angles.map((degrees) => local(joint, about('x', degrees[i]!)))),
                );
        }
        return channels;
    }
}
