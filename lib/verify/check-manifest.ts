// SPDX-License-Identifier: MIT

import type { Channel } from './channels';
import type { DoubleEvaluator } from './evaluator';
import { framesOf } from './frame-times';
import { nameOf } from './gltf';
import type { Subject } from './pose';
import { type BakeFiles, bytesOf } from './read-bake';
import type { Sampler } from './sampler';

/** A fault of a bake other than a wrong value in an array. */
export interface VerifyProblem {
    /** Stable across versions. */
    readonly code: VerifyProblemCode;
    /** JSON pointer (RFC 6901) into the manifest. */
    readonly pointer: string;
    /** For people. May change. */
    readonly message: string;
}

/** The `code` of a {@link VerifyProblem}. */
export type VerifyProblemCode =
    /** The manifest belongs to another input, or to another version of it. Nothing else is compared. */
    | 'SOURCE_DIFFERS'
    /**
     * The bin's length or sha256 differs from the manifest. It may belong to another bake, or be in the middle of a
     * replacement.
     */
    | 'BINARY_DIFFERS'
    /** The skin's joints, their order, parents or root are not those of the input. */
    | 'SKIN_DIFFERS'
    /** The attachments, their order, columns or parents are not those of the input. */
    | 'ATTACHMENT_DIFFERS'
    /** Clips, rows or durations differ from those of the input and the recipe. */
    | 'CLIP_DIFFERS'
    /** An array is outside the bin, has a wrong shape or layout, or is unknown. */
    | 'ARRAY_INVALID'
    /** The stated extent differs from the input's. */
    | 'EXTENT_DIFFERS'
    /** A box of `jointBounds` differs from that of the vertices that the column moves. */
    | 'JOINT_BOUNDS_DIFFER';

export type AddProblem = (code: VerifyProblemCode, pointer: string, message: string) => void;

/** Relative tolerance of numbers that the manifest states in float32. */
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

/** Checks that arrays are in the bin, at multiples of 256 bytes, one after another with zeros between them. */
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

/**
 * Checks the columns. Joints are in the input's order; the parent of each is the nearest joint above. Attachments
 * follow; their parent can be any column.
 */
export function checkColumns(
    { manifest: { skin, attachments = [] } }: BakeFiles,
    { evaluator, skins, nodes, joints, root }: Subject,
    addProblem: AddProblem,
): void {
    const compare = (code: VerifyProblemCode, pointer: string, is: unknown, must: unknown) => {
        const [stated, right] = [JSON.stringify(is), JSON.stringify(must)];
        if (stated !== right) addProblem(code, pointer, `${stated}, must be ${right}`);
    };
    if (skin !== null) {
        compare('SKIN_DIFFERS', '/skin/indices', skin.indices ?? skins, skins);
        if (skin.joints.length !== joints) {
            const message = `${skin.joints.length} joints, the input's skin has ${joints}`;
            addProblem('SKIN_DIFFERS', '/skin/joints', message);
        }
        compare('SKIN_DIFFERS', '/skin/root', skin.root ?? root, root);
    }
    if (attachments.length !== nodes.length - joints) {
        const message = `${attachments.length} attachments, the input has ${nodes.length - joints} here`;
        addProblem('ATTACHMENT_DIFFERS', '/attachments', message);
    }
    const parents = parentsOf(evaluator, nodes, joints);
    for (const [column, node] of nodes.entries()) {
        const { mesh, name } = evaluator.nodes[node]!;
        const own = { node, name: nameOf({ name }), parent: parents[column]! };
        const [stated, must, code, list, index] =
            column < joints
                ? ([skin!.joints[column], own, 'SKIN_DIFFERS', '/skin/joints', column] as const)
                : ([
                      attachments[column - joints],
                      { ...own, mesh, column },
                      'ATTACHMENT_DIFFERS',
                      '/attachments',
                      column - joints,
                  ] as const);
        if (stated === undefined) continue;
        for (const [key, value] of Object.entries(must)) {
            compare(code, `${list}/${index}/${key}`, stated[key as keyof typeof stated], value);
        }
    }
}

/**
 * Finds the parent of each column. If a node has two columns, its children belong to the last joint. A mesh at a
 * joint's node belongs to that joint.
 */
function parentsOf({ parents, order }: DoubleEvaluator, nodes: readonly number[], joints: number): number[] {
    const at = (columns: readonly number[]) => {
        const above = new Int32Array(parents.length).fill(-1);
        const columnOf = new Map(columns.map((column) => [nodes[column]!, column]));
        for (const node of order) {
            const parent = parents[node]!;
            if (parent >= 0) above[node] = columnOf.get(parent) ?? above[parent]!;
        }
        return { above, columnOf };
    };
    const columns = [...nodes.keys()];
    const ofJoints = at(columns.slice(0, joints));
    const ofAll = at([...columns.slice(joints), ...columns.slice(0, joints)]);
    return nodes.map((node, column) =>
        column < joints ? ofJoints.above[node]! : (ofJoints.columnOf.get(node) ?? ofAll.above[node]!),
    );
}

