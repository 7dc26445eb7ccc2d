// SPDX-License-Identifier: MIT

import { bufferOf, byteOffsetOf, describe, isGone, isUint8Array, lengthOf } from '../base/arguments';
import { stateError, typeError, UsageError } from '../base/errors';
import type { ClipOptions } from '../clips/options';
import type { Resolve } from '../gltf/buffers';
import { checkedResolve } from '../gltf/input';
import { readGltf, readGltfBytes } from '../gltf/read';
import type { GltfScene, Warning } from '../gltf/scene';
import { urlOf } from '../gltf/urls';
import { defaultRig } from './implementations';
import type { RigImplementation } from './kernels/table';
import { checkLoadOptions } from './load-options';
import { withClips } from './retarget/merge';
import { openClips, readClips } from './retarget/read';
import { RigBase } from './rig-base';
import { checkedScene } from './source/checked-scene';
import { type DocumentLike, sourceOfDocument } from './source/from-document';
import { type RigParts, sourceOfParts } from './source/from-parts';
import type { RigSource } from './source/source';

/** Options of {@link Rig.load}. */
export interface LoadOptions extends ClipOptions {
    /** For bytes: the name that messages use. Default `'bytes'`. */
    name?: string;
    /** For bytes: reads the external buffers; without it, files with external buffers are refused. */
    resolve?: Resolve;
    /**
     * `false`: the vertices of meshes stay unread, which is faster, takes less memory, and lets files load whose vertices
     * break a rule. `rig.meshes` then lists the meshes without vertices; `skinVertices` and `bounds` refuse them. Default
     * `true`.
     */
    meshes?: boolean;
    /**
     * Told of what is odd about the file, and about clips of other files.
     *
     * @param warning One at a time.
     */
    onWarning?(warning: Warning): void;
}

/**
 * A skeleton and its clips, packed once, to be evaluated in bulk: all poses of a call are calculated side by side. The same
 * arguments give the same bytes on every machine. None of the methods below `createPoses` allocates.
 *
 * Every method checks its arguments before it writes anything, and throws a typed error with a `code`.
 */
export class Rig extends RigBase {
    /**
     * From a scene that keeps the rules, as scenes of the reader do.
     *
     * @internal
     */
    constructor(source: RigSource, wanted?: Uint8Array, implementation: RigImplementation = defaultRig) {
        super(source, wanted, implementation);
    }

    /**
     * Reads a `.glb` or `.gltf`. A file without skins or animations is fine.
     *
     * @param input A path, or the bytes of the file.
     * @param options How external buffers and vertices are read; files whose clips are taken as well.
     * @returns The rig. It keeps no reference to the file.
     * @throws InputError with the JSON pointer and the rule of the first fault, `NODES_UNMATCHED` for clips of other files that do not
     * fit; TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; UsageError.
     * @example
     * const rig = await Rig.load('hero.glb');
     * const poses = rig.createPoses(200);
     * rig.evaluate(poses, rig.clipNamed('Walk'), times, { loop: 'wrap' });
     */
    static async load(input: string | Uint8Array, options?: LoadOptions): Promise<Rig> {
        const checked = checkLoadOptions('Rig.load', options);
        const { name, resolve, meshes, animations, clipRecipe, onWarning } = checked;
        const wanted = { surfaces: true, vertices: meshes };
        const made = async (scene: GltfScene, file: string): Promise<Rig> => {
            const clips = await readClips(openClips('Rig.load', animations));
            const whole = clipRecipe === null ? scene : withClips(scene, clips, clipRecipe);
            for (const warning of whole.warnings) onWarning?.(warning);
            return new Rig({ ...checkedScene(whole, file), withoutVertices: !meshes });
        };
        if (typeof input === 'string') {
            // Its name could have a password in it.
            if (urlOf(input) !== null)
                throw new UsageError('Rig.load: input is a URL: give the path or the bytes of the file');
            return made(await readGltf(input, wanted), input);
        }
        if (!isUint8Array(input)) {
            const got = describe(input);
            throw typeError('ERR_ARGUMENT_TYPE', `Rig.load: input must be a path or a Uint8Array, got ${got}`);
        }
        if (isGone(input)) {
            const what = 'input is a view of a detached or shrunk buffer';
            throw typeError('ERR_DETACHED_BUFFER', `Rig.load: ${what}, needs a live one`);
        }
        // A plain view, because a subclass may have properties of its own.
        const bytes = new Uint8Array(bufferOf(input) as ArrayBuffer, byteOffsetOf(input), lengthOf(input));
        try {
            return await made(
                await readGltfBytes(bytes, { name, resolve: checkedResolve('Rig.load', resolve), ...wanted }),
                name,
            );
        } catch (cause) {
            if (!isGone(bytes)) throw cause;
            throw stateError('ERR_BUFFER_CHANGED', 'Rig.load: input was detached or shrunk while it was read', cause);
        }
    }

    /**
     * From a Document of glTF-Transform. A Document has already lost parts of its file: glTF-Transform decomposed `matrix` nodes into
     * translation, rotation and scale, which changes shear and turns a scale of 0 into NaN, and silently cut cycles and second parents. Use
     * `Rig.load` if you have the file.
     *
     * @param document Read, and not changed.
     * @returns The rig. It keeps no reference to the Document.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, InputError `GLTF_INVALID`.
     * @example
     * const rig = Rig.fromDocument(await new NodeIO().read('hero.glb'));
     */
    static fromDocument(document: DocumentLike): Rig {
        return new Rig(sourceOfDocument(document, 'Rig.fromDocument'));
    }

    /**
     * From plain lists. Every node becomes a slot, sorted by depth and then by node: `rig.slots[i].node` and `slotOf` convert between the
     * two.
     *
     * @param parts Nodes, skins, clips and meshes. They are copied.
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
