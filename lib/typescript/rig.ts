// SPDX-License-Identifier: MIT

import { detached, isUint8Array, wrongType } from '../base/arguments';
import { checkOptions } from '../base/call-arguments';
import { typeError } from '../base/errors';
import type { ClipOptions } from '../clips/options';
import { absoluteUrl, fetchBytes } from '../files/fetch-bytes';
import type { Resolve } from '../gltf/buffers';
import { decodePlain, decodeWithMeshopt, RIG_INSTEAD } from '../gltf/decode-browser';
import type { MeshoptDecoder } from '../gltf/decode-meshopt';
import { type FileBytes, viewOf, viewOfInput } from '../gltf/file-bytes';
import { checkedResolve } from '../gltf/input';
import { CLIPS_ALONE, type DecodeAccessors, readScene } from '../gltf/read-scene';
import type { Warning } from '../gltf/scene';
import type { RigContents } from '../rig/contents';
import { typescriptRig } from '../rig/kernels';
import type { RigImplementation } from '../rig/kernels/table';
import { checkLoadOptions } from '../rig/load-options';
import type { ClipScene } from '../rig/retarget/fit';
import { type OtherFile, readFor, withClips } from '../rig/retarget/merge';
import { RigBase } from '../rig/rig-base';
import { checkedScene } from '../rig/source/checked-scene';
import { type DocumentLike, rigSourceOfDocument } from '../rig/source/from-document';
import { type RigParts, sourceOfParts } from '../rig/source/from-parts';
import type { RigSource } from '../rig/source/source';
import { readRigFile } from '../rig/stored/rig-file';

/** Options of {@link Rig.load}. */
export interface LoadOptions extends ClipOptions<FileBytes> {
    /** Name of the file in messages. Default: `'bytes'`. */
    name?: string;
    /** Reads external buffers. Without it, files with external buffers are rejected. */
    resolve?: Resolve;
    /** For compressed files: `meshopt`, the `MeshoptDecoder` of meshoptimizer or three. Draco is not decoded here. */
    decoders?: { meshopt?: MeshoptDecoder };
    /**
     * Called for each warning about the file and about clips of other files.
     *
     * @param warning The warning.
     */
    onWarning?(warning: Warning): void;
}

/** Decodes with the caller's decoders, which messages call `argument` of `routine`. */
export function decoderOf(
    decoders: unknown,
    routine = 'Rig.load',
    argument = 'options.decoders',
    instead = RIG_INSTEAD,
): DecodeAccessors {
    const { meshopt } = checkOptions(routine, decoders) as NonNullable<LoadOptions['decoders']>;
    if (meshopt === undefined) return decodePlain(`${argument} of ${routine}`, instead);
    const isDecoder = typeof meshopt?.decodeGltfBuffer === 'function' || meshopt?.supported === false;
    if (isDecoder) return decodeWithMeshopt(meshopt, instead);
    throw wrongType(routine, `${argument}.meshopt`, 'a MeshoptDecoder', meshopt);
}

/** Reads a file and its clips for `Rig.load`. */
export async function readSource(input: Uint8Array | ArrayBuffer, options: LoadOptions): Promise<RigSource> {
    const { name, resolve, animations, clipRecipe, onWarning } = checkLoadOptions('Rig.load', options);
    const decode = decoderOf(options.decoders);
    const bytes = viewOf(input);
    if (bytes === undefined) throw wrongType('Rig.load', 'input', 'a Uint8Array or ArrayBuffer', input);
    if (bytes === null) {
        if (isUint8Array(input)) throw detached('Rig.load', 'input');
        throw typeError('ERR_DETACHED_BUFFER', 'Rig.load: input is a detached buffer, needs a live one');
    }
    const own = checkedResolve('Rig.load', resolve);
    const { scene } = await readScene(
        { file: name, load: () => bytes, resolve: own, decode },
        { surfaces: true, ...readFor(clipRecipe) },
    );
    const clips: OtherFile[] = [];
    for (const [index, source] of (animations as readonly FileBytes[]).entries()) {
        const view = viewOfInput('Rig.load', source, undefined, `options.animations[${index}]`);
        const file = {
            file: source.name,
            load: () => view,
            resolve: checkedResolve('Rig.load', source.resolve),
            decode,
        };
        const read = await readScene(file, CLIPS_ALONE);
        clips.push({ scene: { name: source.name, ...read.scene }, file: source.name });
    }
    const model: ClipScene = { name, ...scene };
    const whole = clipRecipe === null ? model : withClips(model, clips, clipRecipe);
    for (const warning of whole.warnings) onWarning?.(warning);
    return checkedScene(whole, name);
}

