// SPDX-License-Identifier: MIT

import { addPoint, addSkinned, emptyBox } from './box';
import { columnsOfBake } from './columns';
import type { DoubleEvaluator } from './evaluator';
import { inverse, multiply } from './matrix';
import { createSubject, paletteOf, type Subject } from './pose';
import { movedNodes, type SkinVertices, verticesOf } from './vertices';

/** The part of a clip in which the extent is measured. */
export interface ClipPart {
    readonly animation: number;
    /** Seconds. Default: the whole clip. */
    readonly from?: number | undefined;
    readonly to?: number | undefined;
}

/** A character, and the vertices that it moves. */
export interface Sized {
    readonly subject: Subject;
    readonly vertices: readonly SkinVertices[];
}

/** Both ends of each eighth of a clip are sampled. */
const PARTS = 8;
/** Difference of matrices by rounding to float32, relative to the numbers. */
const SHARED = 1e-5;
/** A smaller pose, relative to its distance from the origin, is a point. */
const POINT = 2 ** -20;

/**
 * The extent as docs/format.md defines it: of the largest character over all clips, or at rest without clips.
 *
 * @param characters A character can have several parts, one for each skin.
 */
export function extentOf(characters: readonly (readonly Sized[])[], clips: readonly ClipPart[]): number {
    const drawn = characters.filter((parts) => parts.some(isDrawn));
    return Math.max(0, ...(drawn.length > 0 ? drawn : characters).map((parts) => extentOfOne(parts, clips)));
}

const isDrawn = ({ vertices }: Sized) => vertices.some(({ count }) => count > 0);

function extentOfOne(parts: readonly Sized[], clips: readonly ClipPart[]): number {
    const drawn = parts.filter(isDrawn);
    const boxesAt = (drawn.length > 0 ? drawn : parts).map(boxesOf);
    const { evaluator } = parts[0]!.subject;
    let extent = 0;
    const travel = emptyBox();
    const add = (animation: number | null, time: number) => {
        const box = emptyBox();
        for (const boxAt of boxesAt) {
            const own = boxAt(animation, time);
            if (own[0] !== Infinity) for (const at of [0, 3]) addPoint(box, own.subarray(at, at + 3));
        }
        if (box[0] === Infinity) return;
        const corner = box.subarray(0, 3);
        addPoint(travel, corner);
        const diagonal = diagonalOf(box);
        if (diagonal > POINT * Math.hypot(...corner)) extent = Math.max(extent, diagonal);
    };
    if (clips.length === 0) add(null, 0);
    for (const clip of clips) for (const time of extentTimesOf(evaluator, clip)) add(clip.animation, time);
    return extent > 0 ? extent : diagonalOf(travel);
}

/** Times at which a clip is sampled. */
export function extentTimesOf(evaluator: DoubleEvaluator, { animation, from = 0, to = Infinity }: ClipPart): number[] {
    const length = Math.min(to, evaluator.duration(animation)) - from;
    if (!(length > 0)) return [Math.fround(from)];
    return Array.from({ length: PARTS + 1 }, (_, i) => Math.fround(from + (length * i) / PARTS));
}

function diagonalOf(box: Float64Array): number {
    return box[0]! <= box[3]! ? Math.hypot(...[0, 1, 2].map((c) => box[c + 3]! - box[c]!)) : 0;
}

/** The extent of a file without a bake. */
export function extentOfFile(evaluator: DoubleEvaluator): number {
    const clips = Array.from({ length: evaluator.animationCount }, (_, animation) => ({ animation }));
    const characters: number[][] = [];
    const known = new Set<number>();
    for (let skin = 0; skin < evaluator.skinCount; skin++) {
        if (known.has(skin)) continue;
        for (const same of columnsOfBake(evaluator, skin, 'none').skins) known.add(same);
        const other = characters.find(([first]) => sharesPalette(evaluator, first!, skin));
        if (other === undefined) characters.push([skin]);
        else other.push(skin);
    }
    const sized = (columns: Subject | ReturnType<typeof columnsOfBake>): Sized => ({
        subject: createSubject(evaluator, columns, [], {}),
        vertices: verticesOf(evaluator.file, columns),
    });
    if (characters.length > 0) {
        const partsOf = (skins: readonly number[]) =>
            skins.map((skin) => sized(columnsOfBake(evaluator, skin, undefined)));
        return extentOf(characters.map(partsOf), clips);
    }
    const attachments = columnsOfBake(evaluator, null, undefined);
    if (attachments.nodes.length > 0) return extentOf([[sized(attachments)]], clips);
    // Without meshes, the nodes that move are measured.
    const moved = movedNodes(evaluator.file.json);
    const nodes = evaluator.nodes.flatMap((_, node) => (moved[node] === 1 ? [node] : []));
    const columns = { skins: [], rescaled: [], nodes, joints: 0, binds: new Float64Array(0) };
    return extentOf([[{ subject: createSubject(evaluator, columns, [], {}), vertices: [] }]], clips);
}

/**
 * Whether the inverse bind matrices of two skins with the same joints differ by a scale and a translation, as tools write
 * for quantized positions.
 */
function sharesPalette(evaluator: DoubleEvaluator, first: number, skin: number): boolean {
    if (evaluator.joints(first).join() !== evaluator.joints(skin).join()) return false;
    const [a, b] = [evaluator.inverseBindsOf(first), evaluator.inverseBindsOf(skin)];
    const factors = evaluator.joints(first).map((_, joint) => {
        const [back, factor] = [inverse(a.subarray(joint * 16, joint * 16 + 16)), new Float64Array(16).fill(NaN)];
        if (back !== null) multiply(factor, 0, back, 0, b, joint * 16);
        return factor;
    });
    const [scale, x, y, z] = [0, 12, 13, 14].map((k) => factors[0]![k]!) as [number, number, number, number];
    const size = scale + Math.hypot(x, y, z);
    const wanted = [scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, x, y, z, 1];
    return (
        scale > 0 &&
        factors.every((factor) => factor.every((n, k) => Math.abs(n - wanted[k]!) <= SHARED * (k < 12 ? scale : size)))
    );
}

/**
 * The boxes of a character's poses: of its skinned vertices; without any, of its attachments; without these, of its
 * joints' origins.
 */
function boxesOf({ subject, vertices }: Sized): (animation: number | null, time: number) => Float64Array {
    const { evaluator, chain, base, nodes, joints } = subject;
    const skinned = vertices.filter(({ attachment, count }) => attachment === undefined && count > 0);
    const attached = vertices.filter(({ count }) => count > 0);
    return (animation, time) => {
        const locals = evaluator.locals(animation, time, chain);
        const globals = evaluator.globalsOf(locals, chain, base);
        const box = emptyBox();
        if (skinned.length > 0) {
            addSkinned(box, skinned, paletteOf(subject, { globals }));
        } else if (attached.length > 0) {
            const palette = new Float64Array(nodes.length * 16);
            for (const [column, node] of nodes.entries()) {
                palette.set(globals.subarray(node * 16, node * 16 + 16), column * 16);
            }
            addSkinned(box, attached, palette);
        } else {
            for (const node of nodes.slice(0, joints || nodes.length)) {
                addPoint(box, globals.subarray(node * 16 + 12, node * 16 + 15));
            }
        }
        return box;
    };
}
