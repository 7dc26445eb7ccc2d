// SPDX-License-Identifier: MIT

/**
 * OpenVAT (github.com/sharpen3d/openvat): a mesh, and a texture with the offset and the normal of each vertex in each frame.
 * docs/engines.md describes what is written.
 */

import { InputError, inputName, namingOptions, ToleranceError } from '../../base/errors';
import { significant } from '../../base/messages';
import { Clock } from '../../base/progress';
import { halfOf } from '../../format/half';
import type { InputFiles } from '../../gltf/input';
import type { Warning } from '../../gltf/scene';
import { squaredDiagonal } from '../../rig/measure/extent';
import { addPoint, type Box, emptyBox, roundedSide } from '../../rig/measure/geometry';
import type { BakePlan } from '../plan/plan';
import { allowedRounding, allowedWhole, hintOf } from '../plan/tolerance';
import { exrOf } from './exr';
import { replaceByMesh } from './mesh';
import {
    type DrawnPart,
    type EngineModel,
    eachRow,
    engineClipsOf,
    engineModelOf,
    extentOf,
    type FolderError,
    factsOf,
    lerpOf,
    type Outputs,
    posedError,
    restOf,
} from './parts';

/** Vertices in one line of the texture, and frames of all lines. The Godot plugin needs fewer than 8192 and 4096. */
const MAX_WIDTH = 8191;
const MAX_FRAMES = 4095;
/** How the texture stores a number from 0 to 1, and the largest rounding of one. */
const FORMATS = { half: 2 ** -12, float: 2 ** -25, png: 1 / 65535 / 2 } as const;
type Layout = ReturnType<typeof layoutOf>;

/**
 * @param outputs The bakes of the plan's characters, which state the error between rows.
 * @throws InputError `NO_MESH`, `OUTPUT_TOO_LARGE`, `NOT_FINITE`, `GLTF_INVALID`; ToleranceError for a texture or a rate
 * that is not exact enough.
 */
export async function openVatOfPlan(
    plan: BakePlan,
    files: InputFiles,
    stem: string,
    outputs: Outputs,
    signal: AbortSignal | undefined,
): Promise<{ files: readonly Uint8Array[]; warnings: readonly Warning[] }> {
    const model = await engineModelOf(plan, files, 'an OpenVAT mesh');
    const parts = model.groups.flat();
    const { columns, owned, count } = columnsOf(parts);
    const layout = layoutOf(plan, count);
    const clock = new Clock({ signal }, Infinity);

    const rest = restOf(plan, model);
    const box = emptyBox();
    const reach = emptyBox();
    await eachRow(plan, model, clock, (_, { placed, positions }) => {
        const from = rest.get(placed)!.positions;
        for (let i = 0; i < positions.length; i += 3) {
            const k = i % from.length;
            const [x, y, z] = [positions[i]!, positions[i + 1]!, positions[i + 2]!];
            addPoint(reach, x, y, z);
            addPoint(box, x - from[k]!, -(z - from[k + 2]!), y - from[k + 1]!);
        }
    });
    // As float32, in which shaders have them.
    for (const [i, side] of box.entries()) box[i] = roundedSide(side);
    const extent = extentOf(outputs);
    const posed = posedError(extent, reach);
    const { format, error } = errorOf(plan, box, extent, posed, outputs);

    const texture = await textureOf(plan, model, layout, clock, { rest, owned, box, format });
    const groups = model.groups.map((group) =>
        group.map((part) => ({
            ...part,
            positions: sliceOf(part, rest.get(part.placed)!.positions),
            normals: sliceOf(part, rest.get(part.placed)!.normals, true),
            places: placesOf(columns.get(part)!, layout),
        })),
    );
    replaceByMesh(model.document, stem, groups);
    const info = new TextEncoder().encode(infoOf(plan, model, box, outputs, error));
    return { files: [await model.write(), texture, info], warnings: model.warnings };
}

/**
 * Numbers the different vertices of a character: those that differ in position, normal, skinning or morph targets.
 *
 * @returns The column of each vertex of a part, and for each mesh the first vertex of its columns.
 */
