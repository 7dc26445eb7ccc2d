// SPDX-License-Identifier: MIT

import { clipWriter, createDocument } from '../document';
import { writeConverted } from '../write-glb';
import { type BvhJoint, parseBvh } from './parse';
import { multiply, type Quat, rotate, turnAbout } from './turns';

/** Poses that are looked at for the height and the axis that points up. */
const LOOKED_AT = 16;

const NO_TURN: Quat = [0, 0, 0, 1];
/** From Z up to Y up. */
const TURN = turnAbout(0, -90);

interface Pose {
    readonly translation: readonly number[];
    readonly rotation: Quat;
}

/**
 * Converts a BVH file to GLB: nodes, and a clip with a key for each frame. Lengths become meters, and Y points up.
 * Rotations apply in the order of the channels. Positions replace the offset.
 *
 * @param stem Name of the clip.
 * @param scale Meters of a unit of the file. Undefined: guessed from the height.
 * @throws InputError `SOURCE_INVALID` with the line of the first fault.
 */
export async function convertBvh(file: string, bytes: Uint8Array, stem: string, scale?: number): Promise<Uint8Array> {
    const core = await import('@gltf-transform/core');
    const bvh = parseBvh(file, new TextDecoder().decode(bytes));
    const { joints, frames, frameTime } = bvh;
    let width = 0;
    const starts = joints.map(({ channels }) => {
        const start = width;
        width += channels.length;
        return start;
    });
    const poseAt = (frame: Float64Array) => joints.map((joint, i) => poseOf(joint, frame, starts[i]!));
    const poses = frames.length === 0 ? [restOf(joints)] : everyFew(frames).map(poseAt);
    const placed = poses.map((pose) => placesOf(joints, pose));
    const up = upOf(joints, placed);
    const height = Math.max(...placed.map((points) => spanOf(points.map((point) => point[up]!))));
    const guess = unitOf(height);
    const unit = scale ?? guess.meters;

    const document = createDocument(core);
    const scene = document.getRoot().getDefaultScene()!;
    const turned = (joint: BvhJoint, { translation, rotation }: Pose): Pose => {
        const isTurned = joint.parent < 0 && up === 2;
        const [x, y, z] = isTurned ? rotate(TURN, translation) : translation;
        return {
            translation: [x! * unit, y! * unit, z! * unit],
            rotation: isTurned ? multiply(TURN, rotation) : rotation,
        };
    };
    const nodes = joints.map((joint) => document.createNode(joint.name));
    for (const [i, joint] of joints.entries()) {
        const { translation, rotation } = turned(joint, { translation: joint.offset, rotation: NO_TURN });
        nodes[i]!.setTranslation([translation[0]!, translation[1]!, translation[2]!]).setRotation([...rotation]);
        if (joint.parent < 0) scene.addChild(nodes[i]!);
        else nodes[joint.parent]!.addChild(nodes[i]!);
        if (joint.end === null) continue;
        const [x, y, z] = joint.end;
        nodes[i]!.addChild(document.createNode(`${joint.name}_end`).setTranslation([x * unit, y * unit, z * unit]));
    }
    const times = frames.map((_, i) => i * frameTime);
    const animation = document.createAnimation(stem);
    const add = clipWriter(document, animation);
    for (const [i, joint] of joints.entries()) {
        if (joint.channels.length === 0 || frames.length === 0) continue;
        // One joint at a time: all poses of a long capture do not fit in memory.
        const own = frames.map((frame) => turned(joint, poseOf(joint, frame, starts[i]!)));
        const keys = (values: readonly (readonly number[])[]) => {
            const isStill = values.every((value) => value.every((x, c) => x === values[0]![c]));
            return isStill && i > 0 ? { times: [0], values: values[0]! } : { times, values: values.flat() };
        };
        if (joint.channels.some((channel) => channel < 3))
            add(nodes[i]!, 'translation', keys(own.map((one) => one.translation)));
        if (joint.channels.some((channel) => channel > 2)) add(nodes[i]!, 'rotation', keys(inOneHemisphere(own)));
    }
    if (animation.listChannels().length === 0) animation.dispose();
    const size = `${Number((height * unit).toPrecision(3))} m high`;
    const units = scale === undefined ? `${guess.name} (${size})` : `units of ${unit} m (${size})`;
    const rate = frameTime > 0 ? `, ${Number((1 / frameTime).toPrecision(4))} fps` : '';
    const source = `BVH, ${units}, ${up === 2 ? 'Z' : 'Y'} up${rate}`;
    return writeConverted(core, document, { source, warnings: [] });
}

