// SPDX-License-Identifier: MIT

import type { SceneChannel } from '../gltf/scene';
import {
    add,
    applied,
    column,
    compose,
    IDENTITY,
    inverse,
    inverted,
    length,
    type Mat,
    product,
    type Quat,
    rotated,
    sub,
    UNIT,
    type Vec,
    ZERO,
} from './math';
import { parentsFirst } from './model';
import type { Pair } from './pair';
import type { Humanoid } from './roles';
import type { Solved } from './solve';

/** Differences from the rest pose below this are rounding of files: of a rotation's parts, and of a leg's length. */
const SAME = 1e-5;
/** Keys are left out that their neighbors give with an error of at most this many times `SAME`. */
const NEEDED = 10;
/** Max number of keys left out in a row: bounds the work. */
const LONGEST = 60;

/**
 * The channels of a clip: rotations of joints with a role, translations where a joint's place under its parent changes,
 * and constant ones for other joints whose bind pose is not the node's rest pose.
 *
 * @param pointer JSON pointer of the clip.
 */
export function channelsOf(
    { model, bind }: Humanoid,
    { times: at, poses }: Solved,
    { joints: followers, to }: Pair,
    pointer: string,
): SceneChannel[] {
    const { nodes, skins } = model;
    const order = parentsFirst(nodes);
    const joints = new Set(skins.flatMap((skin) => skin.joints));
    const turned = new Set(followers.map(({ node }) => node));
    const inverses = bind.map(({ linear }) => inverted(linear) ?? UNIT);
    const channels: SceneChannel[] = [];
    const put = (node: number, path: 'translation' | 'rotation' | 'scale', values: Float64Array, tolerance: number) => {
        const rest = nodes[node]![path];
        const width = rest.length;
        if (path === 'rotation') keepSides(values);
        const still = maxDifference(values, values, width) <= tolerance * 0.01;
        if (still && maxDifference(values.subarray(0, width), rest, width) <= tolerance) return;
        const kept = still ? [0] : neededKeys(at, values, width, tolerance * NEEDED);
        channels.push({
            pointer: `${pointer}/channels/${channels.length}`,
            node,
            path,
            interpolation: 'LINEAR',
            times: Float32Array.from(kept, (key) => at[key]!),
            values: Float32Array.from(kept.flatMap((key) => [...values.subarray(key * width, (key + 1) * width)])),
        });
    };
    const rotations = new Map([...turned].map((node) => [node, new Float64Array(at.length * 4)]));
    const translations = new Map([...turned].map((node) => [node, new Float64Array(at.length * 3)]));
    const turnOf: Quat[] = [];
    const placeOf: Vec[] = [];
    let key = 0;
    for (const { turns, places } of poses) {
        for (const node of order) {
            const { parent } = nodes[node]!;
            const [own, above] = [bind[node]!, bind[parent]];
            const turn = turns.get(node) ?? turnOf[parent] ?? IDENTITY;
            turnOf[node] = turn;
            placeOf[node] =
                places.get(node) ??
                (above === undefined ? own.at : add(placeOf[parent]!, rotated(turnOf[parent]!, sub(own.at, above.at))));
            if (!turned.has(node)) continue;
            const before = above === undefined ? IDENTITY : compose(turnOf[parent]!, above.rotation);
            rotations.get(node)!.set(compose(inverse(before), compose(turn, own.rotation)), key * 4);
            const way = sub(placeOf[node]!, placeOf[parent] ?? ZERO);
            const local =
                above === undefined ? way : applied(inverses[parent]!, rotated(inverse(turnOf[parent]!), way));
            translations.get(node)!.set(local, key * 3);
        }
        key++;
    }
    for (const node of order) {
        if (nodes[node]!.matrix !== null || !(turned.has(node) || joints.has(node))) continue;
        const { parent } = nodes[node]!;
        const [own, above] = [bind[node]!, bind[parent]];
        const before = above === undefined ? IDENTITY : inverse(above.rotation);
        const linear = above === undefined ? own.linear : product(inverses[parent]!, own.linear);
        const place = above === undefined ? own.at : applied(inverses[parent]!, sub(own.at, above.at));
        const size = above === undefined ? 1 : scaleOf(above.linear);
        const rotation = rotations.get(node) ?? Float64Array.from(compose(before, own.rotation));
        put(node, 'rotation', rotation, SAME);
        put(node, 'translation', translations.get(node) ?? Float64Array.from(place), (SAME * to.leg) / size);
        const scale = Float64Array.from([0, 1, 2], (c) => length(column(linear, c)));
        // Inverse bind matrices say little of scales: only a real difference counts.
        put(node, 'scale', scale, 0.01 * scaleOf(linear));
    }
    return channels;
}

/** The max difference of values from the first ones of a list, part by part. Rotations have two signs. */
function maxDifference(values: ArrayLike<number>, from: ArrayLike<number>, width: number): number {
    let same = 0;
    let opposite = 0;
    for (let i = 0; i < values.length; i++) {
        same = Math.max(same, Math.abs(values[i]! - from[i % width]!));
        opposite = Math.max(opposite, Math.abs(values[i]! + from[i % width]!));
    }
    return width === 4 ? Math.min(same, opposite) : same;
}

/** The keys that linear interpolation, normalized for rotations, needs to give the others. */
function neededKeys(at: Float32Array, values: Float64Array, width: number, tolerance: number): number[] {
    const mixed = new Float64Array(width);
    const isGiven = (key: number, from: number, to: number): boolean => {
        const t = (at[key]! - at[from]!) / (at[to]! - at[from]!);
        let square = 0;
        for (let c = 0; c < width; c++) {
            mixed[c] = values[from * width + c]! * (1 - t) + values[to * width + c]! * t;
            square += mixed[c]! * mixed[c]!;
        }
        const size = width === 4 && square > 0 ? Math.sqrt(square) : 1;
        for (let c = 0; c < width; c++) {
            if (!(Math.abs(mixed[c]! / size - values[key * width + c]!) <= tolerance)) return false;
        }
        return true;
    };
    const kept = [0];
    for (let from = 0; from < at.length - 1; ) {
        let to = from + 1;
        while (to + 1 < at.length && to - from < LONGEST) {
            let all = true;
            for (let key = from + 1; key <= to && all; key++) all = isGiven(key, from, to + 1);
            if (!all) break;
            to++;
        }
        kept.push(to);
        from = to;
    }
    return kept;
}

function scaleOf(linear: Mat): number {
    return (length(column(linear, 0)) + length(column(linear, 1)) + length(column(linear, 2))) / 3 || 1;
}

/** Makes each rotation the nearer one of both signs, for players that do not take the shorter way. */
function keepSides(values: Float64Array): void {
    for (let i = 4; i < values.length; i += 4) {
        let cosine = 0;
        for (let c = 0; c < 4; c++) cosine += values[i + c]! * values[i + c - 4]!;
        if (cosine < 0) for (let c = 0; c < 4; c++) values[i + c] = -values[i + c]!;
    }
}
