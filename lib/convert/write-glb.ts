// SPDX-License-Identifier: MIT

import type { Document, Format, WebIO } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import { GLB_MAGIC, joinChunks } from '../base/glb';
import type { Conversion, Gltf } from './document';

/** Writes a converted file, with information about its conversion. */
export async function writeConverted(
    { WebIO, Logger }: Gltf,
    document: Document,
    about: Conversion,
): Promise<Uint8Array> {
    const root = document.getRoot();
    root.getAsset().extras = { poselane: about };
    if (root.listAccessors().length === 0) for (const buffer of root.listBuffers()) buffer.dispose();
    const { KHRTextureTransform } = await import('@gltf-transform/extensions');
    const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT)).registerExtensions([KHRTextureTransform]);
    return writeGlb(io, document);
}

/**
 * As `io.writeBinary`. That leaves out transforms and colors within 1e-5 of the default, which are all those of a model
 * in micrometers.
 */
export async function writeGlb(io: WebIO, document: Document): Promise<Uint8Array> {
    const { json, resources } = await io.writeJSON(document, { format: 'GLB' as Format.GLB });
    const put = <Owner extends object>(owner: Owner, key: keyof Owner, value: number[], rest: number) => {
        const isDefault = value.every((number, i) => number === (i === 3 ? 1 : rest));
        if (!isDefault) owner[key] = value as Owner[keyof Owner];
    };
    const root = document.getRoot();
    for (const [index, node] of root.listNodes().entries()) {
        const written = json.nodes![index]!;
        put(written, 'translation', node.getTranslation(), 0);
        put(written, 'rotation', node.getRotation(), 0);
        put(written, 'scale', node.getScale(), 1);
    }
    for (const [index, material] of root.listMaterials().entries()) {
        const written = json.materials![index]!;
        put(written.pbrMetallicRoughness!, 'baseColorFactor', material.getBaseColorFactor(), 1);
        put(written, 'emissiveFactor', material.getEmissiveFactor(), 0);
    }
    const [bytes] = Object.values(resources);
    return joinChunks(GLB_MAGIC, 2, json, bytes?.length ? [bytes] : []);
}
