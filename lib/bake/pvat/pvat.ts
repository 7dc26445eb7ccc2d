// SPDX-License-Identifier: MIT

import type { Document } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import { InputError, inputName, namingOptions, ToleranceError } from '../../errors';
import type { InputFiles } from '../../gltf/files';
import type { Warning } from '../../gltf/scene';
import { significant } from '../../messages';
import { LANES } from '../../rig/kernels/contract';
import type { Poses } from '../../rig/poses';
import { STRICT_VERSION } from '../../strict/version';
import { readOrigins } from '../batch';
import { allowedError } from '../clip';
import { readDocument } from '../dense/read-document';
import { extentOf } from '../extent';
import { allFinite } from '../floats';
import { addPoint, type Box, emptyBox } from '../geometry';
import { type BakePlan, clipName, SMALLER } from '../plan';
import { Clock } from '../progress';
import { rigOfCharacter, type SkinRig } from '../skin-rig';
import { frameTimesOf, jumpsOf, timelineOf } from '../timeline';
import { albedoOf } from './albedo';
import { MAX_TEXELS, type PvatAnimation, textureSize, writeContainer } from './container';
import { type DrawnMesh, drawnMeshesOf, drawnPrimitivesOf, placedMeshesOf } from './drawn-meshes';

/** One clip: an animation of the file, and when its rows are. */
interface Rows extends PvatAnimation {
    readonly animation: number;
    /** Seconds, one for each row. */
    readonly times: Float32Array;
}

/** A character that is ready to be evaluated. */
interface Model extends SkinRig {
    readonly meshes: readonly PlacedVertices[];
    readonly poses: Poses;
}

/** One of the rig's meshes, and where its vertices are among all. */
interface PlacedVertices {
    readonly drawn: DrawnMesh;
    /** Index into `rig.meshes`. */
    readonly mesh: number;
    readonly count: number;
    readonly first: number;
}

const STEPS = 65535;
/** Vertices, of all poses of a batch, that are calculated at once. */
const BATCH_VERTICES = 1 << 20;

/**
 * All characters of a plan as one mesh, whose vertices and normals are stored for every row: PlayCanvas's vertex animation
 * texture (docs/format.md).
 *
 * @param files The input as it was when it was read.
 * @throws InputError `NO_MESH`, `OUTPUT_TOO_LARGE`, `NOT_FINITE`, `GLTF_INVALID`; ToleranceError where 16 bits are too few.
 */
export async function pvatOfPlan(
    plan: BakePlan,
    files: InputFiles,
    signal: AbortSignal | undefined,
): Promise<{ bytes: Uint8Array; warnings: readonly Warning[] }> {
    const { scene, recipe } = plan;
    const { document, warnings: read } = await readDocument(files);
    const clips = rowsOf(plan);
    const last = clips[clips.length - 1]!;
    const rows = last.frameStart + last.times.length;
    const vertexCount = countVertices(plan, document, rows);
    const models = modelsOf(plan, document);
    const clock = new Clock({ signal }, Infinity);

    const box = emptyBox();
    const evaluated = { plan, clips, clock };
    const notFinite = ({ animation }: Rows): InputError => {
        const rule = `${clipName(scene, animation)}: a vertex is not finite`;
        return new InputError('NOT_FINITE', plan.file, `/animations/${animation}`, rule);
    };
    for (const model of models) {
        await eachBatch(evaluated, model, (_, clip) => {
            addBounds(box, model);
            if (!box.every(Number.isFinite)) throw notFinite(clip);
        });
    }
    const { error, extent } = refuseInexact(plan, models, box);
    const triangles = models.flatMap((model) => model.meshes.flatMap((mesh) => trianglesOf(model, mesh, clips[0]!)));

    const { width, height } = textureSize(vertexCount * rows);
    const texels = new Uint16Array(width * height * 4);
    for (const model of models) {
        const writer = rowWriter(model, texels, rows, box);
        await eachBatch(evaluated, model, (row, clip) => {
            if (!writer(row)) throw notFinite(clip);
        });
    }

    const sources = models.flatMap(({ meshes }) => meshes.flatMap(({ drawn }) => drawn.sources));
    const { image, uvsOf, lost } = albedoOf(sources);
    const bytes = writeContainer({
        fps: plan.rate[0] / plan.rate[1],
        animations: clips.map(({ name, frameStart, frameCount, duration }) => ({
            name,
            frameStart,
            frameCount,
            duration,
        })),
        vertexCount,
        rows,
        box,
        texels,
        indices: joined(Uint32Array, triangles),
        uvs: joined(Float32Array, sources.map(uvsOf)),
        image,
        extras: {
            source: { name: scene.name, sha256: scene.sha256 },
            kernel: STRICT_VERSION,
            renormalize: recipe.renormalize || undefined,
            extent,
            error: { position: error, positionShare: extent > 0 ? error / extent : 0 },
        },
    });
    const images = read.filter(({ code }) => code === 'IMAGE_LEFT_OUT');
    return { bytes, warnings: [...images, ...materialWarnings(lost), ...jumpWarnings(plan, clips, models)] };
}

