// SPDX-License-Identifier: MIT

import { significant } from '../../base/messages';
import type { VerifyProblem } from '../check-manifest';
import { readWithClips } from '../clips';
import { DoubleEvaluator } from '../evaluator';
import { framesOf } from '../frame-times';
import { checkOptions, checkPaths, type VerifyOptions } from '../options';
import { Progress } from '../progress';
import type { BakeManifest } from '../read-bake';
import { type Folder, readFolder } from './read';
import { type Drawn, drawnOf, movingOf, POSED, posesOf, poseVertex } from './vertices';

/** A vertex in a frame, in {@link FolderVerification}. */
export interface VertexPlace {
    /** Name of the clip. */
    readonly clip: string;
    /** Its number in the file. */
    readonly animation: number;
    /** From the clip's first frame, which is 0. */
    readonly frame: number;
    /** Node, primitive and number of the vertex in the input. */
    readonly vertex: string;
}

/** The result of {@link verifyFolder}. Lengths are in model units. */
export interface FolderVerification {
    /** Whether there is no problem, every vertex of every frame is within the stated error, and so are normals. */
    readonly ok: boolean;
    /** Faults other than wrong vertices. */
    readonly problems: readonly VerifyProblem[];
    /** Number of frames that were compared. */
    readonly rows: number;
    /** Number of vertices in each. */
    readonly vertices: number;
    /** Maximum distance of a vertex in a frame, also as a share of the extent; null if nothing could be judged. */
    readonly worst: ({ readonly error: number; readonly share: number } & VertexPlace) | null;
    /**
     * The normal with the largest error relative to what rounding allows there, degrees; null without normals in the
     * input.
     */
    readonly worstNormal: ({ readonly angle: number; readonly allowed: number } & VertexPlace) | null;
    /** The error that the folder states for its frames, and between them. */
    readonly stated: { readonly frames: number; readonly between: number };
    /** The length that `share` is relative to. */
    readonly extent: number;
}

/** Maximum distance between the ends of a clip that is looping, in extents: 1e-4 by matrices, and as much by morph weights. */
const LOOP = 2.1e-4;
/** Ends this close, in extents, are equal. */
const SAME = 1e-9;

/**
 * Verifies a folder of an engine, as `emit: ['openvat']` or `['godot']` writes it: reads mesh, texture and clips as their
 * consumers do, evaluates the input again in double precision, and compares every vertex of every frame with its normal.
 * It shares no code with the baker.
 *
 * @param input Path of the `.glb` or `.gltf` that was baked.
 * @param folder Path of the folder's `-remap_info.json` (OpenVAT) or `_palette.exr` (Godot). The other files are beside it.
 * @param options Files with further clips, progress, a signal.
 * @returns Problems, and the maximum errors. `ok` is false above the error that the folder states.
 * @throws InputError for files that cannot be read; UsageError for wrong options; the signal's reason.
 * @example
 * const { ok, worst } = await verifyFolder('hero.glb', 'out/hero_vat/hero-remap_info.json');
 */
