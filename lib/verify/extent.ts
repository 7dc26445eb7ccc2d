// SPDX-License-Identifier: MIT

import { addPoint, addSkinned, emptyBox } from './box';
import { columnsOfBake } from './columns';
import type { DoubleEvaluator } from './evaluator';
import { instancesOf } from './instances';
import { multiply } from './matrix';
import { createSubject, paletteOf, type Subject } from './pose';
import { movedNodes, type SkinVertices, verticesOf } from './vertices';

/** The part of a clip that the extent is measured in. */
export interface ClipPart {
    readonly animation: number;
    /** Seconds; the whole clip by default. */
    readonly from?: number | undefined;
    readonly to?: number | undefined;
}

/** A character, and what it moves. */
export interface Sized {
    readonly subject: Subject;
    readonly vertices: readonly SkinVertices[];
}

/** Both ends of each eighth of a clip. */
const PARTS = 8;

/** The extent as docs/format.md defines it: of the largest of some characters, in some clips; at rest where there are none. */
export function extentOf(characters: readonly Sized[], clips: readonly ClipPart[]): number {
    const drawn = characters.filter(({ vertices }) => vertices.some(({ count }) => count > 0));
    let extent = 0;
    for (const character of drawn.length > 0 ? drawn : characters) {
        const diagonal = diagonalsOf(character);
        const { evaluator } = character.subject;
        if (clips.length === 0) extent = Math.max(extent, diagonal(null, 0));
        for (const { animation, from = 0, to = Infinity } of clips) {
            const length = Math.min(to, evaluator.duration(animation)) - from;
            for (let i = 0; i <= (length > 0 ? PARTS : 0); i++) {
                const time = Math.fround(from + (length > 0 ? (length * i) / PARTS : 0));
                extent = Math.max(extent, diagonal(animation, time));
            }
        }
    }
    return extent;
}

/** The extent of a whole file, of which nothing is baked. */
export function extentOfFile(evaluator: DoubleEvaluator): number {
    const clips = Array.from({ length: evaluator.animationCount }, (_, animation) => ({ animation }));
    const firsts: number[] = [];
    const known = new Set<number>();
    for (let skin = 0; skin < evaluator.skinCount; skin++) {
        if (known.has(skin)) continue;
        firsts.push(skin);
        for (const same of columnsOfBake(evaluator, skin, 'none').skins) known.add(same);
    }
    const sized = (columns: Subject | ReturnType<typeof columnsOfBake>): Sized => ({
        subject: createSubject(evaluator, columns, [], {}),
        vertices: verticesOf(evaluator.file, columns),
    });
    if (firsts.length > 0) {
        return extentOf(
            firsts.map((skin) => sized(columnsOfBake(evaluator, skin, undefined))),
            clips,
        );
    }
    const attachments = columnsOfBake(evaluator, null, undefined);
    if (attachments.nodes.length > 0) return extentOf([sized(attachments)], clips);
    // Nothing is drawn: the nodes that move.
    const moved = movedNodes(evaluator.file.json);
    const nodes = evaluator.nodes.flatMap((_, node) => (moved[node] === 1 ? [node] : []));
    const columns = { skins: [], nodes, joints: 0, binds: new Float64Array(0) };
    return extentOf([{ subject: createSubject(evaluator, columns, [], {}), vertices: [] }], clips);
}

/** Measures the poses of a character: its skinned vertices, without any those of its attachments, without these its joints' origins. */
function diagonalsOf({ subject, vertices }: Sized): (animation: number | null, time: number) => number {
    const { evaluator, chain, base, nodes, joints } = subject;
    const skinned = vertices.filter(({ attachment, count }) => attachment === undefined && count > 0);
    const attached = vertices.filter(({ count }) => count > 0);
    const places = new Map(attached.map(({ attachment = -1 }) => [attachment, placesOf(evaluator, nodes[attachment])]));
    return (animation, time) => {
        const locals = evaluator.locals(animation, time, chain);
        const globals = evaluator.globalsOf(locals, chain, base);
        const box = emptyBox();
        if (skinned.length > 0) {
            addSkinned(box, skinned, paletteOf(subject, { globals }));
        } else if (attached.length > 0) {
            for (const mesh of attached) {
                const node = nodes[mesh.attachment!]!;
                for (const place of places.get(mesh.attachment!)!) {
                    const palette = new Float64Array(nodes.length * 16);
                    const at = mesh.attachment! * 16;
                    if (place === null) palette.set(globals.subarray(node * 16, node * 16 + 16), at);
                    else multiply(palette, at, globals, node * 16, place, 0);
                    addSkinned(box, [mesh], palette);
                }
            }
        } else {
            for (const node of nodes.slice(0, joints || nodes.length)) {
                addPoint(box, globals.subarray(node * 16 + 12, node * 16 + 15));
            }
        }
        const [x, y, z] = [0, 1, 2].map((c) => box[c + 3]! - box[c]!) as [number, number, number];
        return x >= 0 ? Math.hypot(x, y, z) : 0;
    };
}

function placesOf(evaluator: DoubleEvaluator, node: number | undefined): readonly (Float64Array | null)[] {
    return (node === undefined ? null : instancesOf(evaluator, node)) ?? [null];
}
