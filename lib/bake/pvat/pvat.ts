// SPDX-License-Identifier: MIT

import type { Document } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import { InputError, inputName, namingOptions, ToleranceError } from '../../base/errors';
import { significant } from '../../base/messages';
import { Clock } from '../../base/progress';
import { faultyClips } from '../../gltf/faulty-clips';
import type { InputFiles } from '../../gltf/input';
import type { Warning } from '../../gltf/scene';
import { comparedOf, squaredDiagonal } from '../../rig/measure/extent';
import { type Box, emptyBox } from '../../rig/measure/geometry';
import { STRICT_VERSION } from '../../strict/version';
import { readDocument } from '../dense/read-document';
import { frameTimesOf, jumpsOf } from '../plan/frames';
import { type BakePlan, clipName, SMALLER } from '../plan/plan';
import { allowedRounding, hintOf } from '../plan/tolerance';
import { modelOfCharacter } from '../rows/skin-model';
import { albedoOf } from './albedo';
import { MAX_TEXELS, textureSize, writeContainer } from './container';
import { drawnPrimitivesOf, placedMeshesOf, TRIANGLES } from './drawn-meshes';
import { addBounds, eachBatch, type Model, modelsOf, type Rows, rowWriter, STEPS, trianglesOf } from './vertices';

/**
 * Stores all characters of a plan as one mesh, with positions and normals of each vertex for every row. The format is
 * PlayCanvas's vertex animation texture (docs/format.md).
 *
 * @param files The input's files, with the bytes that were read.
 * @throws InputError `NO_MESH`, `OUTPUT_TOO_LARGE`, `NOT_FINITE`, `GLTF_INVALID`; ToleranceError if 16 bits are too
 * few.
 */
export async function pvatOfPlan(
    plan: BakePlan,
    files: InputFiles,
    signal: AbortSignal | undefined,
): Promise<{ bytes: Uint8Array; warnings: readonly Warning[] }> {
    const { scene, recipe } = plan;
    const { document, warnings: read } = await readDocument(files, faultyClips(plan.scene));
    const clips = rowsOf(plan);
    const last = clips[clips.length - 1]!;
    const rows = last.frameStart + last.times.length;
    const vertexCount = countVertices(plan, document, rows);
    const models = modelsOf(plan, document);
    const clock = new Clock({ signal }, Infinity);

    const box = emptyBox();
    const evaluated = { clips, clock };
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
    const { error, extent } = refuseInexact(plan, box);
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
            source: { name: scene.name, sha256: scene.sha256, animations: scene.clipFiles },
            kernel: STRICT_VERSION,
            renormalize: recipe.renormalize || undefined,
            extent,
            error: { position: error, positionShare: extent > 0 ? error / extent : 0 },
        },
    });
    const images = read.filter(({ code }) => code === 'IMAGE_LEFT_OUT');
    return {
        bytes,
        warnings: [
            ...images,
            ...primitiveWarnings(plan, document, 'a .vat'),
            ...materialWarnings(lost),
            ...jumpWarnings(plan, clips, models, 'a .vat'),
        ],
    };
}

/** The clips of the plan as rows. A clip without duration lasts one frame. */
function rowsOf({ scene, clips, rate }: BakePlan): Rows[] {
    let frameStart = 0;
    return clips.map(({ animation, timeline }) => {
        const found = frameTimesOf(timeline);
        const times = found.length > 1 ? found : Float32Array.of(found[0]!, found[0]!);
        const duration = timeline.duration > 0 ? timeline.duration : rate[1] / rate[0];
        const { name } = scene.animations[animation]!;
        const row = { name, frameStart, frameCount: times.length - 1, duration, animation, times };
        frameStart += times.length;
        return row;
    });
}

/** @throws InputError `NO_MESH`, `OUTPUT_TOO_LARGE`, before memory for the vertices is allocated. */
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

/**
 * The maximum error of 16-bit positions, which is half a step along each axis, and the extent of the model as in bakes.
 *
 * @throws ToleranceError if the error exceeds the tolerance.
 */
function refuseInexact(plan: BakePlan, box: Box): { error: number; extent: number } {
    const sizes = plan.characters.map((character) => modelOfCharacter(plan, character, 1).size);
    const extent = comparedOf(sizes).reduce((max, one) => Math.max(max, one.extent), 0);
    const error = Math.sqrt(squaredDiagonal(box)) / STEPS / 2;
    const allowed = allowedRounding(plan, { extent });
    if (error <= allowed) return { error, extent };
    throw namingOptions((name) => {
        const off = `positions in 16 bits are off by ${significant(error)}, more than the ${significant(allowed)}`;
        const why = 'the clips reach too far: bake those that travel by themselves';
        return new ToleranceError(
            `${inputName(plan.file)}: ${name('emit')} 'pvat': ${off} of ${name('maxError')}: ${why}${hintOf(plan, { extent })}`,
        );
    });
}

export function primitiveWarnings({ scene, characters }: BakePlan, document: Document, where: string): Warning[] {
    const meshes = new Set(characters.flatMap((character) => placedMeshesOf(scene, character).map(({ mesh }) => mesh)));
    const pointers = [...meshes].flatMap((mesh) =>
        document
            .getRoot()
            .listMeshes()
            [mesh]!.listPrimitives()
            .flatMap((primitive, i) => (primitive.getMode() < TRIANGLES ? [`/meshes/${mesh}/primitives/${i}`] : [])),
    );
    return pointers.map((pointer) => ({
        code: 'PRIMITIVE_LEFT_OUT',
        pointer,
        message: `lines and points are not in ${where}`,
    }));
}

function materialWarnings(lost: readonly string[]): Warning[] {
    if (lost.length === 0) return [];
    const message = `a .vat has one base color image and nothing more: without ${lost.join('; ')}`;
    return [{ code: 'MATERIAL_LEFT_OUT', pointer: '/materials', message }];
}

export function jumpWarnings(
    { scene }: BakePlan,
    clips: readonly Rows[],
    models: readonly Model[],
    where: string,
): Warning[] {
    const jumping = clips.filter(({ animation, times }) =>
        models.some(({ channels }) => jumpsOf(channels.get(animation)!, times).frames.length > 0),
    );
    if (jumping.length === 0) return [];
    const { animation } = jumping[0]!;
    const more = jumping.length > 1 ? ` and ${jumping.length - 1} more` : '';
    const message = `${clipName(scene, animation)}${more}: what jumps there takes the time of a row in ${where}`;
    return [{ code: 'JUMPS_BLENDED', pointer: `/animations/${animation}`, message }];
}

export function joined<T extends Float32Array | Uint32Array>(Type: new (length: number) => T, lists: readonly T[]): T {
    const all = new Type(lists.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const list of lists) {
        all.set(list as never, at);
        at += list.length;
    }
    return all;
}
