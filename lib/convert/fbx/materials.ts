// SPDX-License-Identifier: MIT

/** Materials and textures of an FBX file. */

import type { Document } from '../document';
import type { Fbx, FbxMaterial, FbxTexture } from './types';

type Material = ReturnType<Document['createMaterial']>;
type Texture = ReturnType<Document['createTexture']>;
type Maps = FbxMaterial['model']['pbr'];

/** Reads the first file that exists of several names, which are relative to the FBX file. Null if none does. */
export type FindFile = (names: readonly string[]) => Promise<Uint8Array | null>;

const CLAMP = 33071;

/**
 * Converts all materials.
 *
 * @param leaveOut Reports a texture that cannot be taken over.
 * @returns The material of an identifier, for a mesh with these names of sets of texture coordinates.
 */
export async function convertMaterials(
    document: Document,
    { materials, rootModels }: Fbx,
    find: FindFile,
    leaveOut: (message: string) => void,
): Promise<ReadonlyMap<number, Material>> {
    const textures = new Map<number, Texture | null>();
    const load = async (texture: FbxTexture, owner: string): Promise<Texture | null> => {
        const name = fileNameOf(texture.relativeFileName || texture.fileName);
        const bytes = texture.embeddedData?.length ? texture.embeddedData : await find(namesOf(texture));
        const type = bytes && imageType(bytes);
        if (!bytes || !type) {
            const why = bytes ? 'is neither PNG nor JPEG' : 'was not found beside the file';
            leaveOut(`material '${owner}': texture '${name}' ${why}`);
            return null;
        }
        return document.createTexture(name).setImage(new Uint8Array(bytes)).setMimeType(type);
    };
    const textureOf = async (map: Maps[keyof Maps], owner: string) => {
        const texture = map?.textureEnabled ? map.texture : undefined;
        if (texture === undefined) return null;
        if (!textures.has(texture.id)) textures.set(texture.id, await load(texture, owner));
        return textures.get(texture.id) ?? null;
    };
    const doubleSided = new Set<number>();
    const walk = (models: Fbx['rootModels']): void => {
        for (const { cullingOff, materials, children } of models) {
            if (cullingOff) for (const { id } of materials) doubleSided.add(id);
            walk(children);
        }
    };
    walk(rootModels);
    const converted = new Map<number, Material>();
    for (const material of materials) {
        const { id, name, model } = material;
        const { pbr, features } = model;
        const made = document
            .createMaterial(name)
            .setDoubleSided(doubleSided.has(id) || !!features.doubleSided?.enabled);
        const base = await textureOf(pbr.baseColor, name);
        const color = colorOf(pbr.baseColor, base ? undefined : pbr.baseFactor) ?? [1, 1, 1];
        const alpha = alphaOf(material);
        made.setBaseColorFactor([...(base ? [1, 1, 1] : color), alpha] as [number, number, number, number]);
        made.setBaseColorTexture(base).setAlphaMode(alpha < 1 ? 'BLEND' : 'OPAQUE');
        if (base && pbr.opacity?.texture?.id === pbr.baseColor?.texture?.id) made.setAlphaMode('BLEND');
        made.setMetallicFactor(share(features.metalness?.enabled ? pbr.metalness?.value?.[0] : 0, 0));
        const { glossiness } = pbr;
        made.setRoughnessFactor(
            share(pbr.roughness?.value?.[0] ?? (glossiness?.value && 1 - glossiness.value[0]!), 0.5),
        );
        const emission = await textureOf(pbr.emissionColor, name);
        const emitted = colorOf(pbr.emissionColor, pbr.emissionFactor);
        made.setEmissiveTexture(emission).setEmissiveFactor((emission ? [1, 1, 1] : (emitted ?? [0, 0, 0])) as Rgb);
        made.setNormalTexture(await textureOf(pbr.normalMap, name));
        made.setOcclusionTexture(await textureOf(pbr.ambientOcclusion, name));
        await placeTexture(document, made.getBaseColorTextureInfo(), pbr.baseColor?.texture);
        await placeTexture(document, made.getEmissiveTextureInfo(), pbr.emissionColor?.texture);
        await placeTexture(document, made.getNormalTextureInfo(), pbr.normalMap?.texture);
        await placeTexture(document, made.getOcclusionTextureInfo(), pbr.ambientOcclusion?.texture);
        const { baseColor, emissionColor, normalMap, ambientOcclusion } = pbr;
        const taken = [baseColor, emissionColor, normalMap, ambientOcclusion].map((map) => map?.texture?.id);
        const slots = [...Object.entries(pbr), ...Object.entries(model.fbx)];
        for (const { id: texture, propertyName } of material.textures) {
            if (taken.includes(texture)) continue;
            taken.push(texture);
            const slot = slots.find(([, map]) => map.texture?.id === texture);
            if (slot?.[1].textureEnabled !== false)
                leaveOut(`material '${name}': the texture of ${slot?.[0] ?? propertyName}`);
        }
        converted.set(id, made);
    }
    return converted;
}