function columnsOf(parts: readonly DrawnPart[]) {
    const known = new Map<string, number>();
    const columns = new Map<DrawnPart, Uint32Array>();
    const owned = new Map(parts.map(({ placed }) => [placed, [] as [vertex: number, column: number][]]));
    for (const part of parts) {
        const { model, placed, index, first, count } = part;
        const { positions, influences, joints, weights } = placed.drawn.primitives[index]!;
        const { normals, targets } = placed.drawn.surfaces![index]!;
        const moved = targets.flatMap((target) => [target.positions, target.normals]);
        // Weights of morph targets belong to the node.
        const owner = `${parts.findIndex((other) => other.model === model)} ${targets.length > 0 ? placed.drawn.node : ''}`;
        const numbers = Uint32Array.from({ length: count }, (_, v) => {
            const three = (list: Float32Array | null) => list?.subarray(v * 3, v * 3 + 3) ?? '';
            const skin = [joints, weights].map((list) => list.subarray(v * influences, (v + 1) * influences));
            const key = [owner, three(positions), three(normals), ...skin, ...moved.map(three)].join();
            const column = known.get(key) ?? known.size;
            if (column === known.size) owned.get(placed)!.push([first + v, column]);
            known.set(key, column);
            return column;
        });
        columns.set(part, numbers);
    }
    return { columns, owned, count: known.size };
}

/**
 * Size of the texture. Each block has one line for each frame, and up to `MAX_WIDTH` vertices.
 *
 * @throws InputError `OUTPUT_TOO_LARGE`.
 */
function layoutOf({ file, rows: frames }: BakePlan, count: number) {
    const blocks = Math.ceil(count / MAX_WIDTH);
    if (blocks * frames <= MAX_FRAMES) {
        return { width: Math.ceil(count / blocks), height: 2 * blocks * frames, blocks, frames };
    }
    throw namingOptions((name) => {
        const size = `${count} different vertices x ${frames} frames`;
        const lines = blocks === 1 ? '' : `, ${blocks} lines of vertices for each frame,`;
        const most = `${Math.floor(MAX_FRAMES / blocks)} frames of ${count} vertices (${MAX_WIDTH} in a line, ${MAX_FRAMES} lines)`;
        const fix = `choose clips by ${name('clips')}, a lower ${name('fps')}, or emit 'godot', whose size does not depend on vertices`;
        const rule = `${size}${lines} are more than OpenVAT's consumers read, ${most}: ${fix}`;
        return new InputError('OUTPUT_TOO_LARGE', file, '', rule);
    });
}

/** Chooses half floats where they are exact enough. @throws ToleranceError. */
function errorOf(
    plan: BakePlan,
    box: Box,
    extent: number,
    posed: number,
    outputs: Outputs,
): { format: keyof typeof FORMATS; error: FolderError } {
    const { recipe, file } = plan;
    const diagonal = Math.sqrt(squaredDiagonal(box));
    const allowed = allowedRounding(plan, { extent });
    const [first, ...others]: (keyof typeof FORMATS)[] = recipe.openvat === 'png' ? ['png'] : ['half', 'float'];
    // Half floats leave room for the rounding of poses.
    const format = [first!, ...others].find((one) => FORMATS[one] * diagonal + (one === 'half' ? posed : 0) <= allowed);
    const finest = FORMATS[others[0] ?? first!] * diagonal;
    if (format === undefined) {
        const instead =
            recipe.openvat === 'png'
                ? 'exr is finer, and clips that travel less'
                : 'bake clips that travel far by themselves';
        throw namingOptions((name) => {
            const off = `offsets are off by ${significant(finest)}, more than the ${significant(allowed)} of ${name('maxError')} for rounding`;
            return new ToleranceError(
                `${inputName(file)}: ${name('emit')} 'openvat': ${off}: ${instead}${hintOf(plan, { extent })}`,
            );
        });
    }
    const lerp = lerpOf(outputs);
    const frames = FORMATS[format] * diagonal + posed;
    const whole = allowedWhole(plan, { extent });
    if (recipe.maxError !== null && lerp + frames > whole) {
        throw namingOptions((name) => {
            const off = `off by up to ${significant(lerp + frames)} between frames, more than the ${significant(whole)} of ${name('maxError')}`;
            return new ToleranceError(
                `${inputName(file)}: ${name('emit')} 'openvat': ${off}: leave out ${name('fps')}${hintOf(plan, { extent })}`,
            );
        });
    }
    return { format, error: { frames, between: lerp + frames } };
}

