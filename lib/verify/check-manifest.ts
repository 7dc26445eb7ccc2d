// SPDX-License-Identifier: MIT

import { type BakeFiles, bytesOf } from './bake-file';
import type { Channel } from './channels';
import type { DoubleEvaluator } from './evaluator';
import { framesOf } from './frame-times';
import { nameOf } from './gltf';
import type { Sampler } from './sampler';

/** Something of a bake that is not as it should be, besides the values in its arrays. */
export interface VerifyProblem {
    /** Stable. */
    readonly code: VerifyProblemCode;
    /** JSON pointer (RFC 6901) into the manifest. */
    readonly pointer: string;
    /** For people; may change. */
    readonly message: string;
}

/** The `code` of a {@link VerifyProblem}. */
export type VerifyProblemCode =
    /** The manifest was made of another input, or of another version of it; nothing is compared with it then. */
    | 'SOURCE_DIFFERS'
    /** The bin is not the one that the manifest describes: its length or its sha256 differ. Another bake's, or being replaced. */
    | 'BINARY_DIFFERS'
    /** The skin's joints, their order, parents or root are not those of the input. */
    | 'SKIN_DIFFERS'
    /** Clips, their rows or durations are not what the input and the recipe give. */
    | 'CLIP_DIFFERS'
    /** An array lies where it cannot be, has the wrong shape or layout, or is unknown. */
    | 'ARRAY_INVALID'
    /** The stated extent is not the input's. */
    | 'EXTENT_DIFFERS';

export type AddProblem = (code: VerifyProblemCode, pointer: string, message: string) => void;

/** The tolerance of numbers that the manifest states in float32, as a share. */
export const STATED = 1e-5;

export function checkFiles({ manifest, bin, sha256 }: BakeFiles, sourceHash: string, addProblem: AddProblem): void {
    const { source, binary, arrays } = manifest;
    if (source.sha256 !== sourceHash) {
        const message =
            `this is the bake of another input, or the input has changed since: it was '${source.name}' ` +
            `with the sha256 ${source.sha256}, the input has ${sourceHash}`;
        addProblem('SOURCE_DIFFERS', '/source/sha256', message);
    }
    if (bin.length !== binary.byteLength) {
        addProblem(
            'BINARY_DIFFERS',
            '/binary/byteLength',
            `the file has ${bin.length} bytes, not ${binary.byteLength}`,
        );
    }
    if (sha256 !== binary.sha256) {
        addProblem('BINARY_DIFFERS', '/binary/sha256', `the file's is ${sha256}, the manifest has ${binary.sha256}`);
    }
    checkPlaces(manifest.arrays, bin, addProblem);
    if (Object.keys(arrays).length === 0) addProblem('ARRAY_INVALID', '/arrays', 'there are no arrays');
}

/** Arrays lie within the bin, on 256-byte boundaries, one after another with zeros between them. */
function checkPlaces(arrays: BakeFiles['manifest']['arrays'], bin: Buffer, addProblem: AddProblem): void {
    const sorted = Object.entries(arrays).sort(([, a], [, b]) => a.byteOffset - b.byteOffset);
    let end = 0;
    for (const [name, { byteOffset, byteLength, dtype, shape }] of sorted) {
        const pointer = `/arrays/${name}`;
        const size = bytesOf(dtype);
        const elements = shape.reduce((product, n) => product * n, 1);
        if (size === undefined) addProblem('ARRAY_INVALID', `${pointer}/dtype`, `${dtype} is not known`);
        else if (byteLength !== elements * size) {
            addProblem('ARRAY_INVALID', `${pointer}/byteLength`, `${elements} x ${size} bytes, not ${byteLength}`);
        }
        if (byteOffset % 256 !== 0) addProblem('ARRAY_INVALID', `${pointer}/byteOffset`, 'no multiple of 256');
        if (byteOffset < end) addProblem('ARRAY_INVALID', `${pointer}/byteOffset`, 'overlaps the array before it');
        if (byteOffset + byteLength > bin.length)
            addProblem('ARRAY_INVALID', pointer, 'goes beyond the end of the file');
        if (bin.subarray(end, byteOffset).some((byte) => byte !== 0)) {
            addProblem('ARRAY_INVALID', pointer, 'the bytes before it are not zeros');
        }
        end = Math.max(end, byteOffset + byteLength);
    }
    if (bin.subarray(end).some((byte) => byte !== 0)) {
        addProblem('ARRAY_INVALID', '/arrays', 'the bytes after the last array are not zeros');
    }
}