/** Reads a rig file for `Rig.deserialize`. */
export function readRigOfPage(input: string | URL | Uint8Array | ArrayBuffer): Promise<RigContents> {
    const open = (routine: string, source: unknown) =>
        typeof source === 'string' || source instanceof URL
            ? fetchBytes(absoluteUrl(routine, 'input', source))
            : undefined;
    return readRigFile(input, open, 'a URL or bytes');
}

/**
 * A skeleton and its clips, packed once for evaluation of many poses per call. The same arguments give the same bytes
 * on every machine. Methods that work on poses allocate no memory unless they say so.
 *
 * Every method checks its arguments before it writes anything. It throws a typed error with a `code`.
 *
 * Units and axes are those of the file: meters in glTF 2.0 (3.4), right-handed, +Y up. Times are in seconds. Rotations
 * are unit quaternions, x y z w.
 */
export class Rig extends RigBase {
    /** @internal */
    constructor(
        source: RigSource | RigContents,
        wanted?: Uint8Array,
        implementation: RigImplementation = typescriptRig,
    ) {
        super(source, wanted, implementation);
    }

    /**
     * Reads the bytes of a `.glb` or `.gltf` file. Skins and animations are optional. Files compressed by meshopt need
     * `options.decoders`. Files compressed by Draco are rejected: read them with glTF-Transform's WebIO and use
     * `Rig.fromDocument`.
     *
     * Source: glTF 2.0.
     *
     * @param input The bytes of the file.
     * @param options How to read external buffers, decoders, and other files with more clips.
     * @returns The rig. It does not keep the bytes of the file.
     * @throws InputError with the JSON pointer and the rule of the first fault, `EXTENSION_UNSUPPORTED` for compressed
     * data without a decoder; TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`.
     * @example
     * const response = await fetch('hero.glb');
     * const rig = await Rig.load(await response.arrayBuffer(), { name: 'hero.glb' });
     */
    static async load(input: Uint8Array | ArrayBuffer, options: LoadOptions = {}): Promise<Rig> {
        return new Rig(await readSource(input, options));
    }

    /**
     * Reads a file that {@link Rig.serialize} or `poselane rig` has made. This takes a fraction of the time of
     * `Rig.load`, because nothing is decoded or judged. Every number of the file is checked, so files of others cannot
     * do harm. The rig gives the same bits as the one that was stored.
     *
     * Source: this project's own; docs/format.md.
     *
     * @param input The bytes, or a URL, in a page relative to it.
     * @returns The rig. It does not keep the bytes.
     * @throws RangeError `ERR_RIG_INVALID`: not a rig file, another version, a damaged file, or a number that breaks a
     * rule; TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; InputError `FILE_UNREADABLE`.
     * @example
     * const rig = await Rig.deserialize('hero.rig'); // beside the page
     */
    static async deserialize(input: string | URL | Uint8Array | ArrayBuffer): Promise<Rig> {
        return new Rig(await readRigOfPage(input));
    }

    /**
     * Makes a rig from a Document of glTF-Transform. Prefer `Rig.load` if you have the file, because a Document has
     * lost data. glTF-Transform decomposes each `matrix` into translation, rotation and scale: shear changes, and a
     * scale of 0 becomes NaN. It also removes cycles and second parents silently.
     *
     * @param document Any version of the library. Read, not changed.
     * @returns The rig. It does not keep the Document.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, InputError `GLTF_INVALID`.
     */
    static fromDocument(document: DocumentLike): Rig {
        return new Rig(rigSourceOfDocument(document));
    }

    /**
     * Makes a rig from plain lists. Every node becomes a slot, sorted by depth, then by node. `rig.slots[i].node` and
     * `slotOf` convert between slots and nodes.
     *
     * Source: this project's own; the rules are those of glTF 2.0, 3.5, 3.7.3 and 3.11.
     *
     * @param parts Nodes, skins, clips and meshes. Copied.
     * @returns The rig.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, RangeError `ERR_RIG_INVALID`.
     */
    static create(parts: RigParts): Rig {
        const source = sourceOfParts(parts);
        return new Rig(source, new Uint8Array(source.nodes.length).fill(1));
    }
}
