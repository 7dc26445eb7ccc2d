// SPDX-License-Identifier: MIT

/** The base color of a character that is drawn with one image and one set of texture coordinates. */

import type { Material, Primitive } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import type { Transform } from '@gltf-transform/extensions' with { 'resolution-mode': 'import' };
import { floatsOf } from '../../rig/source/document-meshes';
import type { PvatImage } from './container';

/** The image (null means white), and which properties of the materials are lost. */
export interface Albedo {
    readonly image: PvatImage | null;
    /** Texture coordinates of a primitive, `[vertex][2]`. */
    uvsOf(primitive: Primitive): Float32Array;
    readonly lost: readonly string[];
}

/** Images that browsers decode. */
const IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/avif'];
/** Maximum number of colors in the image of a character without images: a texture width that all devices have. */
const MAX_COLORS = 4096;

/**
 * If all primitives have the same image, returns that image. If none has one, returns an image with a texel for each of
 * their colors. Any other combination needs more than one image and is rejected.
 */
export function albedoOf(primitives: readonly Primitive[]): Albedo {
    const materials = primitives.map((primitive) => primitive.getMaterial());
    const images = new Set(materials.map((material) => material?.getBaseColorTexture() ?? null));
    const colors = [...new Set(materials.map(colorOf))];
    const lost = lostOf(primitives, materials);
    const [image] = images;
    const own = (primitive: Primitive) => uvsOf(primitive, null);
    const none = (why: string): Albedo => ({ image: null, uvsOf: own, lost: [why, ...lost] });
    if (images.size > 1 || image === undefined)
        return none(`${images.size} base color images or plain colors (it is white)`);
    if (image === null) {
        if (colors.length > MAX_COLORS) return none(`${colors.length} base colors (it is white)`);
        const at = (primitive: Primitive): Float32Array => {
            const u = (colors.indexOf(colorOf(primitive.getMaterial())) + 0.5) / colors.length;
            const count = primitive.getAttribute('POSITION')!.getCount();
            return Float32Array.from({ length: count * 2 }, (_, i) => (i % 2 === 0 ? u : 0.5));
        };
        return { image: { mimeType: 'image/bmp', bytes: bitmapOf(colors) }, uvsOf: at, lost };
    }
    const mimeType = image.getMimeType();
    if (!IMAGES.includes(mimeType)) return none(`a base color image of the type ${mimeType} (it is white)`);
    if (materials.some((material) => (transformOf(material)?.getRotation() ?? 0) !== 0)) {
        return none('a base color image that is rotated (it is white)');
    }
    return {
        image: { mimeType, bytes: image.getImage()! },
        uvsOf: (primitive) => uvsOf(primitive, primitive.getMaterial()),
        lost: colors.some((color) => color !== '255,255,255') ? ['the color of its base color image', ...lost] : lost,
    };
}

/** Other visible properties of the materials, which are lost. */
function lostOf(primitives: readonly Primitive[], materials: readonly (Material | null)[]): string[] {
    const others = materials.flatMap((material) => [
        material?.getNormalTexture(),
        material?.getMetallicRoughnessTexture(),
        material?.getOcclusionTexture(),
        material?.getEmissiveTexture(),
    ]);
    return [
        ...(others.some((texture) => texture) ? ['normal, metal, occlusion or emission maps'] : []),
        ...(primitives.some((primitive) => primitive.getAttribute('COLOR_0') !== null) ? ['vertex colors'] : []),
        ...(materials.some((material) => (material?.getAlphaMode() ?? 'OPAQUE') !== 'OPAQUE') ? ['transparency'] : []),
    ];
}

/** The texture coordinates that the material uses, with its offset and scale. Without a material, the first set. */
function uvsOf(primitive: Primitive, material: Material | null): Float32Array {
    const transform = transformOf(material);
    const set = transform?.getTexCoord() ?? material?.getBaseColorTextureInfo()?.getTexCoord() ?? 0;
    const accessor = primitive.getAttribute(`TEXCOORD_${set}`);
    if (accessor === null) return new Float32Array(primitive.getAttribute('POSITION')!.getCount() * 2);
    const uvs = floatsOf(accessor);
    const scale = transform?.getScale() ?? [1, 1];
    const offset = transform?.getOffset() ?? [0, 0];
    return uvs.map((x, i) => x * scale[i % 2]! + offset[i % 2]!);
}

function transformOf(material: Material | null): Transform | null {
    return material?.getBaseColorTextureInfo()?.getExtension<Transform>('KHR_texture_transform') ?? null;
}

/** The factor's red, green and blue in sRGB, 0 to 255. */
function colorOf(material: Material | null): string {
    const factor = material?.getBaseColorFactor() ?? [1, 1, 1, 1];
    return factor.slice(0, 3).map(sRgbOf).join();
}

/**
 * The sRGB byte nearest to a linear value: the number of midpoints between bytes that are below it. The comparison `v >
 * x ** 2.4` is calculated as `v ** 5 > x ** 12`, because machines round fractional powers differently.
 */
function sRgbOf(linear: number): number {
    const v5 = linear * linear * linear * linear * linear;
    let byte = 0;
    for (; byte < 255; byte++) {
        const middle = (byte + 0.5) / 255;
        const x = (middle + 0.055) / 1.055;
        const x4 = x * x * x * x;
        if (middle <= 0.04045 ? linear <= middle / 12.92 : v5 <= x4 * x4 * x4) break;
    }
    return byte;
}

/** A Windows bitmap of one row with 24 bits per texel. This format needs no compression and no checksum. */
function bitmapOf(colors: readonly string[]): Uint8Array {
    const row = Math.ceil((colors.length * 3) / 4) * 4;
    const bytes = Buffer.alloc(54 + row);
    bytes.write('BM', 0, 'latin1');
    bytes.writeUInt32LE(bytes.length, 2);
    bytes.writeUInt32LE(54, 10);
    bytes.writeUInt32LE(40, 14);
    bytes.writeInt32LE(colors.length, 18);
    bytes.writeInt32LE(1, 22);
    bytes.writeUInt16LE(1, 26);
    bytes.writeUInt16LE(24, 28);
    bytes.writeUInt32LE(row, 34);
    for (const [i, color] of colors.entries()) bytes.set(color.split(',').map(Number).reverse(), 54 + i * 3);
    return bytes;
}
