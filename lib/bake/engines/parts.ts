// SPDX-License-Identifier: MIT

import type { Document, Primitive } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import { InputError } from '../../base/errors';
import type { Clock } from '../../base/progress';
import type { Manifest } from '../../format/manifest';
import { faultyClips } from '../../gltf/faulty-clips';
import type { InputFiles } from '../../gltf/input';
import type { Warning } from '../../gltf/scene';
import { type ReadDocument, readDocument } from '../dense/read-document';
import { frameTimesOf } from '../plan/frames';
import { type BakePlan, clipName } from '../plan/plan';
import { jumpWarnings, primitiveWarnings } from '../pvat/pvat';
import { eachBatch, type Model, modelsOf, type PlacedVertices, type Rows, trianglesOf } from '../pvat/vertices';
import { allFinite } from '../rows/floats';
import { byMaterial } from './mesh';

/** One primitive of a mesh at one node. */
export interface DrawnPart {
    readonly model: Model;
    readonly placed: PlacedVertices;
    /** Index into the lists of `placed.drawn`. */
    readonly index: number;
    readonly source: Primitive;
    /** Index in the mesh of the input. */
    readonly primitive: number;
    /** Number of the first vertex in `placed`. */
    readonly first: number;
    readonly count: number;
    /** Numbers of vertices of this part. */
    readonly triangles: Uint32Array;
}

/** A character that is ready for an engine's files. */
export interface EngineModel {
    readonly document: Document;
    readonly write: ReadDocument['write'];
    readonly models: readonly Model[];
    readonly clips: readonly Rows[];
    /** By primitive of the new mesh. */
    readonly groups: readonly (readonly DrawnPart[])[];
    readonly warnings: readonly Warning[];
}

/** @throws InputError `NO_MESH`, `GLTF_INVALID`. */
export async function engineModelOf(plan: BakePlan, files: InputFiles, where: string): Promise<EngineModel> {
    const { scene, file } = plan;
    const { document, warnings, write } = await readDocument(files, faultyClips(scene));
    const clips = plan.clips.map(({ animation, firstRow, timeline }): Rows => {
        const { name } = scene.animations[animation]!;
        const { frameCount, duration } = timeline;
        const times = frameTimesOf(timeline);
        return { name, animation, frameStart: firstRow, frameCount: frameCount - 1, duration, times };
    });
    const models = modelsOf(plan, document);
    if (models.length === 0)
        throw new InputError('NO_MESH', file, '/meshes', `no triangle moves, and ${where} has only these`);
    const meshes = document.getRoot().listMeshes();
    const parts = models.flatMap((model) =>
        model.meshes.flatMap((placed) => {
            let start = 0;
            const triangles = trianglesOf(model, placed, clips[0]!);
            return placed.drawn.sources.map((source, index): DrawnPart => {
                const first = start;
                const count = placed.drawn.primitives[index]!.positions.length / 3;
                start += count;
                const own = triangles[index]!.map((vertex) => vertex - placed.first - first);
                const primitive = meshes.map((mesh) => mesh.listPrimitives().indexOf(source)).find((at) => at >= 0)!;
                return { model, placed, index, source, primitive, first, count, triangles: own };
            });
        }),
    );
    const lost = warnings.filter(({ code }) => code === 'IMAGE_LEFT_OUT');
    const more = [...primitiveWarnings(plan, document, where), ...jumpWarnings(plan, clips, models, where)];
    return { document, write, models, clips, groups: byMaterial(parts), warnings: [...lost, ...more] };
}

/** The vertices of a mesh in one pose or several. */
export interface Skinned {
    readonly placed: PlacedVertices;
    /** `[pose][vertex][3]` */
    readonly positions: Float32Array;
    readonly normals: Float32Array;
}

