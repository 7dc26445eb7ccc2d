// SPDX-License-Identifier: MIT

/** A crowd for Godot: a mesh, the palette as a texture, a shader and a script. docs/engines.md describes them. */

import { basename } from 'node:path';
import { InputError } from '../../base/errors';
import { halfOf } from '../../format/half';
import type { InputFiles } from '../../gltf/input';
import type { Warning } from '../../gltf/scene';
import { squaredDiagonal } from '../../rig/measure/extent';
import { addPoint, emptyBox } from '../../rig/measure/geometry';
import { godotFilesOf } from '../godot-files';
import { isGodot3, ownNames } from '../plan/options';
import { type BakePlan, refuseTooLarge } from '../plan/plan';
import { exrOf } from './exr';
import { replaceByMesh } from './mesh';
import {
    type DrawnPart,
    type EngineModel,
    engineClipsOf,
    engineModelOf,
    extentOf,
    factsOf,
    lerpOf,
    type Outputs,
    posedError,
} from './parts';

/** Numbers of a texel. A matrix has three texels, its rows. */
const TEXEL = 4;
const MATRIX = 3 * TEXEL;
/** Maximum width and height that nearly all devices allow. */
const MAX_SIDE = 8192;
/** `TEXCOORD_1` has two numbers below this, which half floats hold exactly: Godot 3 stores texture coordinates so. */
const PLACES = 1024;
const MAX_HALF_WHOLE = 2048;

/**
 * @param outputs The bakes of the plan's characters, which say what loops and where the character moves.
 * @throws InputError `NO_MESH`, `OUTPUT_TOO_LARGE`, `GLTF_INVALID`.
 */
export async function godotOfPlan(
    plan: BakePlan,
    files: InputFiles,
    stem: string,
    outputs: Outputs,
): Promise<{ files: readonly Uint8Array[]; warnings: readonly Warning[] }> {
    const { rows, recipe } = plan;
    const model = await engineModelOf(plan, files, 'a crowd for Godot');
    const { models, groups, clips } = model;
    const firsts = new Map<object, number>();
    let columns = 0;
    for (const one of models) {
        firsts.set(one, columns);
        columns += one.rig.skins[0]!.joints.length;
    }
    const { numbers, texels: skinning, sets } = skinningOf(groups.flat(), firsts);
    const count = rows * columns * MATRIX + skinning.length;
    let width = 64;
    while (width < MAX_SIDE && width * width * TEXEL < count) width *= 2;
    const height = Math.ceil(count / TEXEL / width);
    refuseTooBig(plan, columns, height, skinning.length / (2 * TEXEL * sets));

    const values = new Float32Array(width * height * TEXEL);
    for (const [first, { rig }] of models.map((one) => [firsts.get(one)!, one] as const)) {
        const own = rig.skins[0]!.joints.length * MATRIX;
        for (const { animation, frameStart, times } of clips) {
            const palette = new Float32Array(times.length * own);
            rig.bakePalettes(null, animation, times, 0, palette, 'mat3x4');
            for (let row = 0; row < times.length; row++) {
                const at = ((frameStart + row) * columns + first) * MATRIX;
                values.set(palette.subarray(row * own, (row + 1) * own), at);
            }
        }
    }
    values.set(skinning, rows * columns * MATRIX);
    // The rows were baked as half floats before, with their error. Numbers of joints are halves.
    const stored = isGodot3(recipe) ? Uint16Array.from(values, halfOf) : values;
    const palette = exrOf({ width, height, channels: TEXEL, values: stored });

    // Godot's importer loses the factor where there is a texture, and the script takes white.
    for (const material of model.document.getRoot().listMaterials())
        if (material.getEmissiveFactor().every((x) => x === 0)) material.setEmissiveTexture(null);
    const mesh = meshOf(model, numbers);
    replaceByMesh(model.document, stem, mesh);
    const box = emptyBox();
    for (const { positions: p } of mesh.flat())
        for (let i = 0; i < p.length; i += 3) addPoint(box, p[i]!, p[i + 1]!, p[i + 2]!);
    const reach = emptyBox();
    for (const { bounds: b } of outputs.flatMap(({ manifest }) => manifest.clips)) {
        for (const to of [box, reach]) for (const i of [0, 3]) addPoint(to, b[i]!, b[i + 1]!, b[i + 2]!);
    }
    const posed = posedError(extentOf(outputs), reach);
    const halves = outputs.reduce((max, { manifest: { recipe: own } }) => Math.max(max, own.maxError ?? 0), 0);
    const error = { frames: posed + halves, between: posed + lerpOf(outputs) };
    model.document.getRoot().getAsset().extras = { poselane: factsOf(plan, model, outputs, error) };
    const named = ownNames(recipe, 'godot', stem).map((name) => JSON.stringify(basename(name)));
    const decimal = (x: number) => (Number.isInteger(x) ? `${x}.0` : String(x));
    const listed = engineClipsOf(plan, clips, outputs).map(({ name, first, intervals, fps, loop }) => {
        return `\n\t${JSON.stringify(name)}: [${first}, ${intervals}, ${decimal(fps)}, ${loop}]`;
    });
    const code = godotFilesOf(recipe.godot, {
        COLUMNS: String(columns),
        WIDTH: String(width),
        SKINNING: String((rows * columns * MATRIX) / TEXEL),
        SETS: String(sets),
        PLACES: String(PLACES),
        CLIPS: `{${listed}\n}`,
        MESH: named[0]!,
        PALETTE: named[1]!,
        SHADER: named[2]!,
        REACH: decimal(Math.fround(Math.sqrt(squaredDiagonal(box)))),
    });
    return { files: [await model.write(), palette, ...code], warnings: model.warnings };
}