interface Source {
    readonly rest: ReturnType<typeof restOf>;
    readonly owned: ReturnType<typeof columnsOf>['owned'];
    readonly box: Box;
    readonly format: keyof typeof FORMATS;
}

/** Offsets in the upper half, normals in the lower one, both with Blender's axes: x, -z, y. */
async function textureOf(
    plan: BakePlan,
    model: EngineModel,
    { width, height, frames }: Layout,
    clock: Clock,
    { rest, owned, box, format }: Source,
): Promise<Uint8Array> {
    const length = width * height * 3;
    const values = format === 'float' ? new Float32Array(length) : new Uint16Array(length);
    const stored = { half: halfOf, float: Math.fround, png: (x: number) => Math.round(x * 65535) }[format];
    const shareOf = (offset: number, axis: number) => {
        const size = box[axis + 3]! - box[axis]!;
        return stored(size > 0 ? (offset - box[axis]!) / size : 0);
    };
    const normalsAt = (height / 2) * width * 3;
    await eachRow(plan, model, clock, (row, { placed, positions, normals }) => {
        const from = rest.get(placed)!.positions;
        for (const [vertex, column] of owned.get(placed)!) {
            const line = Math.floor(column / width) * frames + row;
            let at = (line * width + (column % width)) * 3;
            for (let i = vertex * 3; i < positions.length; i += from.length, at += width * 3) {
                const v = vertex * 3;
                values[at] = shareOf(positions[i]! - from[v]!, 0);
                values[at + 1] = shareOf(from[v + 2]! - positions[i + 2]!, 1);
                values[at + 2] = shareOf(positions[i + 1]! - from[v + 1]!, 2);
                const [x, y, z] = unitOf(normals, i);
                values[at + normalsAt] = stored(0.5 + x / 2);
                values[at + normalsAt + 1] = stored(0.5 - z / 2);
                values[at + normalsAt + 2] = stored(0.5 + y / 2);
            }
        }
    });
    if (format !== 'png') return exrOf({ width, height, channels: 3, values });
    const { encode } = await import('fast-png');
    return encode({ width, height, channels: 3, depth: 16, data: values as Uint16Array });
}

/** A normal, or up for the vertex of a part without a size, which is not seen. */
function unitOf(normals: Float32Array, at: number): readonly [number, number, number] {
    const [x, y, z] = [normals[at]!, normals[at + 1]!, normals[at + 2]!];
    const isUnit = Math.abs(x * x + y * y + z * z - 1) < 1e-3;
    return isUnit ? [x, y, z] : [0, 1, 0];
}

function sliceOf({ first, count }: DrawnPart, list: Float32Array, areNormals = false): Float32Array {
    const own = list.slice(first * 3, (first + count) * 3);
    if (areNormals) for (let i = 0; i < own.length; i += 3) own.set(unitOf(own, i), i);
    return own;
}

/** Texture coordinates of the pixel's center in frame 0, from the upper left. */
function placesOf(columns: Uint32Array, { width, height, frames }: Layout): Float32Array {
    return Float32Array.from({ length: columns.length * 2 }, (_, i) => {
        const column = columns[i >> 1]!;
        return i % 2 === 0 ? ((column % width) + 0.5) / width : (Math.floor(column / width) * frames + 0.5) / height;
    });
}

/** `-remap_info.json`. Consumers ignore `poselane`, by which `verify` finds the source. */
function infoOf(plan: BakePlan, model: EngineModel, box: Box, outputs: Outputs, error: FolderError): string {
    const animations = engineClipsOf(plan, model.clips, outputs).map(({ name, first, intervals, fps, loop }) => {
        return [
            name,
            { startFrame: first + 1, endFrame: first + 1 + intervals, framerate: fps, looping: loop },
        ] as const;
    });
    const sides = Array.from(box);
    const info = {
        'os-remap': { Min: sides.slice(0, 3), Max: sides.slice(3), Frames: plan.rows },
        // Not an object literal: a clip can have the name of an inherited property.
        animations: Object.fromEntries(animations),
        poselane: factsOf(plan, model, outputs, error),
    };
    return `${JSON.stringify(info, null, 1)}\n`;
}