/** Sets wrapping, and the offset and scale of texture coordinates. v points up in FBX, and down in glTF. */
async function placeTexture(document: Document, info: TextureInfo | null, texture?: FbxTexture): Promise<void> {
    if (info === null || texture === undefined) return;
    if (texture.wrapU === 1) info.setWrapS(CLAMP);
    if (texture.wrapV === 1) info.setWrapT(CLAMP);
    const [[u, v], [su, sv]] = [texture.uvTranslation ?? [0, 0], texture.uvScaling ?? [1, 1]];
    if (u === 0 && v === 0 && su === 1 && sv === 1) return;
    const { KHRTextureTransform } = await import('@gltf-transform/extensions');
    const transform = document.createExtension(KHRTextureTransform).createTransform();
    info.setExtension('KHR_texture_transform', transform.setOffset([u, 1 - sv - v]).setScale([su, sv]));
}

type TextureInfo = NonNullable<ReturnType<Material['getBaseColorTextureInfo']>>;
type Rgb = [number, number, number];

function colorOf(map: Maps[keyof Maps], factor: Maps[keyof Maps]): number[] | undefined {
    return map?.value?.slice(0, 3).map((part) => share(part * (factor?.value?.[0] ?? 1), 1));
}

/** Within 0 and 1. */
function share(value: number | undefined, missing: number): number {
    return Number.isFinite(value) ? Math.min(1, Math.max(0, value!)) : missing;
}

/** The opacity of classic materials is the rest of their transparency. */
function alphaOf({ properties, model: { pbr, fbx, features } }: FbxMaterial): number {
    const mean = (value: readonly number[]) =>
        value.slice(0, 3).reduce((sum, x) => sum + x, 0) / Math.min(3, value.length);
    if (features.opacity?.enabled && pbr.opacity?.value) return share(mean(pbr.opacity.value), 1);
    if (properties.opacity !== undefined) return share(properties.opacity, 1);
    const factor = fbx.transparencyFactor?.value?.[0];
    if (factor === undefined) return 1;
    return share(1 - factor * (fbx.transparencyColor?.value ? mean(fbx.transparencyColor.value) : 1), 1);
}

function fileNameOf(path: string): string {
    return path.replace(/^.*[/\\]/s, '');
}

/** The places where a texture can be, relative to the file. */
function namesOf({ fileName, relativeFileName }: FbxTexture): string[] {
    const paths = [relativeFileName, fileName].map((path) => path.replaceAll('\\', '/'));
    const isSafe = (path: string) => path !== '' && !/^[a-z][a-z0-9+.-]*:|^\/|(?:^|\/)\.\.(?:\/|$)/i.test(path);
    const name = fileNameOf(paths.find((path) => path !== '') ?? '');
    return [...new Set([...paths.filter(isSafe), ...(isSafe(name) ? [name, `textures/${name}`] : [])])];
}

function imageType(bytes: Uint8Array): string | null {
    if (bytes[0] === 0x89 && bytes[1] === 0x50) return 'image/png';
    return bytes[0] === 0xff && bytes[1] === 0xd8 ? 'image/jpeg' : null;
}
