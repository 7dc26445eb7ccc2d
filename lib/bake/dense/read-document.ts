// SPDX-License-Identifier: MIT

import type { Document, GLTF, Node as NodeOfDocument } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import { InputError } from '../../base/errors';
import { writeGlb } from '../../convert/write-glb';
import type { BufferData, Resolve } from '../../gltf/buffers';
import { dracoDecoder, meshoptDecoder } from '../../gltf/decode';
import { NO_WEBASSEMBLY } from '../../gltf/decode-meshopt';
import { withoutFaultyClips } from '../../gltf/faulty-clips';
import type { InputFiles } from '../../gltf/input';
import type { JsonObject } from '../../gltf/json';
import { readWhole } from '../../gltf/read-whole';
import { isArgumentError, relativePath } from '../../gltf/references';
import type { Warning } from '../../gltf/scene';
import { FLOAT } from '../../gltf/validate/accessors';

/** A file as a Document that can be written, and what was lost. */
export interface ReadDocument {
    readonly document: Document;
    readonly json: GLTF.IGLTF;
    readonly warnings: readonly Warning[];
    write(): Promise<Uint8Array>;
}

/** glTF-Transform takes 20 us and 2.4 KB for a node. */
const MAX_NODES = 100_000;
/** Decoded by the reader, so not applied again when writing. */
const COMPRESSION: readonly string[] = ['EXT_meshopt_compression', 'KHR_draco_mesh_compression'];

/**
 * Reads a file that `readGltf` has accepted again, with glTF-Transform and every decoder.
 *
 * @param files The input's files, with the bytes that were read.
 * @param faulty Clips with a fault. They have no channels in the Document.
 * @throws InputError `EXTENSION_UNSUPPORTED` for a required extension that a Document cannot hold; `GLTF_INVALID` for a
 * fault that affects no pose but that glTF-Transform rejects.
 */
export async function readDocument(files: InputFiles, faulty: ReadonlySet<number>): Promise<ReadDocument> {
    const { file } = files;
    const { json, buffers, accessors } = await readWhole(files, faulty);
    const sound = new Set(accessors.map(({ index }) => index));
    // Accessors keep their numbers.
    const all = (json.accessors as unknown[] | undefined)?.map((accessor, index) =>
        sound.has(index) ? accessor : { componentType: FLOAT, count: 1, type: 'SCALAR' },
    );
    try {
        const own = { ...withoutFaultyClips(json, faulty), ...(all && { accessors: all }) };
        const read = await documentOf(files, own, buffers);
        return { ...read, write: () => read.write().catch((cause) => refuse(file, cause)) };
    } catch (cause) {
        return refuse(file, cause);
    }
}