export async function verifyFolder(
    input: string,
    folder: string,
    options: Pick<VerifyOptions, 'animations' | 'signal' | 'onProgress'> = {},
): Promise<FolderVerification> {
    checkPaths('verifyFolder', { input, folder });
    checkOptions('verifyFolder', options, ['animations', 'signal', 'onProgress']);
    options.signal?.throwIfAborted();
    const read = await readFolder(folder);
    const { source, recipe, skin, extent, error: stated, clips, parts } = read.facts;
    const problems: VerifyProblem[] = [];
    const add = (code: VerifyProblem['code'], pointer: string, message: string) => {
        problems.push({ code, pointer, message });
    };
    const { file, absent } = await readWithClips(
        input,
        read.facts as unknown as BakeManifest,
        options.animations,
        true,
    );
    const result = { problems, rows: 0, vertices: 0, worst: null, worstNormal: null, stated, extent };
    if (source.sha256 !== file.sha256 || absent.length > 0) {
        const message = `this is the bake of another input, or the input has changed since: it was '${source.name}' with the sha256 ${source.sha256}`;
        add('SOURCE_DIFFERS', '/poselane/source', message);
        return { ...result, ok: false };
    }
    const evaluator = new DoubleEvaluator(file, { renormalize: recipe.renormalize === true });
    const all = parts.flat();
    const drawn = all.map(({ node, primitive }) => drawnOf(evaluator, node, primitive, read.hasMorphs));
    const counts = parts.map((group) => group.reduce((sum, { vertices }) => sum + vertices, 0));
    const isMesh = drawn.every((one, i) => one?.positions.length === all[i]!.vertices * 3);
    if (!isMesh || counts.join() !== read.counts.join()) {
        add('ARRAY_INVALID', '/poselane/parts', "the mesh does not have the vertices of the input's primitives");
        return { ...result, ok: false };
    }
    const listed = new Set(all.map(({ node, primitive }) => `${node} ${primitive}`));
    for (const [node, primitive] of movingOf(evaluator, skin, recipe.attachments)) {
        if (listed.has(`${node} ${primitive}`)) continue;
        add('ARRAY_INVALID', '/poselane/parts', `node ${node}, primitive ${primitive} moves, and is not in the mesh`);
    }
    const rows = clips.reduce((sum, { frameCount }) => sum + frameCount, 0);
    if (read.rows !== rows || rows === 0) {
        add('CLIP_DIFFERS', '/poselane/clips', `the clips have ${rows} frames, the texture has ${read.rows}`);
        return { ...result, ok: false };
    }
    // The vertices of the folder's mesh: `vertex` of a part, and `at` in a primitive.
    let number = 0;
    const vertices = parts.flatMap((group, primitive) => {
        let at = 0;
        return group.flatMap(({ vertices: count }) => {
            const part = number++;
            return Array.from({ length: count }, (_, vertex) => ({ part, vertex, primitive, at: at++ }));
        });
    });
    const progress = new Progress(options, rows);
    const compared = { read, evaluator, parts: all, drawn: drawn as Drawn[], vertices, progress };
    const largest: Largest = { worst: null, worstNormal: null };
    const names = new Set<string>();
    let row = 0;
    for (const [c, clip] of clips.entries()) {
        const { name, animation, firstRow, frameCount, rate } = clip;
        const fault = file.faults.get(animation);
        if (fault !== undefined) throw fault;
        const exists = file.json.animations?.[animation] !== undefined;
        const fps = (rate ?? recipe.fps) as [number, number];
        const frames = exists ? framesOf(evaluator.duration(animation), { ...recipe, end: 'fit', fps }) : null;
        if (frames?.count !== frameCount || firstRow !== row) {
            const must = `row ${row} and ${frames?.count ?? 'no'} frames`;
            add(
                'CLIP_DIFFERS',
                `/poselane/clips/${c}`,
                `clip #${animation} has row ${firstRow} and ${frameCount} frames, must have ${must}`,
            );
            row += frameCount;
            continue;
        }
        row += frameCount;
        // Names that repeat have a number.
        const base = name || `Clip ${animation}`;
        let unique = base;
        for (let n = 2; names.has(unique); n++) unique = `${base} ${n}`;
        names.add(unique);
        const played = read.clips.get(unique);
        const isRate = frames.fps === null || Math.abs((played?.fps ?? NaN) - frames.fps) <= 1e-9 * frames.fps;
        if (played?.first !== firstRow || played.intervals !== frameCount - 1 || !isRate)
            add('CLIP_DIFFERS', '/animations', `'${unique}' does not have the rows and the rate of clip #${animation}`);
        const apart = await compareFrames(compared, clip, frames.timeOf, largest);
        const isSame = areEndsSame(evaluator, animation, frames.timeOf(0), frames.timeOf(frameCount - 1), extent);
        if (played?.looping ? apart > LOOP * extent : isSame)
            add(
                'CLIP_DIFFERS',
                '/animations',
                `'${unique}' has looping ${played?.looping}, but its ends are ${significant(apart)} apart`,
            );
    }
    if (read.clips.size !== clips.length)
        add('CLIP_DIFFERS', '/animations', `${read.clips.size} clips, the bake has ${clips.length}`);
    const { worst, worstNormal } = largest;
    const areNormals = worstNormal === null || worstNormal.angle <= worstNormal.allowed;
    const ok = problems.length === 0 && worst !== null && worst.error <= stated.frames && areNormals;
    return { ...result, ok, rows: progress.done, vertices: vertices.length, worst, worstNormal };
}

