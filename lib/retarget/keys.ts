// SPDX-License-Identifier: MIT

import type { SceneChannel } from '../gltf/scene';
import {
    applied,
    column,
    compose,
    inverse,
    inverted,
    length,
    type Mat,
    normalized,
    product,
    type Quat,
    rotated,
    sub,
    UNIT,
    type Vec,
} from './math';
import { type Place, parentsFirst } from './model';
import type { Humanoid } from './roles';
import type { Pair, Solved } from './solve';

/** Differences from the rest pose below this are rounding of files: of a rotation's parts, and of the rig's size. */
const SAME = 1e-5;

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
    const turned = new Set(followers.map(({ node }) => node));
    const order = parentsFirst(nodes);
    const joints = new Set(skins.flatMap((skin) => skin.joints));
    const rotations = new Map<number, Quat[]>();
    const translations = new Map<number, Vec[]>();
    for (const node of order) {
        if (nodes[node]!.matrix === null && (turned.has(node) || joints.has(node))) {
            rotations.set(node, []);
            translations.set(node, []);
        }
    }
    const inverses = bind.map(({ linear }) => inverted(linear));
    for (const { turns, places } of poses) {
        const turnOf: (Quat | null)[] = [];
        const placeOf: Vec[] = [];
        for (const node of order) {
            const { parent } = nodes[node]!;
            const above = parent < 0 ? null : (turnOf[parent] ?? null);
            const own = bind[node]!;
            turnOf[node] = turns.get(node) ?? above;
            const given = places.get(node);
            if (given !== undefined) placeOf[node] = given;
            else if (parent < 0) placeOf[node] = own.at;
            else {
                const offset = sub(own.at, bind[parent]!.at);
                const way = above === null ? offset : rotated(above, offset);
                placeOf[node] = [0, 1, 2].map((c) => placeOf[parent]![c]! + way[c]!) as unknown as Vec;
            }
            const list = rotations.get(node);
            if (list === undefined) continue;
            const bound: Place | undefined = bind[parent];
            const before =
                bound === undefined
                    ? ([0, 0, 0, 1] as Quat)
                    : above === null
                      ? bound.rotation
                      : compose(above, bound.rotation);
            const turn = turnOf[node];
            list.push(compose(inverse(before), turn === null ? own.rotation : compose(turn, own.rotation)));
            const way = parent < 0 ? placeOf[node]! : sub(placeOf[node]!, placeOf[parent]!);
            const back = above === null ? way : rotated(inverse(above), way);
            translations.get(node)!.push(parent < 0 ? way : applied(inverses[parent] ?? UNIT, back));
        }
    }
    const channels: SceneChannel[] = [];
    const put = (
        node: number,
        path: 'translation' | 'rotation' | 'scale',
        keys: readonly (readonly number[])[],
        rest: readonly number[],
        tolerance: number,
    ) => {
        const values = Float32Array.from(path === 'rotation' ? sameSide(keys as readonly Quat[]) : keys.flat());
        const width = rest.length;
        const still = keys.every((key) => apart(key, keys[0]!) <= tolerance * 0.01);
        if (still && apart(keys[0]!, rest) <= tolerance) return;
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
    for (const [node, list] of rotations) {
        const { translation, rotation, scale, parent } = nodes[node]!;
        const [x, y, z, w] = rotation as unknown as Quat;
        put(node, 'rotation', list, [x, y, z, w], SAME);
        const unitOf = parent < 0 ? 1 : scaleOf(bind[parent]!.linear);
        const [tx, ty, tz] = translation as unknown as Vec;
        put(node, 'translation', translations.get(node)!, [tx, ty, tz], (SAME * to.leg) / unitOf);
        const local = parent < 0 ? bind[node]!.linear : product(inverses[parent] ?? UNIT, bind[node]!.linear);
        const scales = [0, 1, 2].map((c) => length(column(local, c)));
        const [sx, sy, sz] = scale as unknown as Vec;
        if (apart(scales, [sx, sy, sz]) > 0.01 * sx) put(node, 'scale', [scales], [sx, sy, sz], 0);
    }
    return channels;
}

/** Keys are left out that their neighbors give with an error of at most this many times `SAME`. */
const NEEDED = 10;
/** Max number of keys left out in a row: bounds the work. */
const LONGEST = 60;

/** The keys that linear interpolation, normalized for rotations, needs to give the others. */
function neededKeys(at: Float32Array, values: Float32Array, width: number, tolerance: number): number[] {
    const isGiven = (key: number, from: number, to: number): boolean => {
        const t = (at[key]! - at[from]!) / (at[to]! - at[from]!);
        const mixed = Array.from(
            { length: width },
            (_, c) => values[from * width + c]! * (1 - t) + values[to * width + c]! * t,
        );
        const given = width === 4 ? normalized(mixed as unknown as Quat) : mixed;
        return given.every((value, c) => Math.abs(value - values[key * width + c]!) <= tolerance);
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

export function scaleOf(linear: Mat): number {
    return (length(column(linear, 0)) + length(column(linear, 1)) + length(column(linear, 2))) / 3 || 1;
}

function apart(a: readonly number[], b: readonly number[]): number {
    let same = 0;
    let opposite = 0;
    for (const [i, value] of a.entries()) {
        same = Math.max(same, Math.abs(value - b[i]!));
        opposite = Math.max(opposite, Math.abs(value + b[i]!));
    }
    return a.length === 4 ? Math.min(same, opposite) : same;
}

/** Each rotation on the side of the one before it, for players that do not take the shorter way. */
function sameSide(keys: readonly Quat[]): number[] {
    let sign = 1;
    return keys.flatMap((key, i) => {
        const before = keys[i - 1];
        if (before !== undefined && before.reduce((sum, value, c) => sum + value * key[c]!, 0) < 0) sign = -sign;
        return key.map((value) => sign * value);
    });
}
