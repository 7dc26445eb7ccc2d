// SPDX-License-Identifier: MIT

import { bufferOf, byteOffsetOf, isGone, isUint8Array, lengthOf, wrongType } from '../base/arguments';
import { checkLive } from '../base/call-arguments';
import { stateError, UsageError } from '../base/errors';
import type { ClipOptions } from '../clips/options';
import type { Resolve } from '../gltf/buffers';
import { checkedResolve } from '../gltf/input';
import { readGltf, readGltfBytes } from '../gltf/read';
import type { GltfScene, Warning } from '../gltf/scene';
import { urlOf } from '../gltf/urls';
import type { RigContents } from './contents';
import { defaultRig } from './implementations';
import type { RigImplementation } from './kernels/table';
import { checkLoadOptions } from './load-options';
import { readFor, withClips } from './retarget/merge';
import { openClips, openSource, readClips } from './retarget/read';
import { RigBase } from './rig-base';
import { checkedScene } from './source/checked-scene';
import { type DocumentLike, rigSourceOfDocument } from './source/from-document';
import { type RigParts, sourceOfParts } from './source/from-parts';
import type { RigSource } from './source/source';
import { readRigFile } from './stored/rig-file';

/** Options of {@link Rig.load}. */
export interface LoadOptions extends ClipOptions {
    /** Name of the file in messages, if `input` is bytes. Default: `'bytes'`. */
    name?: string;
    /** Reads external buffers, if `input` is bytes. Without it, files with external buffers are rejected. */
    resolve?: Resolve;
    /**
     * `false`: does not read vertices. Loading is faster, needs less memory and accepts files with invalid vertices.
     * `rig.meshes` then has no vertices, and `skinVertices` and `bounds` throw `ERR_INDEX_RANGE`. Default: `true`.
     */
    meshes?: boolean;
    /**
     * Called for each warning about the file and about clips of other files.
     *
     * @param warning The warning.
     */
    onWarning?(warning: Warning): void;
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
    /**
     * Builds a rig from a valid scene. The reader returns valid scenes only.
     *
     * @internal
     */
    constructor(source: RigSource | RigContents, wanted?: Uint8Array, implementation: RigImplementation = defaultRig) {
        super(source, wanted, implementation);
    }

    /**
     * Reads a `.glb` or `.gltf` file. Skins and animations are optional.
     *
     * Source: glTF 2.0.
     *
     * @param input A path, or the bytes of the file.
     * @param options How to read external buffers and vertices, and other files with more clips.
     * @returns The rig. It does not keep the bytes of the file.
     * @throws InputError with the JSON pointer and the rule of the first fault, `NODES_UNMATCHED` if clips of another
     * file do not fit; TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; UsageError.
     * @example
     * const rig = await Rig.load('hero.glb');
     * const poses = rig.createPoses(200);
     * rig.evaluate(poses, rig.clipNamed('Walk'), times, { loop: 'wrap' });
     */
    static async load(input: string | Uint8Array, options?: LoadOptions): Promise<Rig> {
        const checked = checkLoadOptions('Rig.load', options);
        const { name, resolve, meshes, animations, clipRecipe, onWarning } = checked;
        const wanted = { surfaces: true, vertices: meshes, ...(meshes ? readFor(clipRecipe) : {}) };
        const made = async (scene: GltfScene, file: string): Promise<Rig> => {
            const clips = await readClips(openClips('Rig.load', animations));
            const whole = clipRecipe === null ? scene : withClips(scene, clips, clipRecipe);
            for (const warning of whole.warnings) onWarning?.(warning);
            return new Rig({ ...checkedScene(whole, file), withoutVertices: !meshes });
        };
        if (typeof input === 'string') {
            // The URL could contain a password.
            if (urlOf(input) !== null)
                throw new UsageError('Rig.load: input is a URL: give the path or the bytes of the file');
            return made(await readGltf(input, wanted), input);
        }
        if (!isUint8Array(input)) throw wrongType('Rig.load', 'input', 'a path or a Uint8Array', input);
        checkLive('Rig.load', 'input', input);
        // A plain view, because a subclass may have properties of its own.
        const bytes = new Uint8Array(bufferOf(input) as ArrayBuffer, byteOffsetOf(input), lengthOf(input));
        try {
            const files = { name, resolve: checkedResolve('Rig.load', resolve) };
            return await made(await readGltfBytes(bytes, { ...files, ...wanted }), name);
        } catch (cause) {
            if (!isGone(bytes)) throw cause;
            throw stateError('ERR_BUFFER_CHANGED', 'Rig.load: input was detached or shrunk while it was read', cause);
        }
    }

    /**
     * Reads a file that {@link Rig.serialize} or `poselane rig` has made. This takes a fraction of the time of
     * `Rig.load`, because nothing is decoded or judged. Every number of the file is checked, so files of others cannot
     * do harm. The rig gives the same bits as the one that was stored.
     *
     * Source: this project's own; docs/format.md.
     *
     * @param input A path, the URL of the file (`file:`, `https:` or `http:`; as URL or text), or its bytes.
     * @returns The rig. It does not keep the bytes.
     * @throws RangeError `ERR_RIG_INVALID`: not a rig file, another version, a damaged file, or a number that breaks a
     * rule; TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; InputError `FILE_UNREADABLE`; UsageError for a URL
     * that is not read.
     * @example
     * const rig = await Rig.deserialize('hero.rig');
     */
    static async deserialize(input: string | URL | Uint8Array | ArrayBuffer): Promise<Rig> {
        const open = (routine: string, source: unknown) =>
            typeof source === 'string' || source instanceof URL
                ? openSource(routine, source, 'input').files.load()
                : undefined;
        return new Rig(await readRigFile(input, open, 'a path, a URL or bytes'));
    }

    /**
     * Makes a rig from a Document of glTF-Transform. Prefer `Rig.load` if you have the file, because a Document has
     * lost data. glTF-Transform decomposes each `matrix` into translation, rotation and scale: shear changes, and a
     * scale of 0 becomes NaN. It also removes cycles and second parents silently.
     *
     * @param document Any version of the library. Read, not changed.
     * @returns The rig. It does not keep the Document.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, InputError `GLTF_INVALID`.
     * @example
     * const rig = Rig.fromDocument(await new NodeIO().read('hero.glb'));
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
     * @example
     * const rig = Rig.create({
     *     parents: [-1, 0],
     *     rest: [0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0.5, 0, 0, 0, 0, 1, 1, 1, 1], // T 3, R 4, S 3 of each node
     *     names: ['Hips', 'Spine'],
     *     clips: [{ name: 'Rise', channels: [{ node: 0, path: 'translation', times: [0, 1], values: [0, 1, 0, 0, 2, 0] }] }],
     * });
     */
    static create(parts: RigParts): Rig {
        const source = sourceOfParts(parts);
        return new Rig(source, new Uint8Array(source.nodes.length).fill(1));
    }
}