function restOf(joints: readonly BvhJoint[]): Pose[] {
    return joints.map(({ offset }) => ({ translation: offset, rotation: NO_TURN }));
}

/** The local transform of a joint in a frame. */
function poseOf({ offset, channels }: BvhJoint, frame: Float64Array, start: number): Pose {
    const translation = [...offset];
    let rotation = NO_TURN;
    for (const [i, channel] of channels.entries()) {
        const value = frame[start + i]!;
        if (channel < 3) translation[channel] = value;
        else rotation = multiply(rotation, turnAbout(channel - 3, value));
    }
    return { translation, rotation };
}

function inOneHemisphere(poses: readonly Pose[]): Quat[] {
    let before: Quat = NO_TURN;
    return poses.map(({ rotation: [x, y, z, w] }) => {
        const sign = x * before[0] + y * before[1] + z * before[2] + w * before[3] < 0 ? -1 : 1;
        before = [sign * x, sign * y, sign * z, sign * w];
        return before;
    });
}

function everyFew<T>(list: readonly T[]): T[] {
    const count = Math.min(LOOKED_AT, list.length);
    return Array.from({ length: count }, (_, i) => list[Math.floor((i * list.length) / count)]!);
}

/** The places of all joints, and after them of all end sites. */
function placesOf(joints: readonly BvhJoint[], pose: readonly Pose[]): number[][] {
    const places: { point: number[]; rotation: Quat }[] = [];
    const ends: number[][] = [];
    for (const [i, { parent, end }] of joints.entries()) {
        const { translation, rotation } = pose[i]!;
        const above = places[parent] ?? { point: [0, 0, 0], rotation: NO_TURN };
        const put = (turn: Quat, from: readonly number[], by: readonly number[]) =>
            rotate(turn, by).map((x, c) => x + from[c]!);
        const point = put(above.rotation, above.point, translation);
        const place = { point, rotation: multiply(above.rotation, rotation) };
        places.push(place);
        if (end !== null) ends.push(put(place.rotation, point, end));
    }
    return [...places.map(({ point }) => point), ...ends];
}

/**
 * The axis that points up: 1 for y, 2 for z. The one along which heads are higher, and feet lower, than hips. Without
 * these names the one along which the joints extend farther.
 */
function upOf(joints: readonly BvhJoint[], poses: readonly number[][][]): 1 | 2 {
    const named = (pattern: RegExp) => [...joints.keys()].filter((i) => pattern.test(joints[i]!.name));
    const [heads, feet] = [named(/head/i), named(/foot|ankle|toe/i)];
    let [y, z] = [0, 0];
    for (const points of poses) {
        for (const [list, sign] of [
            [heads, 1],
            [feet, -1],
        ] as const) {
            for (const i of list) {
                y += (sign * (points[i]![1]! - points[0]![1]!)) / list.length;
                z += (sign * (points[i]![2]! - points[0]![2]!)) / list.length;
            }
        }
        if (heads.length + feet.length > 0) continue;
        y += spanOf(points.map((point) => point[1]!));
        z += spanOf(points.map((point) => point[2]!)) / 1.5;
    }
    return z > y ? 2 : 1;
}

function spanOf(values: readonly number[]): number {
    return (
        values.reduce((max, x) => Math.max(max, x), -Infinity) - values.reduce((min, x) => Math.min(min, x), Infinity)
    );
}

/** Units by the largest height of a character in them. The second one is that of the CMU library: 1 / 0.45 inches. */
const UNITS = [
    { upTo: 10, name: 'meters', meters: 1 },
    { upTo: 45, name: 'units of 0.056444 m, as CMU uses', meters: 0.056444 },
    { upTo: 90, name: 'inches', meters: 0.0254 },
    { upTo: 500, name: 'centimeters', meters: 0.01 },
    { upTo: Infinity, name: 'millimeters', meters: 0.001 },
];

function unitOf(height: number): { readonly name: string; readonly meters: number } {
    return UNITS.find(({ upTo }) => height < upTo) ?? UNITS[0]!;
}
