// SPDX-License-Identifier: MIT

/** Draws a small picture of a bake without a GPU: the middle row of its first clip, with base colors and textures. */

import type { Document, Material, Primitive } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import type { Transform } from '@gltf-transform/extensions' with { 'resolution-mode': 'import' };
import { readDocument } from '../bake/dense/read-document';
import { InputError } from '../base/errors';
import { faultyClips } from '../gltf/faulty-clips';
import { BakedTable } from '../table';
import { writeMatrices } from '../table/matrices';
import { rescale, rescaledOf } from '../table/rescaled';
import { type Influences, movePositions } from '../table/row-mix';
import type { OutputToReport } from './collect';
import { type Image, readImage } from './image';
import type { ReportModel } from './model';

/** Width and height, pixels. */
export const THUMBNAIL_SIZE = 160;
/** Each pixel is the mean of a square with this many samples on a side. */
const SUPERSAMPLING = 3;
const TRIANGLES = 4;

/** Directions from the model to the eye, and to the light. glTF models face +Z. Their length is 1 to four digits. */
const EYE = [0.4364, 0.2182, 0.8729] as const;
const LIGHT = [-0.2673, 0.8018, 0.5345] as const;
/** Right and up in the picture, orthogonal to `EYE`. */
const RIGHT = [0.8944, 0, -0.4472] as const;
const UP = [-0.0976, 0.9759, -0.1952] as const;

/** A posed part of the model. */
interface Surface {
    /** `vertices * 3`, moved by the row. */
    readonly positions: Float32Array;
    readonly triangles: ArrayLike<number>;
    readonly paint: Paint;
}

interface Paint {
    /** Linear red, green, blue, 0 to 1. */
    readonly color: readonly number[];
    readonly image: Image | null;
    /** `vertices * 2`, in the image. Empty without one. */
    readonly uvs: Float32Array;
    /** Below this alpha, 0 to 255, nothing is drawn. */
    readonly cutoff: number;
}

type Images = Map<Uint8Array, Image | null>;

/**
 * Draws the meshes that the palettes move. Meshes that nothing moves are not in a bake.
 *
 * @returns PNG; null if there is no palette, nothing visible, or a file that glTF-Transform cannot read.
 */
export async function thumbnailOf(model: ReportModel, outputs: readonly OutputToReport[]): Promise<Uint8Array | null> {
    let document: Document;
    try {
        ({ document } = await readDocument(model.files, faultyClips(model.scene)));
    } catch (error) {
        if (error instanceof InputError) return null;
        throw error;
    }
    const images: Images = new Map();
    const surfaces = outputs.flatMap(({ json, bin }) => surfacesOf(document, BakedTable.open(json, bin), images));
    const data = surfaces.length === 0 ? null : draw(surfaces);
    if (data === null) return null;
    const { encode } = await import('fast-png');
    return encode({ width: THUMBNAIL_SIZE, height: THUMBNAIL_SIZE, data });
}

function surfacesOf(document: Document, table: BakedTable, images: Images): Surface[] {
    const { palette } = table.arrays;
    const [clip] = table.clips;
    if (palette === undefined || clip === undefined) return [];
    const time = table.frameTime(0, clip.frameCount >> 1);
    const row = new Float32Array(table.columns * 16);
    const stored = table.sample('palette', 0, Float64Array.of(time), new Float32Array(palette.rowFloats), {
        loop: 'clamp',
    });
    writeMatrices(row, stored, palette, stored.length);
    const columns = new Map(table.attachments.map(({ node, column }) => [node, column]));
    const hasSkin = table.manifest.skin !== null;
    const skins = document.getRoot().listSkins();
    return document
        .getRoot()
        .listNodes()
        .flatMap((node, index): Surface[] => {
            const mesh = node.getMesh();
            const skin = node.getSkin();
            const column = columns.get(index);
            const rescaled = skin !== null && hasSkin ? rescaledOf(table, skins.indexOf(skin)) : undefined;
            const isSkinned = rescaled !== undefined;
            if (mesh === null || !(isSkinned || (skin === null && column !== undefined))) return [];
            return mesh.listPrimitives().flatMap((primitive) => {
                const stored = numbersOf(primitive, 'POSITION');
                if (primitive.getMode() !== TRIANGLES || stored === null) return [];
                const positions = rescaled ? rescale(stored, rescaled) : stored;
                const by = isSkinned ? influencesOf(primitive) : column!;
                if (by === null) return [];
                movePositions(row, by, positions, positions);
                const triangles =
                    primitive.getIndices()?.getArray() ?? Array.from({ length: positions.length / 3 }, (_, i) => i);
                return [{ positions, triangles, paint: paintOf(primitive, images) }];
            });
        });
}