function refuse(file: string, cause: unknown): never {
    if (cause instanceof InputError || isArgumentError(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InputError('GLTF_INVALID', file, '', `glTF-Transform cannot read it: ${reason}`, { cause });
}

async function documentOf(
    { file, resolve }: InputFiles,
    raw: JsonObject,
    buffers: readonly BufferData[],
): Promise<ReadDocument> {
    const json = structuredClone(raw) as unknown as GLTF.IGLTF;
    const nodes = json.nodes?.length ?? 0;
    if (nodes > MAX_NODES) {
        const rule = `${nodes} nodes, more than the ${MAX_NODES} that are read for a file of its own`;
        throw new InputError('OUTPUT_TOO_LARGE', file, '/nodes', rule);
    }
    const warnings: Warning[] = [];
    // By URI. The key of the binary chunk starts with a slash, which no image's URI does. No prototype: a URI may be
    // the name of an inherited property.
    const resources: Record<string, Uint8Array<ArrayBuffer>> = Object.create(null);
    for (const [index, data] of buffers.entries()) {
        if (data === null) continue;
        json.buffers![index]!.uri = `/${index}`;
        // A copy: glTF-Transform slices the ArrayBuffer below.
        resources[`/${index}`] = new Uint8Array(data);
    }
    for (const [index, image] of (json.images ?? []).entries()) {
        if (image.uri === undefined || image.uri.startsWith('data:')) continue;
        const bytes = await readImage(resolve, image.uri);
        if (bytes !== null) resources[image.uri] = bytes;
        else {
            const message = `'${image.uri}' cannot be read: it is left out`;
            warnings.push({ code: 'IMAGE_LEFT_OUT', pointer: `/images/${index}/uri`, message });
            image.uri = '/';
        }
    }
    renameMeshopt(json);
    for (const list of ['extensionsUsed', 'extensionsRequired'] as const) {
        json[list] = json[list]?.filter((name) => name !== 'KHR_animation_pointer');
    }

    // import() and not require(): glTF-Transform needs an ES module, and require() loads one only since Node 20.19.
    const core = await import('@gltf-transform/core');
    const { ALL_EXTENSIONS } = await import('@gltf-transform/extensions');
    const io = new core.WebIO().setLogger(new core.Logger(core.Logger.Verbosity.SILENT));
    io.registerExtensions(ALL_EXTENSIONS);
    const known = new Set(ALL_EXTENSIONS.map(({ EXTENSION_NAME }) => EXTENSION_NAME));
    for (const [index, name] of (json.extensionsUsed ?? []).entries()) {
        if (known.has(name)) continue;
        const pointer = `/extensionsUsed/${index}`;
        if (json.extensionsRequired?.includes(name)) {
            const rule = `the file requires ${name}, which cannot be kept`;
            throw new InputError('EXTENSION_UNSUPPORTED', file, pointer, rule);
        }
        warnings.push({ code: 'EXTENSION_LEFT_OUT', pointer, message: `the glb does not have ${name}` });
    }
    await registerDecoders(io, json, file);
    const document = await io.readJSON({ json, resources });
    for (const extension of document.getRoot().listExtensionsUsed()) {
        if (COMPRESSION.includes(extension.extensionName)) extension.dispose();
    }
    for (const texture of document.getRoot().listTextures()) if (!texture.getImage()) texture.dispose();
    warnings.push(...removeWrongSkeletons(document));
    oneBuffer(document);
    return { document, json, warnings, write: () => writeGlb(io, document) };
}

/** Null if the image is missing or outside the input's folder. */
async function readImage(resolve: Resolve, uri: string): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
        return new Uint8Array(await resolve(relativePath(uri)));
    } catch (error) {
        if (isArgumentError(error)) throw error;
        return null;
    }
}

/**
 * glTF-Transform 4.5 knows only the EXT_ name. KHR_ has the same properties, and the decoder handles its newer
 * bitstream.
 */
function renameMeshopt(json: GLTF.IGLTF): void {
    const [from, to] = ['KHR_meshopt_compression', 'EXT_meshopt_compression'] as const;
    for (const owner of [...(json.bufferViews ?? []), ...(json.buffers ?? [])]) {
        const { extensions } = owner;
        if (extensions?.[from] === undefined) continue;
        extensions[to] = extensions[from];
        delete extensions[from];
    }
    for (const list of ['extensionsUsed', 'extensionsRequired'] as const) {
        if (json[list]?.includes(from))
            json[list] = [...new Set(json[list].map((name) => (name === from ? to : name)))];
    }
}

async function registerDecoders(
    io: { registerDependencies(decoders: Record<string, unknown>): unknown },
    json: GLTF.IGLTF,
    file: string,
): Promise<void> {
    if (json.extensionsUsed?.includes('EXT_meshopt_compression')) {
        io.registerDependencies({ 'meshopt.decoder': await meshoptDecoder(file, '/extensionsUsed') });
    }
    if (json.extensionsUsed?.includes('KHR_draco_mesh_compression')) {
        const draco = await dracoDecoder();
        if (draco === null) throw new InputError('EXTENSION_UNSUPPORTED', file, '/extensionsUsed', NO_WEBASSEMBLY);
        io.registerDependencies({ 'draco3d.decoder': draco });
    }
}

/** `skin.skeleton` must be one of the joints or an ancestor of all. Removing it changes nothing else. */
function removeWrongSkeletons(document: Document): Warning[] {
    return document
        .getRoot()
        .listSkins()
        .flatMap((skin, index): Warning[] => {
            const skeleton = skin.getSkeleton();
            const isAbove = (joint: NodeOfDocument): boolean => {
                for (let node: NodeOfDocument | null = joint; node !== null; node = node.getParentNode()) {
                    if (node === skeleton) return true;
                }
                return false;
            };
            if (skeleton === null || skin.listJoints().every(isAbove)) return [];
            skin.setSkeleton(null);
            const message = 'not above all joints: the glb does not have it';
            return [{ code: 'SKELETON_LEFT_OUT', pointer: `/skins/${index}/skeleton`, message }];
        });
}

function oneBuffer(document: Document): void {
    const [first, ...others] = document.getRoot().listBuffers();
    if (first === undefined) return;
    first.setURI('');
    for (const accessor of document.getRoot().listAccessors()) accessor.setBuffer(first);
    for (const buffer of others) buffer.dispose();
}
