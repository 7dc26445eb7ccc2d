// SPDX-License-Identifier: MIT

/** The base colour of a character that is drawn with one image and one set of texture coordinates. */

import type { Material, Primitive } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import type { Transform } from '@gltf-transform/extensions' with { 'resolution-mode': 'import' };
import { floatsOf } from '../../rig/source/document-meshes';
import type { PvatImage } from './container';

/** The image, null for none: white; and what of the materials it cannot say. */
export interface Albedo {
    readonly image: PvatImage | null;
    /** Texture coordinates of a primitive, `[vertex][2]`. */
    uvsOf(primitive: Primitive): Float32Array;
    readonly lost: readonly string[];
}

/** Images that browsers decode. */
const IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/avif'];
/** Colours in the image of a character without images: the width that a texture has everywhere. */
const MAX_COLOURS = 4096;

/**
 * Where all primitives have the same image, that image; where none has one, an image of their colours, a texel each. Anything else
 * takes more than one image.
 */
export function albedoOf(primitives: readonly Primitive[]): Albedo {
    const materials = primitives.map((primitive) => primitive.getMaterial());
    const images = new Set(materials.map((material) => material?.getBaseColorTexture() ?? null));
    const colours = [...new Set(materials.map(colourOf))];
    const lost = lostOf(primitives, materials);
    const [image] = images;
    const own = (primitive: Primitive) => uvsOf(primitive, null);
    const none = (why: string): Albedo => ({ image: null, uvsOf: own, lost: [why, ...lost] });
    if (images.size > 1 || image === undefined)
        return none(`${images.size} base colour images or plain colours (it is white)`);
    if (image === null) {
        if (colours.length > MAX_COLOURS) return none(`${colours.length} base colours (it is white)`);
        const at = (primitive: Primitive): Float32Array => {
            const u = (colours.indexOf(colourOf(primitive.getMaterial())) + 0.5) / colours.length;
            const count = primitive.getAttribute('POSITION')!.getCount();
            return Float32Array.from({ length: count * 2 }, (_, i) => (i % 2 === 0 ? u : 0.5));
        };
        return { image: { mimeType: 'image/bmp', bytes: bitmapOf(colours) }, uvsOf: at, lost };
    }
    const mimeType = image.getMimeType();
    if (!IMAGES.includes(mimeType)) return none(`a base colour image of the type ${mimeType} (it is white)`);
    if (materials.some((material) => (transformOf(material)?.getRotation() ?? 0) !== 0)) {
        return none('a base colour image that is turned (it is white)');
    }
    return {
        image: { mimeType, bytes: image.getImage()! },
        uvsOf: (primitive) => uvsOf(primitive, primitive.getMaterial()),
        lost: colours.some((colour) => colour !== '255,255,255')
            ? ['the colour of its base colour image', ...lost]
            : lost,
    };
}

/** What else of the materials is seen. */
function lostOf(primitives: readonly Primitive[], materials: readonly (Material | null)[]): string[] {
    const others = materials.flatMap((material) => [
        material?.getNormalTexture(),
        material?.getMetallicRoughnessTexture(),
        material?.getOcclusionTexture(),
        material?.getEmissiveTexture(),
    ]);
    return [
        ...(others.some((texture) => texture) ? ['normal, metal, occlusion or emission maps'] : []),
        ...(primitives.some((primitive) => primitive.getAttribute('COLOR_0') !== null) ? ['vertex colours'] : []),
        ...(materials.some((material) => (material?.getAlphaMode() ?? 'OPAQUE') !== 'OPAQUE') ? ['transparency'] : []),
    ];
}

/** As the material has them: its own set, moved and scaled; the first set without a material. */
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

/** Red, green and blue of the factor as a texture has them, 0 to 255. */
function colourOf(material: Material | null): string {
    const factor = material?.getBaseColorFactor() ?? [1, 1, 1, 1];
    return factor.slice(0, 3).map(sRgbOf).join();
}

/**
 * The byte of sRGB nearest to a linear value: how many of the midpoints between bytes are below it. Compared without a power, which not
 * every machine rounds alike: `v > x ** 2.4` where `v ** 5 > x ** 12`.
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

/** A Windows bitmap of one row, 24 bits a texel: the format that needs neither compression nor checksums. */
function bitmapOf(colours: readonly string[]): Uint8Array {
    const row = Math.ceil((colours.length * 3) / 4) * 4;
    const bytes = Buffer.alloc(54 + row);
    bytes.write('BM', 0, 'latin1');
    bytes.writeUInt32LE(bytes.length, 2);
    bytes.writeUInt32LE(54, 10);
    bytes.writeUInt32LE(40, 14);
    bytes.writeInt32LE(colours.length, 18);
    bytes.writeInt32LE(1, 22);
    bytes.writeUInt16LE(1, 26);
    bytes.writeUInt16LE(24, 28);
    bytes.writeUInt32LE(row, 34);
    for (const [i, colour] of colours.entries()) bytes.set(colour.split(',').map(Number).reverse(), 54 + i * 3);
    return bytes;
}