/** @throws InputError `NOT_FINITE`, which names the clip, or the rest pose. */
function skinMeshes({ scene, file }: BakePlan, { rig, poses, meshes }: Model, animation: number | null): Skinned[] {
    return meshes.map((placed) => {
        const positions = new Float32Array(poses.count * placed.count * 3);
        const normals = new Float32Array(positions.length);
        rig.skinVertices(poses, 0, placed.mesh, positions, normals);
        if (allFinite(positions)) return { placed, positions, normals };
        const what = animation === null ? 'the rest pose' : clipName(scene, animation);
        const pointer = animation === null ? '/nodes' : `/animations/${animation}`;
        throw new InputError('NOT_FINITE', file, pointer, `${what}: a vertex is not finite`);
    });
}

/** The vertices at rest. Call it before `eachRow`, which overwrites the poses. */
export function restOf(plan: BakePlan, { models }: EngineModel): ReadonlyMap<PlacedVertices, Skinned> {
    return new Map(
        models.flatMap((model) => {
            model.poses.count = 1;
            model.rig.toGlobal(model.poses);
            return skinMeshes(plan, model, null).map((skinned) => [skinned.placed, skinned]);
        }),
    );
}

/** Calls `visit` with all vertices of all rows, in batches that begin with row `row`. */
export async function eachRow(
    plan: BakePlan,
    { models, clips }: EngineModel,
    clock: Clock,
    visit: (row: number, skinned: Skinned) => void,
): Promise<void> {
    for (const model of models) {
        await eachBatch({ clips, clock }, model, (row, { animation }) => {
            for (const skinned of skinMeshes(plan, model, animation)) visit(row, skinned);
        });
    }
}

/** A clip as engines know it. */
export interface EngineClip {
    /** Made different where names repeat or are empty. */
    readonly name: string;
    /** Its first row, and the number of equal intervals between rows. */
    readonly first: number;
    readonly intervals: number;
    readonly fps: number;
    readonly loop: boolean;
}

export type Outputs = readonly { readonly manifest: Manifest }[];

export function engineClipsOf(plan: BakePlan, clips: readonly Rows[], outputs: Outputs): EngineClip[] {
    const used = new Set<string>();
    return clips.map(({ name, animation, frameStart, frameCount }, i) => {
        const base = name || `Clip ${animation}`;
        let unique = base;
        for (let n = 2; used.has(unique); n++) unique = `${base} ${n}`;
        used.add(unique);
        const [numerator, denominator] = plan.clips[i]!.timeline.rate ?? plan.rate;
        return {
            name: unique,
            first: frameStart,
            intervals: frameCount,
            fps: numerator / denominator,
            loop: outputs.every(({ manifest }) => manifest.clips[i]!.loop),
        };
    });
}

/** Model units. */
export interface FolderError {
    /** Maximum distance of a vertex in a frame, and between frames that are mixed linearly. */
    readonly frames: number;
    readonly between: number;
}

export function extentOf(outputs: Outputs): number {
    return outputs.reduce((max, { manifest }) => Math.max(max, manifest.extent), 0);
}

/** The error between rows, with that of morph weights where there are any. */
export function lerpOf(outputs: Outputs): number {
    const errors = outputs.flatMap(({ manifest }) => manifest.clips.map(({ error }) => error));
    return errors.reduce((max, { maxLerp, maxMorph = 0 }) => Math.max(max, maxLerp + maxMorph), 0);
}

/** Rounding of float32 poses: of the extent, and of the distance to the origin. */
const POSED = 1e-5;
const FAR = 1e-6;

/** @param reach Where vertices come. */
export function posedError(extent: number, reach: Iterable<number>): number {
    return POSED * extent + FAR * Math.max(...Array.from(reach, Math.abs));
}

/** By these `verify` finds the source, and what is stated. Consumers ignore them. */
export function factsOf(plan: BakePlan, { groups }: EngineModel, outputs: Outputs, error: FolderError) {
    const [{ manifest }] = outputs as readonly [Outputs[number]];
    return {
        source: manifest.source,
        recipe: manifest.recipe,
        skin: plan.recipe.skin,
        extent: extentOf(outputs),
        error,
        clips: manifest.clips.map(({ name, animation, firstRow, frameCount, rate }) => {
            return { name, animation, firstRow, frameCount, rate };
        }),
        parts: groups.map((group) =>
            group.map(({ placed, primitive, count }) => ({ node: placed.drawn.node, primitive, vertices: count })),
        ),
    };
}