/** A clip that can be judged. */
export interface JudgedClip {
    /** Index into the manifest's clips. */
    readonly index: number;
    readonly animation: number;
    readonly firstRow: number;
    /** Times of its frames. */
    readonly times: readonly number[];
    /** Length of the last interval, in frames. */
    readonly lastInterval: number;
    /** First frames at or after a jump. */
    readonly jumps: readonly number[];
    /** Longest time from a jump's key to its frame, seconds. */
    readonly late: number;
}

/** Checks the clips. Returns those whose rows are at the right place. */
export function checkClips({ manifest, bin }: BakeFiles, subject: Subject, addProblem: AddProblem): JudgedClip[] {
    const { evaluator } = subject;
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
        const compare = (key: string, is: unknown, must: unknown) => {
            if (is !== must) addProblem('CLIP_DIFFERS', `${pointer}/${key}`, `${is}, must be ${must}`);
        };
        compare('firstRow', clip.firstRow, rows);
        compare('duration', clip.duration, Math.fround(duration));
        compare('fps', clip.fps, fps);
        compare('lastFrameTime', clip.lastFrameTime, shortened ? Math.fround(duration) : undefined);
        const events = eventsOf(manifest, clip, evaluator.duration(animation));
        compare('events', JSON.stringify(clip.events), JSON.stringify(events));
        // Extras that are too large are left out.
        if (clip.extras !== undefined && !isSame(clip.extras, inFile.extras)) {
            addProblem('CLIP_DIFFERS', `${pointer}/extras`, "they are not the input's");
        }
        compare('animated', clip.animated, evaluator.channelsOf(animation).some(movers(manifest, subject)));
        // Rows beyond the bin are not evaluated.
        if (clip.frameCount === count && rows + count <= bin.length) {
            const times = Array.from({ length: count }, (_, i) => timeOf(i));
            const lastInterval = shortened ? (duration * rate[0]) / rate[1] - (count - 2) : 1;
            const jumps = jumpsOf(evaluator, animation, times, movers(manifest, subject));
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
        if (name !== 'jointBounds' && shape[0] !== rows)
            addProblem('CLIP_DIFFERS', `/arrays/${name}/shape/0`, `${shape[0]} rows, must be ${rows}`);
    }
    return judged;
}

interface OwnEvent {
    readonly name: string;
    readonly time: number;
}

/** The events that a clip must have: those of its extras, and those of the recipe, within its frames. */
function eventsOf(
    { recipe }: BakeFiles['manifest'],
    { name, animation, extras, duration }: BakeFiles['manifest']['clips'][0],
    end: number,
): readonly OwnEvent[] | undefined {
    const own = (extras ?? {}) as Readonly<Record<string, unknown>>;
    const isEvent = (one: OwnEvent | null) =>
        typeof one?.name === 'string' && typeof one.time === 'number' && one.time >= 0 && one.time <= end;
    const listed = [own.events, own.markers].flatMap((list) => (Array.isArray(list) ? list.filter(isEvent) : []));
    const added = Object.entries(recipe.events ?? {}).flatMap(([clip, list]) =>
        clip === `#${animation}` || clip === name ? list : [],
    );
    const { from = 0, to = Infinity } = recipe;
    const events = [...(listed as OwnEvent[]), ...added]
        .filter(({ time }) => time >= from && time <= Math.min(to, end))
        .sort((a, b) => a.time - b.time)
        .map((one) => ({ name: one.name, time: Math.min(one.time - from, duration) }));
    return events.length > 0 ? events : undefined;
}

/** Whether two JSON values are equal. Goes as deep as the first, which was checked. */
function isSame(a: unknown, b: unknown): boolean {
    if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
    const [keys, others] = [Object.keys(a), Object.keys(b)];
    const at = (value: object, key: string) => (value as Record<string, unknown>)[key];
    return (
        Array.isArray(a) === Array.isArray(b) &&
        keys.length === others.length &&
        keys.every((key) => Object.hasOwn(b, key) && isSame(at(a, key), at(b, key)))
    );
}

/** Returns a function: whether a channel moves a node that the bake has rows of. */
function movers({ arrays }: BakeFiles['manifest'], { evaluator, nodes, motion }: Subject) {
    const chain = new Set(evaluator.withAncestors(motion === null ? nodes : [...nodes, motion.node]));
    const morphed = new Set((arrays.morph?.meshes ?? []).map(({ node }) => node));
    return ({ node, path }: Channel) => (path === 'weights' ? morphed : chain).has(node);
}

/** Frames that start after a jump (a STEP value that changes, or two keys at one time), and how late they are. */
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

/** Whether two keys have the same value. */
export function sameKeys({ values, width, interpolation }: Sampler, a: number, b: number): boolean {
    const [parts, first] = interpolation === 'CUBICSPLINE' ? [3, width] : [1, 0];
    for (let c = first; c < first + width; c++) {
        if (values[a * width * parts + c] !== values[b * width * parts + c]) return false;
    }
    return true;
}
