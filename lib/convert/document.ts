// SPDX-License-Identifier: MIT

/** Parts of a converted file that all formats share. */

/** glTF-Transform. It is an ES module, so it is loaded with import(). */
export type Gltf = typeof import('@gltf-transform/core', { with: { 'resolution-mode': 'import' }});
export type Document = InstanceType<Gltf['Document']>;
type GltfNode = ReturnType<Document['createNode']>;
type Animation = ReturnType<Document['createAnimation']>;

/** Information for users about a file that was converted. Stored in `asset.extras.poselane` of the GLB. */
export interface Conversion {
    /** Format, units and axes of the source: `FBX 7500, centimeters, Z up`. */
    readonly source: string;
    readonly warnings: readonly ConversionWarning[];
}

export interface ConversionWarning {
    readonly code: ConversionCode;
    readonly message: string;
}

/** The `code` of every warning of a conversion. */
export type ConversionCode =
    /** The source has a feature that the converted file only approximates. */
    | 'SOURCE_APPROXIMATED'
    /** A part of the source is left out, such as a texture that was not found. */
    | 'SOURCE_LEFT_OUT';

export type Path = 'translation' | 'rotation' | 'scale' | 'weights';

/** Keys of one property of a node, in seconds. */
export interface Keys {
    readonly times: ArrayLike<number>;
    readonly values: ArrayLike<number>;
    readonly step?: boolean;
}

/** Adds the channels of a clip. Channels with the same times share them. */
export function clipWriter(document: Document, animation: Animation) {
    const buffer = document.getRoot().listBuffers()[0]!;
    const stored = new Map<string, ReturnType<Document['createAccessor']>>();
    const timesOf = (times: Float32Array) => {
        const key = Buffer.from(times.buffer, times.byteOffset, times.byteLength).toString('latin1');
        const found = stored.get(key);
        if (found !== undefined) return found;
        const made = document.createAccessor().setType('SCALAR').setArray(times).setBuffer(buffer);
        stored.set(key, made);
        return made;
    };
    return (node: GltfNode, path: Path, { times, values, step }: Keys): void => {
        const type = path === 'rotation' ? 'VEC4' : path === 'weights' ? 'SCALAR' : 'VEC3';
        const output = document.createAccessor().setType(type).setArray(Float32Array.from(values)).setBuffer(buffer);
        const sampler = document
            .createAnimationSampler()
            .setInput(timesOf(Float32Array.from(times)))
            .setOutput(output)
            .setInterpolation(step ? 'STEP' : 'LINEAR');
        const channel = document.createAnimationChannel().setSampler(sampler);
        channel.setTargetNode(node).setTargetPath(path);
        animation.addSampler(sampler).addChannel(channel);
    };
}

/** An empty document with a scene and a buffer. */
export function createDocument({ Document }: Gltf): Document {
    const document = new Document();
    document.createBuffer();
    document.getRoot().setDefaultScene(document.createScene());
    return document;
}