function paintOf(primitive: Primitive, images: Images): Paint {
    const material = primitive.getMaterial();
    const color = material?.getBaseColorFactor().slice(0, 3) ?? [1, 1, 1];
    const bytes = material?.getBaseColorTexture()?.getImage();
    const uvs = bytes ? uvsOf(primitive, material!) : null;
    if (!bytes || uvs === null) return { color, image: null, uvs: new Float32Array(0), cutoff: 0 };
    const image = images.get(bytes) ?? readImage(bytes);
    images.set(bytes, image);
    const mode = material!.getAlphaMode();
    return {
        color,
        image,
        uvs,
        cutoff: mode === 'OPAQUE' ? 0 : 255 * (mode === 'MASK' ? material!.getAlphaCutoff() : 0.5),
    };
}

/** Rotated textures are drawn unrotated. */
function uvsOf(primitive: Primitive, material: Material): Float32Array | null {
    const info = material.getBaseColorTextureInfo()!;
    const transform = info.getExtension<Transform>('KHR_texture_transform');
    const uvs = numbersOf(primitive, `TEXCOORD_${transform?.getTexCoord() ?? info.getTexCoord()}`);
    const [[x, y], [width, height]] = [transform?.getOffset() ?? [0, 0], transform?.getScale() ?? [1, 1]];
    return uvs?.map((value, i) => (i % 2 === 0 ? x + value * width : y + value * height)) ?? null;
}

function numbersOf(primitive: Primitive, attribute: string): Float32Array | null {
    const accessor = primitive.getAttribute(attribute);
    if (accessor === null) return null;
    const size = accessor.getElementSize();
    const numbers = new Float32Array(accessor.getCount() * size);
    const element: number[] = [];
    for (let i = 0; i < accessor.getCount(); i++) numbers.set(accessor.getElement(i, element), i * size);
    return numbers;
}

/** The first four influences of each vertex, normalized, as players use them. */
function influencesOf(primitive: Primitive): Influences | null {
    const [joints, weights] = [numbersOf(primitive, 'JOINTS_0'), numbersOf(primitive, 'WEIGHTS_0')];
    if (joints === null || weights === null) return null;
    for (let v = 0; v < weights.length; v += 4) {
        const sum = weights[v]! + weights[v + 1]! + weights[v + 2]! + weights[v + 3]!;
        for (let i = v; i < v + 4; i++) weights[i] = sum > 0 ? weights[i]! / sum : i === v ? 1 : 0;
    }
    return { joints: Uint16Array.from(joints), weights };
}

/** Draws the surfaces, seen from far away: pixels, RGBA. */
function draw(surfaces: readonly Surface[]): Uint8Array | null {
    const along = (axis: readonly [number, number, number], p: Float32Array, v: number) =>
        axis[0] * p[v]! + axis[1] * p[v + 1]! + axis[2] * p[v + 2]!;
    const box = [Infinity, Infinity, -Infinity, -Infinity] as [number, number, number, number];
    for (const { positions, triangles } of surfaces) {
        for (let i = 0; i < triangles.length; i++) {
            const [x, y] = [along(RIGHT, positions, triangles[i]! * 3), along(UP, positions, triangles[i]! * 3)];
            [box[0], box[1], box[2], box[3]] = [
                Math.min(box[0], x),
                Math.min(box[1], y),
                Math.max(box[2], x),
                Math.max(box[3], y),
            ];
        }
    }
    const size = THUMBNAIL_SIZE * SUPERSAMPLING;
    const scale = (0.96 * size) / Math.max(box[2] - box[0], box[3] - box[1]);
    if (!(scale > 0 && scale < Infinity)) return null;
    const canvas = {
        size,
        depths: new Float32Array(size * size).fill(-Infinity),
        colors: new Uint8Array(size * size * 4),
    };
    const [middleX, middleY] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    for (const { positions, triangles, paint } of surfaces) {
        const light = lightOf(positions, triangles);
        // For each vertex: right, down, toward the eye, brightness, and place in the image.
        const seen = new Float64Array((positions.length / 3) * SEEN);
        for (let v = 0; v < positions.length / 3; v++) {
            const right = size / 2 + (along(RIGHT, positions, v * 3) - middleX) * scale;
            const down = size / 2 - (along(UP, positions, v * 3) - middleY) * scale;
            const near = along(EYE, positions, v * 3) * scale;
            seen.set([right, down, near, light[v]!, paint.uvs[v * 2] ?? 0, paint.uvs[v * 2 + 1] ?? 0], v * SEEN);
        }
        for (let i = 0; i + 2 < triangles.length; i += 3)
            fill(canvas, seen, [triangles[i]!, triangles[i + 1]!, triangles[i + 2]!], paint);
    }
    return shrink(canvas.colors);
}