/** Joints in the input's order; parents are the nearest joints above. */
export function checkSkin(
    { manifest: { skin } }: BakeFiles,
    evaluator: DoubleEvaluator,
    root: number,
    addProblem: AddProblem,
): void {
    const joints = evaluator.joints(skin.index);
    if (skin.joints.length !== joints.length) {
        addProblem(
            'SKIN_DIFFERS',
            '/skin/joints',
            `${skin.joints.length} joints, the input's skin has ${joints.length}`,
        );
    }
    // Joints that both have. Where a node is listed twice, the last one counts as its children's parent.
    const jointOf = new Map(joints.map((node, joint) => [node, joint]));
    // The lowest joint above each node, -1 without one.
    const above = new Int32Array(evaluator.parents.length);
    for (const node of evaluator.order) {
        const parent = evaluator.parents[node]!;
        above[node] = parent < 0 ? -1 : (jointOf.get(parent) ?? above[parent]!);
    }
    for (const [joint, node] of joints.entries()) {
        const stated = skin.joints[joint];
        if (stated === undefined) break;
        const pointer = `/skin/joints/${joint}`;
        if (stated.node !== node) addProblem('SKIN_DIFFERS', `${pointer}/node`, `node ${stated.node}, must be ${node}`);
        const name = nameOf(evaluator.nodes[node]);
        if (stated.name !== name) addProblem('SKIN_DIFFERS', `${pointer}/name`, `'${stated.name}', must be '${name}'`);
        const parent = above[node]!;
        if (stated.parent !== parent) {
            addProblem('SKIN_DIFFERS', `${pointer}/parent`, `${stated.parent}, must be ${parent}`);
        }
    }
    if (skin.root !== undefined && skin.root !== root) {
        addProblem('SKIN_DIFFERS', '/skin/root', `node ${skin.root}, the joints' lowest common ancestor is ${root}`);
    }
}

/** One clip that can be judged. */
export interface JudgedClip {
    /** Index into the manifest's clips. */
    readonly index: number;
    readonly animation: number;
    readonly firstRow: number;
    /** When its frames are. */
    readonly times: readonly number[];
    /** The length of the last interval, in frames. */
    readonly lastInterval: number;
    /** Frames that a channel jumps at or before. */
    readonly jumps: readonly number[];
    /** The longest time from a jump's key to its frame, seconds. */
    readonly late: number;
}

