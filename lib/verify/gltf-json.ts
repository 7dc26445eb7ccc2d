// SPDX-License-Identifier: MIT

import { flag, list, number, object, optional, record, type Shape, text, whole } from './shape';

/** The parts of a glTF's JSON that evaluating needs, as the specification writes them down. */
export interface GltfJson {
    readonly nodes?: readonly GltfNode[];
    readonly skins?: readonly GltfSkin[];
    readonly meshes?: readonly GltfMesh[];
    readonly animations?: readonly GltfAnimation[];
    readonly accessors?: readonly GltfAccessor[];
    readonly bufferViews?: readonly GltfBufferView[];
    readonly buffers?: readonly GltfBuffer[];
}

export interface GltfNode {
    readonly name?: string;
    readonly children?: readonly number[];
    readonly matrix?: readonly number[];
    readonly translation?: readonly number[];
    readonly rotation?: readonly number[];
    readonly scale?: readonly number[];
    readonly weights?: readonly number[];
    readonly mesh?: number;
    readonly skin?: number;
}

export interface GltfSkin {
    readonly joints: readonly number[];
    readonly inverseBindMatrices?: number;
    readonly skeleton?: number;
}

export interface GltfMesh {
    readonly primitives: readonly GltfPrimitive[];
    readonly weights?: readonly number[];
}

export interface GltfPrimitive {
    readonly attributes: Readonly<Record<string, number>>;
    readonly targets?: readonly Readonly<Record<string, number>>[];
    readonly extensions?: {
        readonly KHR_draco_mesh_compression?: {
            readonly bufferView: number;
            readonly attributes: Readonly<Record<string, number>>;
        };
    };
}

export interface GltfAnimation {
    readonly name?: string;
    readonly channels: readonly { readonly sampler: number; readonly target: GltfTarget }[];
    readonly samplers: readonly { readonly input: number; readonly output: number; readonly interpolation?: string }[];
}

export interface GltfTarget {
    readonly node?: number;
    readonly path: string;
    readonly extensions?: { readonly KHR_animation_pointer?: { readonly pointer: string } };
}

export interface GltfAccessor {
    readonly bufferView?: number;
    readonly byteOffset?: number;
    readonly componentType: number;
    readonly normalized?: boolean;
    readonly count: number;
    readonly type: string;
    readonly sparse?: {
        readonly count: number;
        readonly indices: { readonly bufferView: number; readonly byteOffset?: number; readonly componentType: number };
        readonly values: { readonly bufferView: number; readonly byteOffset?: number };
    };
}

export interface GltfBufferView {
    readonly buffer: number;
    readonly byteOffset?: number;
    readonly byteLength: number;
    readonly byteStride?: number;
    readonly extensions?: {
        readonly EXT_meshopt_compression?: MeshoptView;
        readonly KHR_meshopt_compression?: MeshoptView;
    };
}

export interface MeshoptView {
    readonly buffer: number;
    readonly byteOffset?: number;
    readonly byteLength: number;
    readonly byteStride: number;
    readonly count: number;
    readonly mode: string;
    readonly filter?: string;
}

export interface GltfBuffer {
    readonly uri?: string;
    readonly byteLength: number;
    readonly extensions?: {
        readonly EXT_meshopt_compression?: { readonly fallback?: boolean };
        readonly KHR_meshopt_compression?: { readonly fallback?: boolean };
    };
}

const wholes = list(whole);
const meshoptView = object({
    buffer: whole,
    byteOffset: optional(whole),
    byteLength: whole,
    byteStride: whole,
    count: whole,
    mode: text,
    filter: optional(text),
});
const meshopt = (of: Shape) =>
    optional(object({ EXT_meshopt_compression: optional(of), KHR_meshopt_compression: optional(of) }));
const draco = object({ bufferView: whole, attributes: record(whole) });

/** What is relied on when a file is read. Whether indices lead anywhere is seen where they are used. */
export const GLTF_SHAPE: Shape = object({
    nodes: optional(
        list(
            object({
                name: optional(text),
                children: optional(wholes),
                matrix: optional(list(number, 16)),
                translation: optional(list(number, 3)),
                rotation: optional(list(number, 4)),
                scale: optional(list(number, 3)),
                weights: optional(list(number)),
                mesh: optional(whole),
                skin: optional(whole),
            }),
        ),
    ),
    skins: optional(list(object({ joints: wholes, inverseBindMatrices: optional(whole) }))),
    meshes: optional(
        list(
            object({
                primitives: list(
                    object({
                        attributes: record(whole),
                        targets: optional(list(record(whole))),
                        extensions: optional(object({ KHR_draco_mesh_compression: optional(draco) })),
                    }),
                ),
                weights: optional(list(number)),
            }),
        ),
    ),
    animations: optional(
        list(
            object({
                name: optional(text),
                channels: list(
                    object({
                        sampler: whole,
                        target: object({
                            node: optional(whole),
                            path: text,
                            extensions: optional(
                                object({ KHR_animation_pointer: optional(object({ pointer: text })) }),
                            ),
                        }),
                    }),
                ),
                samplers: list(object({ input: whole, output: whole, interpolation: optional(text) })),
            }),
        ),
    ),
    accessors: optional(
        list(
            object({
                bufferView: optional(whole),
                byteOffset: optional(whole),
                componentType: whole,
                normalized: optional(flag),
                count: whole,
                type: text,
                sparse: optional(
                    object({
                        count: whole,
                        indices: object({ bufferView: whole, byteOffset: optional(whole), componentType: whole }),
                        values: object({ bufferView: whole, byteOffset: optional(whole) }),
                    }),
                ),
            }),
        ),
    ),
    bufferViews: optional(
        list(
            object({
                buffer: whole,
                byteOffset: optional(whole),
                byteLength: whole,
                byteStride: optional(whole),
                extensions: meshopt(meshoptView),
            }),
        ),
    ),
    buffers: optional(
        list(
            object({
                uri: optional(text),
                byteLength: whole,
                extensions: meshopt(object({ fallback: optional(flag) })),
            }),
        ),
    ),
});