/** Lambert's law with ambient light. Each vertex's normal is the mean of its triangles', on the eye's side. */
function lightOf(p: Float32Array, triangles: ArrayLike<number>): Float64Array {
    const normals = new Float64Array(p.length);
    for (let i = 0; i + 2 < triangles.length; i += 3) {
        const [a, b, c] = [triangles[i]! * 3, triangles[i + 1]! * 3, triangles[i + 2]! * 3];
        const [ux, uy, uz] = [p[b]! - p[a]!, p[b + 1]! - p[a + 1]!, p[b + 2]! - p[a + 2]!];
        const [vx, vy, vz] = [p[c]! - p[a]!, p[c + 1]! - p[a + 1]!, p[c + 2]! - p[a + 2]!];
        const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
        for (const v of [a, b, c]) for (let k = 0; k < 3; k++) normals[v + k]! += normal[k]!;
    }
    return Float64Array.from({ length: p.length / 3 }, (_, v) => {
        const [x, y, z] = [normals[v * 3]!, normals[v * 3 + 1]!, normals[v * 3 + 2]!];
        const side = x * EYE[0] + y * EYE[1] + z * EYE[2] < 0 ? -1 : 1;
        const length = Math.sqrt(x * x + y * y + z * z) || 1;
        return 0.4 + 0.8 * Math.max(0, (side * (x * LIGHT[0] + y * LIGHT[1] + z * LIGHT[2])) / length);
    });
}

/** Numbers of a vertex. */
const SEEN = 6;

interface Canvas {
    readonly size: number;
    readonly depths: Float32Array;
    readonly colors: Uint8Array;
}

function fill(
    { size, depths, colors }: Canvas,
    seen: Float64Array,
    triangle: readonly [number, number, number],
    { color, image, cutoff }: Paint,
): void {
    const [a, b, c] = [triangle[0] * SEEN, triangle[1] * SEEN, triangle[2] * SEEN];
    const [ax, ay, bx, by, cx, cy] = [seen[a]!, seen[a + 1]!, seen[b]!, seen[b + 1]!, seen[c]!, seen[c + 1]!];
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (!(area !== 0)) return;
    const clamp = (value: number) => Math.min(Math.max(Math.floor(value), 0), size - 1);
    for (let y = clamp(Math.min(ay, by, cy)); y <= clamp(Math.max(ay, by, cy)); y++) {
        for (let x = clamp(Math.min(ax, bx, cx)); x <= clamp(Math.max(ax, bx, cx)); x++) {
            const [px, py] = [x + 0.5, y + 0.5];
            const u = ((px - ax) * (cy - ay) - (py - ay) * (cx - ax)) / area;
            const v = ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) / area;
            if (!(u >= 0 && v >= 0 && u + v <= 1)) continue;
            const mix = (k: number) =>
                seen[a + k]! + u * (seen[b + k]! - seen[a + k]!) + v * (seen[c + k]! - seen[a + k]!);
            const [at, depth] = [y * size + x, mix(2)];
            if (!(depth > depths[at]!)) continue;
            const texel = image === null ? -1 : texelOf(image, mix(4), mix(5));
            if (image !== null && image.pixels[texel + 3]! < cutoff) continue;
            depths[at] = depth;
            // The square and its root are close to the sRGB curve.
            for (let k = 0; k < 3; k++) {
                const own = image === null ? 1 : (image.pixels[texel + k]! / 255) ** 2;
                colors[at * 4 + k] = 255 * Math.sqrt(Math.min(1, own * color[k]! * mix(3)));
            }
            colors[at * 4 + 3] = 255;
        }
    }
}

/** Index of the nearest texel. The image is repeated. */
function texelOf({ width, height }: Image, u: number, v: number): number {
    const [x, y] = [Math.floor((u - Math.floor(u)) * width), Math.floor((v - Math.floor(v)) * height)];
    return 4 * (Math.min(y, height - 1) * width + Math.min(x, width - 1)) || 0;
}

/** Each pixel is the mean of a square of samples. */
function shrink(colors: Uint8Array): Uint8Array {
    const out = new Uint8Array(THUMBNAIL_SIZE * THUMBNAIL_SIZE * 4);
    for (let pixel = 0; pixel < out.length / 4; pixel++) {
        const sums = [0, 0, 0, 0];
        const corner =
            Math.floor(pixel / THUMBNAIL_SIZE) * SUPERSAMPLING * THUMBNAIL_SIZE * SUPERSAMPLING +
            (pixel % THUMBNAIL_SIZE) * SUPERSAMPLING;
        for (let i = 0; i < SUPERSAMPLING * SUPERSAMPLING; i++) {
            const at =
                (corner + Math.floor(i / SUPERSAMPLING) * THUMBNAIL_SIZE * SUPERSAMPLING + (i % SUPERSAMPLING)) * 4;
            for (let k = 0; k < 4; k++) sums[k]! += colors[at + k]!;
        }
        const covered = sums[3]! / 255;
        for (let k = 0; k < 3; k++) out[pixel * 4 + k] = covered > 0 ? sums[k]! / covered : 0;
        out[pixel * 4 + 3] = sums[3]! / (SUPERSAMPLING * SUPERSAMPLING);
    }
    return out;
}