/** Rows at even distances, which is all that the format has: as with `end: 'fit'`. A clip without duration lasts a frame. */
function rowsOf({ scene, recipe, clips, rate }: BakePlan): Rows[] {
    let frameStart = 0;
    return clips.map(({ animation, rate: own }) => {
        const source = scene.animations[animation]!;
        const timeline = timelineOf(source, own, { ...recipe.window, end: 'fit' });
        const found = frameTimesOf(timeline);
        const times = found.length > 1 ? found : Float32Array.of(found[0]!, found[0]!);
        const duration = timeline.duration > 0 ? timeline.duration : rate[1] / rate[0];
        const row = { name: source.name, frameStart, frameCount: times.length - 1, duration, animation, times };
        frameStart += times.length;
        return row;
    });
}

/** @throws InputError `NO_MESH`, `OUTPUT_TOO_LARGE`, before anything of that size is allocated. */
function countVertices({ scene, file, characters }: BakePlan, document: Document, rows: number): number {
    let count = 0;
    for (const character of characters) {
        for (const placed of placedMeshesOf(scene, character)) {
            for (const primitive of drawnPrimitivesOf(document, placed)) {
                count += primitive.getAttribute('POSITION')!.getCount();
            }
        }
    }
    if (count === 0) throw new InputError('NO_MESH', file, '/meshes', "there is no triangle that moves: emit 'pvat'");
    if (count * rows <= MAX_TEXELS) return count;
    const texels = `${count} vertices x ${rows} rows = ${count * rows}, more than the ${MAX_TEXELS}`;
    throw new InputError(
        'OUTPUT_TOO_LARGE',
        file,
        '',
        `${texels} that a vertex animation texture can have: ${SMALLER}`,
    );
}

function modelsOf(plan: BakePlan, document: Document): Model[] {
    let first = 0;
    return plan.characters.flatMap((character): Model[] => {
        const placed = placedMeshesOf(plan.scene, character);
        const drawn = drawnMeshesOf(plan, character, placed, document);
        const skinRig = rigOfCharacter(plan, character, drawn);
        const indexOf = new Map(skinRig.rig.meshes.map(({ node }, index) => [node, index]));
        const meshes = drawn.flatMap((one): PlacedVertices[] => {
            const mesh = indexOf.get(one.node)!;
            const count = skinRig.rig.meshes[mesh]!.vertexCount;
            if (count === 0) return [];
            first += count;
            return [{ drawn: one, mesh, count, first: first - count }];
        });
        if (meshes.length === 0) return [];
        const vertices = meshes.reduce((max, { count }) => Math.max(max, count), 0);
        const poses = skinRig.rig.createPoses(Math.max(1, Math.min(LANES, Math.floor(BATCH_VERTICES / vertices))));
        return [{ ...skinRig, meshes, poses }];
    });
}

/**
 * Evaluates all rows, some at a time.
 *
 * @param visit Finds them in the poses of the model, up to the globals.
 */
async function eachBatch(
    { clips, clock }: { readonly clips: readonly Rows[]; readonly clock: Clock },
    { rig, poses }: Model,
    visit: (row: number, clip: Rows) => void,
): Promise<void> {
    for (const clip of clips) {
        for (let at = 0; at < clip.times.length; at += poses.capacity) {
            const times = clip.times.subarray(at, at + poses.capacity);
            poses.count = times.length;
            rig.evaluate(poses, clip.animation, times);
            rig.toGlobal(poses);
            visit(clip.frameStart + at, clip);
            if (clock.advance(times.length)) await clock.turnOver();
        }
    }
}

/** Grows a box by the vertices of all poses. */
function addBounds(box: Box, { rig, meshes, poses }: Model): void {
    const boxes = new Float32Array(poses.count * 6);
    for (const { mesh } of meshes) {
        rig.bounds(poses, 0, mesh, boxes);
        for (let i = 0; i < boxes.length; i += 3) addPoint(box, boxes[i]!, boxes[i + 1]!, boxes[i + 2]!);
    }
}

/**
 * How far 16 bits are off at most, half a step along each axis, and the extent of the model, as bakes have it.
 *
 * @throws ToleranceError
 */