type Largest = { -readonly [Key in 'worst' | 'worstNormal']: FolderVerification[Key] };

interface Compared {
    readonly read: Folder;
    readonly evaluator: DoubleEvaluator;
    readonly parts: readonly { readonly node: number; readonly primitive: number }[];
    readonly drawn: readonly Drawn[];
    readonly vertices: readonly Readonly<Record<'part' | 'vertex' | 'primitive' | 'at', number>>[];
    readonly progress: Progress;
}

/**
 * Compares the frames of a clip, and keeps the largest errors.
 *
 * @returns Maximum distance of a vertex between the first frame and the last.
 */
async function compareFrames(
    { read, evaluator, parts, drawn, vertices, progress }: Compared,
    { name, animation, firstRow, frameCount }: BakeManifest['clips'][number],
    timeOf: (frame: number) => number,
    largest: Largest,
): Promise<number> {
    const [right, found] = [new Float64Array(POSED), new Float64Array(6)];
    const start = new Float64Array(vertices.length * 3);
    let apart = 0;
    const place = (i: number, frame: number) => {
        const { node, primitive } = parts[vertices[i]!.part]!;
        const vertex = `node ${node}, primitive ${primitive}, vertex ${vertices[i]!.vertex}`;
        return { clip: name, animation, frame, vertex };
    };
    for (let frame = 0; frame < frameCount; frame++) {
        const poses = posesOf(evaluator, drawn, animation, timeOf(frame));
        for (const [i, { part, vertex, primitive, at }] of vertices.entries()) {
            const { matrices, weights } = poses[part]!;
            poseVertex(right, drawn[part]!, vertex, matrices, weights);
            if (frame === 0) start.set(right.subarray(0, 3), i * 3);
            else if (frame === frameCount - 1) apart = Math.max(apart, distance(right, start, i * 3));
            read.decode(found, primitive, at, firstRow + frame);
            const error = distance(right, found, 0);
            // Comparisons treat NaN as the maximum.
            if (!(error <= (largest.worst?.error ?? -1))) {
                const length = error >= 0 ? error : Infinity;
                largest.worst = { error: length, share: length / read.facts.extent, ...place(i, frame) };
            }
            const [own, perRounding] = read.normalError;
            const allowed = degrees(own + perRounding * right[6]!);
            if (!(allowed < 180)) continue;
            const angle = degrees(angleOf(right, found));
            const { worstNormal: last } = largest;
            if (!(angle / allowed <= (last ? last.angle / last.allowed : -1)))
                largest.worstNormal = { angle: angle >= 0 ? angle : 180, allowed, ...place(i, frame) };
        }
        await progress.rowDone();
    }
    return apart;
}

function distance(a: Float64Array, b: Float64Array, at: number): number {
    return Math.hypot(a[0]! - b[at]!, a[1]! - b[at + 1]!, a[2]! - b[at + 2]!);
}

/** Between the normals, radians. NaN for one without direction. */
function angleOf(a: Float64Array, b: Float64Array): number {
    const [here, there] = [Math.hypot(a[3]!, a[4]!, a[5]!), Math.hypot(b[3]!, b[4]!, b[5]!)];
    let squared = 0;
    for (let i = 3; i < 6; i++) squared += (a[i]! / here - b[i]! / there) ** 2;
    return 2 * Math.asin(Math.min(1, Math.sqrt(squared) / 2));
}

function degrees(radians: number): number {
    return (radians * 180) / Math.PI;
}

/** Whether all matrices and weights agree at two times. */
function areEndsSame(evaluator: DoubleEvaluator, animation: number, a: number, b: number, extent: number): boolean {
    const [first, last] = [a, b].map((time) => [
        ...evaluator.globals(animation, time),
        ...evaluator.nodes.flatMap((_, node) => evaluator.weights(node, animation, time)),
    ]) as [number[], number[]];
    return first.every((x, i) => Math.abs(x - last[i]!) <= SAME * (i % 16 >= 12 ? extent : 1));
}