/** @throws InputError `OUTPUT_TOO_LARGE`. */
function refuseTooBig(plan: BakePlan, columns: number, height: number, different: number): void {
    const refuse = (rule: string) => {
        throw new InputError('OUTPUT_TOO_LARGE', plan.file, '', rule);
    };
    refuseTooLarge(plan, columns, columns * MATRIX * 4);
    if (height > MAX_SIDE) {
        const size = `${plan.rows} rows of ${columns} matrices need a texture of ${MAX_SIDE} x ${height} texels`;
        refuse(`${size}, more than ${MAX_SIDE} x ${MAX_SIDE}: bake fewer clips, or fewer frames per second`);
    }
    if (isGodot3(plan.recipe) && columns > MAX_HALF_WHOLE) {
        refuse(
            `${columns} joints and attachments, more than the ${MAX_HALF_WHOLE} that half floats can number: use Godot 4`,
        );
    }
    if (different > PLACES * MAX_HALF_WHOLE)
        refuse(`${different} vertices of different joints or weights, more than ${PLACES * MAX_HALF_WHOLE}`);
}

/** Joints and weights, each once, as texels: for each set four joints and four weights. */
function skinningOf(parts: readonly DrawnPart[], firsts: ReadonlyMap<object, number>) {
    const sets = parts.reduce(
        (max, { placed, index }) => Math.max(max, placed.drawn.primitives[index]!.influences / 4),
        1,
    );
    const known = new Map<string, number>();
    const texels: number[] = [];
    const numbers = new Map<DrawnPart, Float32Array>();
    for (const part of parts) {
        const { influences, joints, weights } = part.placed.drawn.primitives[part.index]!;
        const first = firsts.get(part.model)!;
        const places = new Float32Array(part.count * 2);
        for (let v = 0; v < part.count; v++) {
            const own: number[] = [];
            for (let k = 0; k < sets * 4; k++) {
                const weight = k < influences ? weights[v * influences + k]! : 0;
                const at = Math.floor(k / 4) * 8 + (k % 4);
                own[at] = weight === 0 ? 0 : first + joints[v * influences + k]!;
                own[at + 4] = weight;
            }
            if (weights.subarray(v * influences, (v + 1) * influences).every((weight) => weight === 0)) {
                // It follows its first joint, as in the baker; a sum of 0 would give NaN.
                own[0] = first + joints[v * influences]!;
                own[4] = 1;
            }
            const key = own.join();
            const number = known.get(key) ?? known.size;
            if (number === known.size) texels.push(...own);
            known.set(key, number);
            places[v * 2] = number % PLACES;
            places[v * 2 + 1] = Math.floor(number / PLACES);
        }
        numbers.set(part, places);
    }
    return { numbers, texels: Float32Array.from(texels), sets };
}

/** The mesh as palettes move it: skinned vertices as stored, others in the space of their node. */
function meshOf({ groups }: EngineModel, numbers: ReadonlyMap<DrawnPart, Float32Array>) {
    return groups.map((group) =>
        group.map((part) => {
            const { primitives, surfaces } = part.placed.drawn;
            const { positions } = primitives[part.index]!;
            return { ...part, positions, normals: surfaces![part.index]!.normals!, places: numbers.get(part)! };
        }),
    );
}