function refuseInexact(plan: BakePlan, models: readonly Model[], box: Box): { error: number; extent: number } {
    const rest = emptyBox();
    const origins = models.map((model) => {
        const { rig, channels: _, meshes } = model;
        const poses = rig.createPoses(1);
        rig.toGlobal(poses);
        addBounds(rest, { ...model, poses, meshes });
        const places = new Float32Array(rig.slots.length * 3);
        readOrigins(places, poses, Int32Array.from(rig.slots.keys()), 0);
        return places;
    });
    const extent = extentOf(rest, joined(Float32Array, origins));
    const error = extentOf(box, new Float32Array(0)) / STEPS / 2;
    const allowed = allowedError(plan, { extent });
    if (error <= allowed) return { error, extent };
    throw namingOptions((name) => {
        const off = `positions in 16 bits are off by ${significant(error)}, more than the ${significant(allowed)}`;
        const why = 'the clips reach too far: bake those that travel by themselves';
        return new ToleranceError(
            `${inputName(plan.file)}: ${name('emit')} 'pvat': ${off} of ${name('maxError')}: ${why}`,
        );
    });
}

/** The triangles of a mesh by vertices of the file, turned round where the first row mirrors them. */
function trianglesOf(
    { rig, poses }: Model,
    { drawn, first }: PlacedVertices,
    { animation, times }: Rows,
): Uint32Array[] {
    let mirrored = false;
    if (drawn.column >= 0) {
        const palette = new Float32Array(rig.skins[0]!.joints.length * 16);
        rig.bakePalettes(poses, animation, times.subarray(0, 1), 0, palette);
        mirrored = determinantOf(palette.subarray(drawn.column * 16)) < 0;
    }
    let start = first;
    return drawn.triangles.map((list, i) => {
        const moved = list.map((index) => index + start);
        start += drawn.primitives[i]!.positions.length / 3;
        if (mirrored) for (let t = 0; t < moved.length; t += 3) moved.subarray(t, t + 2).reverse();
        return moved;
    });
}

function determinantOf(m: Float32Array): number {
    const minor = (a: number, b: number) => m[4 + a]! * m[8 + b]! - m[4 + b]! * m[8 + a]!;
    return m[0]! * minor(1, 2) + m[1]! * minor(2, 0) + m[2]! * minor(0, 1);
}

/** Writes the rows that the poses of a model are; false where a vertex is not finite. */
function rowWriter({ rig, meshes, poses }: Model, texels: Uint16Array, rows: number, box: Box) {
    const floats = poses.capacity * meshes.reduce((max, { count }) => Math.max(max, count), 0) * 3;
    const positions = new Float32Array(floats);
    const normals = new Float32Array(floats);
    const sizes = [0, 1, 2].map((axis) => box[axis + 3]! - box[axis]!);
    return (row: number): boolean => {
        for (const { mesh, count, first } of meshes) {
            rig.skinVertices(poses, 0, mesh, positions, normals);
            if (!allFinite(positions.subarray(0, poses.count * count * 3))) return false;
            let at = 0;
            for (let pose = 0; pose < poses.count; pose++) {
                for (let v = first; v < first + count; v++, at += 3) {
                    const texel = (v * rows + row + pose) * 4;
                    for (let axis = 0; axis < 3; axis++) {
                        const size = sizes[axis]!;
                        const share = size > 0 ? (positions[at + axis]! - box[axis]!) / size : 0;
                        texels[texel + axis] = Math.round(share * STEPS);
                    }
                    texels[texel + 3] = octahedral(normals[at]!, normals[at + 1]!, normals[at + 2]!);
                }
            }
        }
        return true;
    };
}

/** A direction in two bytes: its place on an octahedron, whose lower half is folded over the upper one. */
function octahedral(x: number, y: number, z: number): number {
    const sum = Math.abs(x) + Math.abs(y) + Math.abs(z) || 1;
    let u = x / sum;
    let v = y / sum;
    if (z < 0) {
        const folded = (1 - Math.abs(v)) * (u < 0 ? -1 : 1);
        v = (1 - Math.abs(u)) * (v < 0 ? -1 : 1);
        u = folded;
    }
    return Math.round((u + 1) * 127.5) | (Math.round((v + 1) * 127.5) << 8);
}

function materialWarnings(lost: readonly string[]): Warning[] {
    if (lost.length === 0) return [];
    const message = `a .vat has one base colour image and nothing more: without ${lost.join('; ')}`;
    return [{ code: 'MATERIAL_LEFT_OUT', pointer: '/materials', message }];
}

function jumpWarnings({ scene }: BakePlan, clips: readonly Rows[], models: readonly Model[]): Warning[] {
    const jumping = clips.filter(({ animation, times }) =>
        models.some(({ channels }) => jumpsOf(channels.get(animation)!, times).frames.length > 0),
    );
    if (jumping.length === 0) return [];
    const { animation } = jumping[0]!;
    const more = jumping.length > 1 ? ` and ${jumping.length - 1} more` : '';
    const message = `${clipName(scene, animation)}${more}: what jumps there takes the time of a row in a .vat`;
    return [{ code: 'JUMPS_BLENDED', pointer: `/animations/${animation}`, message }];
}

function joined<T extends Float32Array | Uint32Array>(Type: new (length: number) => T, lists: readonly T[]): T {
    const all = new Type(lists.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const list of lists) {
        all.set(list as never, at);
        at += list.length;
    }
    return all;
}