/** The clips whose rows are where they have to be. */
export function checkClips(
    { manifest, bin }: BakeFiles,
    evaluator: DoubleEvaluator,
    addProblem: AddProblem,
): JudgedClip[] {
    const { recipe, clips } = manifest;
    const { end = 'clamp', from, to } = recipe;
    const judged: JudgedClip[] = [];
    let rows = 0;
    for (const [index, clip] of clips.entries()) {
        const pointer = `/clips/${index}`;
        const { animation, rate = recipe.fps } = clip;
        const inFile = evaluator.file.json.animations?.[animation];
        if (inFile === undefined) {
            addProblem('CLIP_DIFFERS', `${pointer}/animation`, `the input has no animation ${animation}`);
            continue;
        }
        const name = nameOf(inFile);
        if (clip.name !== name) addProblem('CLIP_DIFFERS', `${pointer}/name`, `'${clip.name}', must be '${name}'`);
        const { duration, count, timeOf, fps, shortened } = framesOf(evaluator.duration(animation), {
            fps: rate,
            end,
            from,
            to,
        });
        if (clip.firstRow !== rows)
            addProblem('CLIP_DIFFERS', `${pointer}/firstRow`, `${clip.firstRow}, must be ${rows}`);
        if (clip.duration !== Math.fround(duration)) {
            addProblem('CLIP_DIFFERS', `${pointer}/duration`, `${clip.duration}, must be ${Math.fround(duration)}`);
        }
        if (clip.fps !== fps) addProblem('CLIP_DIFFERS', `${pointer}/fps`, `${clip.fps}, must be ${fps}`);
        const lastFrameTime = shortened ? Math.fround(duration) : undefined;
        if (clip.lastFrameTime !== lastFrameTime) {
            addProblem('CLIP_DIFFERS', `${pointer}/lastFrameTime`, `${clip.lastFrameTime}, must be ${lastFrameTime}`);
        }
        const animated = evaluator.channelsOf(animation).some(movers(manifest, evaluator));
        if (clip.animated !== animated) {
            addProblem('CLIP_DIFFERS', `${pointer}/animated`, `${clip.animated}, must be ${animated}`);
        }
        // Rows that the bin cannot hold are not evaluated either.
        if (clip.frameCount === count && rows + count <= bin.length) {
            const times = Array.from({ length: count }, (_, i) => timeOf(i));
            const lastInterval = shortened ? (duration * rate[0]) / rate[1] - (count - 2) : 1;
            const jumps = jumpsOf(evaluator, animation, times, movers(manifest, evaluator));
            judged.push({ index, animation, firstRow: rows, times, lastInterval, ...jumps });
        } else addProblem('CLIP_DIFFERS', `${pointer}/frameCount`, `${clip.frameCount}, the recipe gives ${count}`);
        rows += count;
    }
    for (const { index, jumps } of judged) {
        const stated = clips[index]!.discontinuities;
        if (JSON.stringify(stated) !== JSON.stringify(jumps)) {
            const message = `${JSON.stringify(stated)}, must be ${JSON.stringify(jumps)}`;
            addProblem('CLIP_DIFFERS', `/clips/${index}/discontinuities`, message);
        }
    }
    for (const [name, { shape }] of Object.entries(manifest.arrays)) {
        if (shape[0] !== rows)
            addProblem('CLIP_DIFFERS', `/arrays/${name}/shape/0`, `${shape[0]} rows, must be ${rows}`);
    }
    return judged;
}

/** A function that says whether a channel moves a node that the bake has rows of. */
function movers({ skin, arrays }: BakeFiles['manifest'], evaluator: DoubleEvaluator) {
    const chain = new Set(evaluator.withAncestors(evaluator.joints(skin.index)));
    const morphed = new Set((arrays.morph?.meshes ?? []).map(({ node }) => node));
    return ({ node, path }: Channel) => (path === 'weights' ? morphed : chain).has(node);
}

/** Frames that a STEP channel, or two keys at one time, make different from the frame before at once, and how late they are. */
function jumpsOf(
    evaluator: DoubleEvaluator,
    animation: number,
    times: readonly number[],
    moves: (channel: Channel) => boolean,
): Pick<JudgedClip, 'jumps' | 'late'> {
    const jumps = new Set<number>();
    let late = 0;
    for (const channel of evaluator.channelsOf(animation)) {
        const { times: keys, interpolation } = channel.sampler;
        for (let key = 1; moves(channel) && key < keys.length; key++) {
            if (interpolation !== 'STEP' && keys[key] !== keys[key - 1]) continue;
            if (sameKeys(channel.sampler, key - 1, key)) continue;
            const frame = times.findIndex((time) => time >= keys[key]!);
            if (frame <= 0) continue;
            jumps.add(frame);
            late = Math.max(late, times[frame]! - keys[key]!);
        }
    }
    return { jumps: [...jumps].sort((a, b) => a - b), late };
}

function sameKeys({ values, width, interpolation }: Sampler, a: number, b: number): boolean {
    const [parts, first] = interpolation === 'CUBICSPLINE' ? [3, width] : [1, 0];
    for (let c = first; c < first + width; c++) {
        if (values[a * width * parts + c] !== values[b * width * parts + c]) return false;
    }
    return true;
}
